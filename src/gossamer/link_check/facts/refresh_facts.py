"""Brings the facts of a web up to date from its state and archive, also while another process crawls it.

A process beside the crawl reads the pages as they are committed, so that a check on two processors takes hardly longer than its
crawl. A byte on its standard input means that the crawl has ended; the end of the input without one, that the check is gone.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
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


def refresh_facts(pages: Iterable[Page], web: Path, facts: FactsFile) -> None:
    """Read the facts of those of some pages that are new or have changed."""
    reader = open_reader(web / "archive")
    waiting = iter(pages)
    while some := list(islice(waiting, _AT_ONCE)):
        readable = [page for page in some if page.status == _OK and page.kind in _READ_KINDS]
        known = facts.digests([page.id for page in readable])
        changed = [page for page in readable if known.get(page.id) != page.digest]
        if changed:
            facts.write(_read_all(changed, reader))


class NewPages:
    """Finds the pages that a crawl has visited since the last look, without reading all of them again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._after = store.last_visit()

    def take(self) -> Iterator[Page]:
        """Yield the pages of the newest visits."""
        upto, after = self._store.last_visit(), self._after
        self._after = upto
        for note in self._store.tasks() if upto > after else ():
            at = after
            while at < upto:
                pages, at = self._store.visited_pages(note.number, at, upto, _VISITS_AT_ONCE)
                yield from self._store.pages_by_id(pages).values()


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
        new_pages = NewPages(store)
        refresh_facts(store.pages(), folder, facts)
        while not ended.wait(_PAUSE_S):
            refresh_facts(new_pages.take(), folder, facts)
        refresh_facts(new_pages.take(), folder, facts)


def _await_end(ended: threading.Event) -> None:
    if not sys.stdin.buffer.read(1):
        os._exit(3)
    ended.set()
