"""Write a web into a folder: choose what belongs to the mirror, name it, rewrite its links, and write what has changed."""

from collections.abc import Callable, Iterable
from posixpath import splitext
from typing import Literal, Protocol

import msgspec

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.mirror.file_names import needs_media_type, plan_name
from gossamer.mirror.mirror_folder import MirrorFolder
from gossamer.mirror.mirror_state import MirrorFile, MirrorState, digest_content, save_state
from gossamer.mirror.name_registry import NameRegistry
from gossamer.mirror.recent_pages import RecentPage, RecentPages
from gossamer.mirror.rewrite_links import LinkRewriter, make_relative
from gossamer.mirror.start_page import make_start_page
from gossamer.net import url as urls
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import WarcPosition

_REDIRECTS_FOLLOWED = 10
_START = "index.html"
# Files that stand for no URL: the pages that lead to the start page, and files whose page has another name by now.
_LEADS, _FORMER = "start:", "former:"
SAVE_EVERY = 2_000
"""Files after which the state is saved, so that an interrupted run is not begun anew."""

Change = Literal["written", "unchanged", "removed"]
Watch = Callable[[Change, str], None]
"""Receives each file with what happened to it."""


class PageReader(Protocol):
    """Reads archived exchanges (`store.archive.archive_reader.ArchiveReader`)."""

    def read(self, place: WarcPosition, decode: Callable[[bytes, str], bytes]) -> Exchange | None:
        """Return the exchange at a position; None if there is none."""
        ...


class MirrorCounts(msgspec.Struct):
    """What writing a mirror did."""

    files: int = 0
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    missing: int = 0
    """Pages that the archive does not have."""


class MirrorSource(msgspec.Struct, frozen=True):
    """The web that is mirrored."""

    pages: dict[int, Page]
    """All pages of the web that could be mirrored, by their ids."""
    wanted: list[int]
    """Those that are; what they need to be shown comes with them."""
    redirects: dict[int, int]
    archive: PageReader
    recent: RecentPages | None = None
    """What was fetched just now."""


