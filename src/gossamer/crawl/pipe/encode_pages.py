"""A page as a line of JSON, or as a WARC record, for a program that reads a pipe."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.documents.read_document import DocumentReaders
from gossamer.net.secret_headers import redact_response
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.warc_records import pack_record
from gossamer.store.archive.write_visit import format_date, make_records, make_warcinfo

PipeFormat = Literal["jsonl", "warc"]
PageEncoder = Callable[[Page], bytes]
_JSON = msgspec.json.Encoder()


class PageLines:
    """Encodes pages as JSON lines with their text and links."""

    begin = b""

    def __init__(self, reader: ArchiveReader, documents: DocumentReaders) -> None:
        self._reader = reader
        self._documents = documents

    def encode(self, page: Page) -> bytes:
        """Return a page as one line."""
        document = read_document(page, self._reader, self._documents)
        facts: dict[str, Any] = {
            "url": page.url,
            "status": page.status,
            "fetched": datetime.fromtimestamp(page.fetched_s, UTC).isoformat(timespec="seconds"),
            "depth": page.depth,
            "kind": page.kind,
            "title": page.title,
            "language": page.language,
            "description": page.description,
            "bytes": page.body_bytes,
            "digest": page.digest,
            "marks": page.marks,
            "text": document.text if document is not None else "",
            "links": [
                {"url": link.url, "text": link.text}
                for link in (document.links if document is not None else ())
            ],
            "warc": page.warc,
            "offset": page.warc_offset,
        }
        return _JSON.encode(facts) + b"\n"


class WarcRecords:
    """Encodes pages as packed WARC records: each a response, also where the archive refers to an earlier one."""

    def __init__(self, reader: ArchiveReader, name: str, cookies: bool, now_s: float) -> None:
        self._reader = reader
        self._cookies = cookies
        self.begin = pack_record(make_warcinfo(name, format_date(now_s), {}))
        """The record at the beginning of the stream."""

    def encode(self, page: Page) -> bytes:
        """Return the response of a page; nothing if the archive does not have it."""
        place = WarcPosition(page.warc, page.warc_offset)
        exchange = self._reader.read(place) if page.warc else None
        if exchange is None:
            return b""
        if self._cookies:
            head = redact_response(exchange.response_head)
            exchange = msgspec.structs.replace(exchange, response_head=head)
        records = make_records(exchange, format_date(page.fetched_s), page.digest, None, {})
        return pack_record(records.response)


def name_stream(folder: Path) -> str:
    """Return the name that a stream of records gives itself."""
    return f"{folder.name or 'web'}.warc.gz"
