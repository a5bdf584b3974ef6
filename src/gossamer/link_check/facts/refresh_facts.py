"""Brings the facts of a web up to date from its state and archive, also while another process crawls it.

A process beside the crawl reads the pages as they are committed, so that a check on two processors takes hardly longer than its
crawl. A byte on its standard input means that the crawl has ended; the end of the input without one, that the check is gone.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import TracebackType

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.errors import GossamerError
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.page_facts import (
    ReadFacts,
    read_css_facts,
    read_html_facts,
    read_sitemap_facts,
)
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.opening.open_store import open_store

_OK = 200
_AT_ONCE = 200
_PAUSE_S = 0.2
_VISITS_AT_ONCE = 2_000
_PROGRAM = "import sys; from gossamer.link_check.facts.refresh_facts import run_beside_crawl; run_beside_crawl(sys.argv[1])"
_ENDED = b"."
_READ_KINDS = ("html", "sitemap", "feed", "style")


def refresh_facts(store: Store, web: Path, facts: FactsFile) -> int:
    """Read the facts of all pages that are new or have changed; return how many they are."""
    return _refresh(store.pages(), web, facts, facts.digests())


def _refresh(pages: Iterable[Page], web: Path, facts: FactsFile, known: Mapping[int, str]) -> int:
    reader = open_reader(web / "archive")
    changed = [
        page
        for page in pages
        if page.status == _OK and page.kind in _READ_KINDS and known.get(page.id) != page.digest
    ]
    reading = _read_all(changed, reader)
    while some := list(islice(reading, _AT_ONCE)):
        facts.write(some)
    return len(changed)


class _NewPages:
    """Finds the pages that a crawl has visited since the last look, without reading all of them again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._after = store.last_visit()

    def take(self) -> list[Page]:
        """Return the pages of the newest visits."""
        upto = self._store.last_visit()
        found: dict[int, None] = {}
        for note in self._store.tasks() if upto > self._after else ():
            after = self._after
            while after < upto:
                pages, after = self._store.visited_pages(note.number, after, upto, _VISITS_AT_ONCE)
                found.update(dict.fromkeys(pages))
        self._after = upto
        return [page for number in found if (page := self._store.page(number)) is not None]


def _read_all(pages: Iterable[Page], reader: ArchiveReader) -> Iterator[tuple[int, str, ReadFacts]]:
    for page in pages:
        if (found := read_page_facts(page, reader)) is not None:
            yield page.id, page.digest, found


def read_page_facts(page: Page, reader: ArchiveReader) -> ReadFacts | None:
    """Return the facts of a page from the archive; None if its bytes are not there or refer to nothing."""
    found = read_body(page, reader)
    if found is None:
        return None
    body, content_type = found
    match page.kind:
        case "html":
            return read_html_facts(body, page.url, content_type)
        case "style":
            return read_css_facts(body, page.url)
        case _:
            return read_sitemap_facts(body, page.url, content_type)


def read_body(page: Page, reader: ArchiveReader) -> tuple[bytes, str | None] | None:
    """Return the body of a page and its content type; None if the archive does not have it."""
    exchange = reader.read(WarcPosition(page.warc, page.warc_offset), decode_content) if page.warc else None
    return None if exchange is None else (exchange.body, dict(exchange.headers).get("content-type"))


class FactsReader:
    """The process beside the crawl, as the check sees it: the end of the `with` block waits for the last pages."""

    def __init__(self, web: Path) -> None:
        self._command = [sys.executable, "-P", "-c", _PROGRAM, str(web)]

    def __enter__(self) -> "FactsReader":
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command,
            stdin=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C is for the crawl, which tells this process when it has ended
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(_ENDED if kind is None else b"")


def run_beside_crawl(web: str) -> None:
    """Refresh the facts of a web until its crawl has ended, then once more. Errors are left to the check itself."""
    folder, ended = Path(web), threading.Event()
    threading.Thread(target=_await_end, args=(ended,), daemon=True).start()
    with suppress(GossamerError), FactsFile(folder) as facts:
        store = open_store(folder, create=False, read_only=True)
        refresh_facts(store, folder, facts)
        new_pages = _NewPages(store)
        while not ended.wait(_PAUSE_S):
            _refresh(new_pages.take(), folder, facts, {})
        _refresh(new_pages.take(), folder, facts, {})


def _await_end(ended: threading.Event) -> None:
    if not sys.stdin.buffer.read(1):
        os._exit(3)
    ended.set()
