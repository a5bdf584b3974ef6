"""`--out -`: the pages of a crawl go to standard output, and everything else to standard error."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gossamer.crawl.pipe.encode_pages import PageLines, PipeFormat, WarcRecords, name_stream
from gossamer.crawl.pipe.follow_visits import READER_GONE, SLOW_READER, PageEncoder, VisitFollower
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.background import RunningCrawl
from gossamer.documents.read_document import DocumentReaders
from gossamer.errors import BadInput
from gossamer.store.export.redact_records import keeps_cookies
from gossamer.store.opening.open_archive import DATABASE, open_reader
from gossamer.web import Web, open_to_read

STANDARD_OUTPUT = "-"


def parse_format(form: str) -> PipeFormat:
    """Return a format by its name."""
    if form not in ("jsonl", "warc"):
        raise BadInput(f"--out-format is jsonl or warc, not {form!r}")
    return "warc" if form == "warc" else "jsonl"


def check_pipe(out: str, form: str, folder: Path, on: str, processes: int) -> None:
    """Raise BadInput if the pages of this crawl cannot be piped."""
    if out != STANDARD_OUTPUT:
        raise BadInput(f"--out takes - for standard output; for a file, write `--out - > {out}`")
    parse_format(form)
    if processes != 1 or on != "processes" or (folder / DATABASE).exists():
        raise BadInput(
            "--out needs a crawl of one process into a directory: leave --processes out, or use `gossamer export` later"
        )


class PagePipe:
    """The pages of a crawl on their way to another program."""

    def __init__(self) -> None:
        self._follower: VisitFollower | None = None
        self._under_way: RunningCrawl | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the program that reads the pages has gone."""
        return self._follower is not None and self._follower.is_gone

    @contextmanager
    def open(self, web: Web, form: PipeFormat) -> Iterator[None]:
        """Write pages to standard output until the block ends, and what others print there to standard error."""
        out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        with out, open_to_read(web.folder) as reading, DocumentReaders() as documents:
            reader = open_reader(web.folder / "archive")
            encoder: PageEncoder = PageLines(reader, documents)
            if form == "warc":
                encoder = WarcRecords(reader, name_stream(web.folder), keeps_cookies(web.store), time.time())
            self._follower = VisitFollower(reading.store, web.store, encoder, out, self._stop)
            try:
                yield
            finally:
                self._follower.finish()
                _drop_unwritten(out, self.is_gone)

    def attach(self, under_way: RunningCrawl) -> None:
        """Begin, now that the tasks are in the web."""
        self._under_way = under_way
        if self._follower is not None:
            self._follower.start([task.number for task in under_way.tasks])

    def write_rest(self) -> None:
        """Write what earlier crawls left unwritten, without a crawl."""
        if self._follower is not None:
            self._follower.start_unfinished()

    def count_event(self, event: Any) -> None:
        """Let the crawl wait if the reader is too slow."""
        if self._follower is None or not self._follower.count_visit(event):
            return
        if self._under_way is not None and isinstance(self._under_way.crawl, Crawl):
            self._under_way.crawl.hold_back(SLOW_READER)

    def _stop(self) -> None:
        under_way = self._under_way
        if under_way is not None:
            under_way.call_soon(lambda: under_way.stop(READER_GONE))


def _drop_unwritten(out: Any, is_gone: bool) -> None:
    """Close a pipe without a reader: what waits in the buffer cannot be written."""
    if is_gone:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)
