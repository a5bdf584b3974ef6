"""Read a web in a directory for a back-up, while a crawl may write to it.

The state comes first, the archive second. A crawl writes a page into its WARC file before it commits the state that names
the page, and never changes committed bytes. So all bytes that the state of a moment names are in the archive at that moment
and stay there, and copying the archive afterwards, up to the committed lengths of that moment, finds all of them. The other
way round, the state would name pages that came after the archive was copied.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from gossamer.atomic_file import is_temporary, make_temporary_folder
from gossamer.errors import BadInput, StoreFailed
from gossamer.store.archive.cdxj_index import index_path, is_fresh
from gossamer.store.backup.byte_rate import ByteRate
from gossamer.store.backup.copy_state import CopiedState, copy_state, identify_web
from gossamer.store.backup.destination import Destination
from gossamer.store.backup.read_files import STATE_BLOCK_BYTES, FileReader, take_stamp
from gossamer.store.backup.snapshot import KeptFile
from gossamer.store.lock import FILE_NAME as LOCK
from gossamer.store.opening.open_store import STATE, check_copy_finished
from gossamer.store.sqlite.open_database import open_reader

ARCHIVE = "archive"
DERIVED = ("index", "words", "hot")
"""Folders that are made from the rest; a restored web makes them anew."""
_NEVER = ("archive-cache", "versions")
_TRIES = 3


class Contents(msgspec.Struct, frozen=True):
    """What was read of a web, and of which moment."""

    at_s: float
    state_format: int
    counts: dict[str, int]
    state_bytes: int
    archive_bytes: int
    missing: dict[str, int]
    files: list[KeptFile]
    details: dict[str, int] = {}


class DirectorySource:
    """A web in a directory."""

    def __init__(
        self, folder: Path, with_index: bool, when_copied: Callable[[], None] = lambda: None
    ) -> None:
        check_copy_finished(folder)
        if not (folder / STATE).is_file():
            raise BadInput(f"there is no web at {folder} to back up")
        self.folder = folder
        self._when_copied = when_copied
        self._left_out = {*_NEVER, ARCHIVE, *(() if with_index else DERIVED)}

    def identify(self) -> str:
        """Return what tells this web from others."""
        with closing(open_reader(self.folder / STATE)) as db:
            return identify_web(db)

    def measure(self) -> int:
        """Return about how many bytes will be read."""
        warcs = sum(path.stat().st_size for path in (self.folder / ARCHIVE).glob("*.warc.gz"))
        return 2 * (self.folder / STATE).stat().st_size + warcs

    def read(
        self,
        destination: Destination,
        before: dict[str, KeptFile],
        rate: ByteRate,
        on_bytes: Callable[[int], None],
    ) -> Contents:
        """Store all blocks; return what they are."""
        reader = FileReader(destination.bundles, before, rate, on_bytes)
        for _ in range(_TRIES):
            found = self._read_moment(destination.folder, reader, on_bytes)
            if found is not None:
                return found
        raise StoreFailed(f"pages were removed from {self.folder} during the back-up: run it again")

    def _read_moment(
        self, scratch: Path, reader: FileReader, on_bytes: Callable[[int], None]
    ) -> Contents | None:
        """Return what the web is at one moment; None if bytes of its archive were removed before they were read."""
        stamps: dict[str, tuple[int, ...]] = {}
        at_s = 0.0

        def note_moment() -> None:
            nonlocal at_s
            at_s = time.time()
            stamps.update((path.name, take_stamp(path)) for path in (self.folder / ARCHIVE).glob("*.warc.gz"))

        with make_temporary_folder(scratch) as folder:
            state = copy_state(self.folder / STATE, folder / STATE, note_moment, on_bytes)
            self._when_copied()
            size = state.path.stat().st_size
            copied = reader.store_file(STATE, state.path, size, block_bytes=STATE_BLOCK_BYTES)
            mode = (self.folder / STATE).stat().st_mode & 0o777
            files = [msgspec.structs.replace(copied, mode=mode, mtime_ns=0)]
        others = list(self._read_others(reader))
        warcs = list(self._read_archive(reader, state.archive_ends, stamps))
        if not self._is_unchanged(state, stamps):
            return None
        missing = {
            name: length - file.size
            for (name, length), file in zip(sorted(state.archive_ends.items()), warcs, strict=True)
            if file.size < length
        }
        indexes = list(self._read_indexes(reader, warcs))
        return Contents(
            at_s,
            state.state_format,
            state.counts,
            size,
            sum(file.size for file in warcs),
            missing,
            [*files, *others, *warcs, *indexes],
        )

    def _read_archive(
        self, reader: FileReader, ends: dict[str, int], stamps: dict[str, tuple[int, ...]]
    ) -> Iterator[KeptFile]:
        for name, length in sorted(ends.items()):
            stamp = stamps.get(name, ())
            kept = reader.reuse(f"{ARCHIVE}/{name}", length, stamp)
            yield kept or reader.store_file(f"{ARCHIVE}/{name}", self.folder / ARCHIVE / name, length, stamp)

    def _read_indexes(self, reader: FileReader, warcs: list[KeptFile]) -> Iterator[KeptFile]:
        """Store the CDXJ indexes of files that are complete; a restore writes the others anew."""
        for warc in warcs:
            path = self.folder / warc.name
            index = index_path(path)
            if (
                warc.stamp
                and warc.stamp == take_stamp(path)
                and warc.size == warc.stamp[1]
                and is_fresh(path)
            ):
                yield self._read_file(reader, index)

    def _read_others(self, reader: FileReader) -> Iterator[KeptFile]:
        """Store models, settings and whatever else is in the folder of the web."""
        for parent, folders, names in os.walk(self.folder):
            inside = Path(parent).relative_to(self.folder)
            if not inside.parts:
                folders[:] = [name for name in folders if name not in self._left_out]
            folders[:] = sorted(name for name in folders if not is_temporary(Path(name)))
            for name in sorted(names):
                if not inside.parts and (name == LOCK or name.startswith(STATE)):
                    continue
                if (path := Path(parent, name)).is_file():
                    yield self._read_file(reader, path)

    def _read_file(self, reader: FileReader, path: Path) -> KeptFile:
        name, stamp = str(path.relative_to(self.folder)), take_stamp(path)
        size = stamp[1] if stamp else 0
        return reader.reuse(name, size, stamp) or reader.store_file(name, path, size, stamp)

    def _is_unchanged(self, state: CopiedState, stamps: dict[str, tuple[int, ...]]) -> bool:
        """Return whether all committed bytes of the moment are still there, in the same files."""
        with closing(open_reader(self.folder / STATE, checked=True)) as db:
            now = dict(db.execute("select warc, bytes from archive"))
        return all(
            now.get(name, 0) >= length
            and take_stamp(self.folder / ARCHIVE / name)[:1] == stamps.get(name, ())[:1]
            for name, length in state.archive_ends.items()
        )