class MirrorWriter:
    """Writes one mirror. Files that have not changed are not touched."""

    def __init__(
        self, source: MirrorSource, folder: MirrorFolder, state: MirrorState, watch: Watch = lambda *_: None
    ) -> None:
        self._source = source
        self._folder = folder
        self._state = state
        self._watch = watch
        own = {file.path for file in state.files.values()}
        self._names = NameRegistry(lambda path: path not in own and folder.exists(path))
        self._paths: dict[int, str] = {}
        """The paths of what is mirrored, by page id."""
        self._ways: dict[tuple[str, bool], str | None] = {}
        self._waiting: list[int] = []
        """Requisites that were met and are still to be written."""
        self._kept: set[str] = set()
        """URLs that are gone and whose files stay."""
        self._rewriter = LinkRewriter(self._locate)
        self.counts = MirrorCounts()

    def write(self, delete: bool) -> MirrorCounts:
        """Write all files that have changed; with `delete`, remove those whose pages are gone."""
        before = [meaning for meaning in self._state.files if _is_url(meaning)]
        for url in before:
            self._names.restore(plan_name(url, "html"), self._state.files[url].path)
        for page_id in self._source.wanted:
            self._claim(self._source.pages[page_id])
        gone = [url for url in before if urls.page_id(url) not in self._paths]
        if not delete:
            self._kept.update(url for url in gone if urls.page_id(url) not in self._source.pages)
        some = self._source.wanted
        while some:
            self._save()  # names first: what is found in the folder without one belongs to the user
            pages = [self._source.pages[page_id] for page_id in some]
            for page in sorted(
                pages, key=lambda page: (page.warc, page.warc_offset)
            ):  # the archive in one go
                self._write_page(page)
            some, self._waiting = self._waiting, []
        self._write_start_pages()
        if delete:
            self._remove(url for url in gone if urls.page_id(url) not in self._paths)
        self._save()
        return self.counts

    # Names

    def _claim(self, page: Page) -> str:
        """Return the path of a page; what was mirrored before keeps its path if that still suits it."""
        known = self._paths.get(page.id)
        if known is not None:
            return known
        planned = plan_name(page.url, page.kind, self._read_media_type(page))
        before = self._state.files.get(page.url)
        if before is None or splitext(before.path)[1] != splitext(planned.parts[-1])[1]:
            if before is not None:
                self._state.files[f"{_FORMER}{before.path}"] = before
            self._state.files[page.url] = MirrorFile(self._names.claim(planned))
        self._paths[page.id] = self._state.files[page.url].path
        return self._paths[page.id]

    def _read_media_type(self, page: Page) -> str:
        if not needs_media_type(page.url, page.kind):
            return ""
        exchange = self._read(page)
        return dict(exchange.headers).get("content-type", "") if exchange is not None else ""

    def _locate(self, url: str, is_needed: bool) -> str | None:
        key = url, is_needed
        if key not in self._ways:
            self._ways[key] = self._find_path(url, is_needed)
        return self._ways[key]

    def _find_path(self, url: str, is_needed: bool) -> str | None:
        """Return the path of a URL, redirects followed; what a page needs is added to the mirror if the web has it."""
        page_id = self._follow_redirects(urls.page_id(url))
        path = self._paths.get(page_id)
        if path is None and is_needed and page_id in self._source.pages:
            self._waiting.append(page_id)
            return self._claim(self._source.pages[page_id])
        if path is not None:
            return path
        if url in self._kept:
            return self._state.files[url].path
        return "/".join(plan_name(url, "binary").parts) if is_needed else None

    def _follow_redirects(self, page_id: int) -> int:
        for _ in range(_REDIRECTS_FOLLOWED):
            if page_id in self._source.pages or page_id not in self._source.redirects:
                break
            page_id = self._source.redirects[page_id]
        return page_id

    # Files

    def _read(self, page: Page) -> Exchange | None:
        return self._source.archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)

    def _find_bytes(self, page: Page) -> RecentPage | None:
        """Return the bytes of a page: as they were just fetched, or from the archive; None if it does not have them."""
        recent = self._source.recent.take(page) if self._source.recent is not None else None
        if recent is not None:
            return recent
        exchange = self._read(page)
        if exchange is None:
            return None
        return RecentPage(page.digest, exchange.body, dict(exchange.headers).get("content-type"))

    def _write_page(self, page: Page) -> None:
        found = self._find_bytes(page)
        if found is None:
            self.counts.missing += 1
            return
        path, content = self._paths[page.id], found.body
        if page.kind == "html":
            content = self._rewriter.rewrite_page(content, page.url, path, found.content_type, found.places)
        elif page.kind == "style":
            content = self._rewriter.rewrite_style(content, page.url, path)
        self._write_file(page.url, path, content)
        if self.counts.files % SAVE_EVERY == 0:
            self._save()

    def _write_file(self, meaning: str, path: str, content: bytes) -> None:
        digest = digest_content(content)
        before = self._state.files.get(meaning)
        self.counts.files += 1
        if before == MirrorFile(path, digest) and self._folder.has_file(path, len(content)):
            self.counts.unchanged += 1
            self._watch("unchanged", path)
            return
        self._folder.write(path, content)
        self._state.files[meaning] = MirrorFile(path, digest)
        self.counts.written += 1
        self._watch("written", path)

    def _write_start_pages(self) -> None:
        """Write the pages that lead to the start page: that of the folder and, if its host has none, that of the host."""
        start = self._paths.get(self._follow_redirects(urls.page_id(self._state.start)))
        if start is None:
            start = next(iter(self._paths.values()), None)
        if start is None:
            return
        host = start.partition("/")[0]
        used = set(self._paths.values()) | {self._state.files[url].path for url in self._kept}
        for folder in ("", host):
            path = f"{folder}/{_START}".lstrip("/")
            meaning = _LEADS + path
            if path in used:
                self._state.files.pop(meaning, None)
            elif meaning in self._state.files or not self._folder.exists(path):
                page = make_start_page(make_relative(folder, start), self._state.start)
                self._write_file(meaning, path, page)

    def _remove(self, gone: Iterable[str]) -> None:
        former = [meaning for meaning in self._state.files if meaning.startswith(_FORMER)]
        used = set(self._paths.values())
        for meaning in [*gone, *former]:
            file = self._state.files.pop(meaning)
            if file.path not in used and self._folder.remove(file.path):
                self.counts.removed += 1
                self._watch("removed", file.path)

    def _save(self) -> None:
        save_state(self._folder.root, self._state)


def _is_url(meaning: str) -> bool:
    return not meaning.startswith((_LEADS, _FORMER))
