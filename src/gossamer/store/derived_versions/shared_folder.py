"""Read the newest version of a derived folder of a web, and publish the next one."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.store.derived_versions.fetch_version import VersionCache
from gossamer.store.derived_versions.keep_lease import keep_lease
from gossamer.store.derived_versions.publish_version import publish_version
from gossamer.store.derived_versions.writer_lease import LEASE_S
from gossamer.store.shared_archive.location import open_archive
from gossamer.store.shared_archive.object_store import ObjectStore

MODELS = "models"
POLL_S = 3.0
"""How often a program that runs on looks for a newer version."""
_PATIENCE_S = {MODELS: LEASE_S + 10}
"""Models are written in a moment; an index may take hours, and its next writer is told so instead."""


class SharedFolder:
    """The index or the models of one web, for all threads of this process."""

    def __init__(
        self, folder: Path, kind: str, archive: str, open_writable: Callable[[], ObjectStore]
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._archive = archive
        self._open_writable = open_writable
        self._turn = threading.Lock()
        self._cache: VersionCache | None = None
        self._asked_s = 0.0
        self._fetching = threading.Lock()

    def find(self) -> Path:
        """Return the newest version that is here; the first call waits for it, later ones look for it in a thread."""
        with self._turn:
            if self._cache is None:
                self._cache = self._fetch_first()
            elif time.monotonic() - self._asked_s >= POLL_S and self._fetching.acquire(blocking=False):
                self._asked_s = time.monotonic()
                threading.Thread(target=self._fetch_newer, args=(self._cache,), daemon=True).start()
            path = self._cache.path if self._cache is not None else None
        return path or self._folder / "versions" / self._kind / "none"

    @contextmanager
    def change(self) -> Iterator[Path]:
        """Yield a copy of the newest version, and publish it as the next one; raise `WriterBusy` if another process does."""
        store = self._open_writable()
        work, base_file = self._folder / f"{self._kind}-work", self._folder / f"{self._kind}-work.base"
        cache = VersionCache(store, self._kind, self._folder / "versions" / self._kind)
        with keep_lease(store, self._kind, _PATIENCE_S.get(self._kind, 0.0)) as lease:
            cache.use_newest_here()
            cache.fetch()
            base = cache.current.number if cache.current is not None else 0
            if not work.is_dir() or _read_number(base_file) != base:
                cache.copy_to(work)
                base_file.write_text(str(base), "ascii")
            work.mkdir(exist_ok=True)
            yield work
            version = publish_version(store, self._kind, work, lease, base)
            base_file.write_text(str(version.number), "ascii")
        cache.fetch(near=work)
        with self._turn:
            self._cache = cache

    def _fetch_first(self) -> VersionCache | None:
        """Fetch the newest version; if the archive is away, one that is here will do."""
        try:
            store = open_archive(self._archive)
        except BadInput:
            if self._kind == MODELS:
                return None  # nothing was crawled yet, so the archive was not made
            raise
        self._asked_s = time.monotonic()
        cache = VersionCache(store, self._kind, self._folder / "versions" / self._kind)
        is_here = cache.use_newest_here()
        try:
            cache.fetch()
        except StoreFailed:
            if not is_here:
                raise
        return cache

    def _fetch_newer(self, cache: VersionCache) -> None:
        try:
            with suppress(GossamerError):  # it is tried again; what is here stays in use
                cache.fetch()
        finally:
            self._fetching.release()


def _read_number(path: Path) -> int:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):
        return -1
