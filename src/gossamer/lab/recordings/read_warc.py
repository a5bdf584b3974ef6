"""Read WARC files: list their records with positions, and return one response as an answer."""

import io
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from gossamer.lab.server.answer import LabAnswer, answer_with_text

with warnings.catch_warnings():
    # fastwarc 1.1 warns about its own legacy classes on every import.
    warnings.filterwarnings("ignore", "Use the new Reader and Writer classes", DeprecationWarning)
    from fastwarc.stream_io import ChunkedReader
    from fastwarc.warc import ArchiveIterator, WarcRecordType

# Headers of the recorded connection, not of the page (RFC 9110, section 7.6.1).
_CONNECTION_HEADERS = {"connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer"}
_CONNECTION_HEADERS |= {"transfer-encoding", "upgrade", "proxy-authenticate"}
_REPLAYED = (WarcRecordType.response, WarcRecordType.resource, WarcRecordType.revisit)
_GZIP_MAGIC = b"\x1f\x8b"


class RecordSummary(msgspec.Struct, frozen=True, gc=False):
    """Position, URL and date of a record of a WARC file."""

    offset: int
    url: str
    """"" if the record cannot be served."""
    at_s: float
    """Time of recording, in seconds since 1970; 0 if unknown."""
    revisit: bool = False
    """The record only says that the page equals the one recorded from `same_url` at `same_at_s`."""
    same_url: str = ""
    same_at_s: float = 0.0


def read_records(path: Path) -> Iterator[RecordSummary]:
    """Yield all records in file order; raise OSError where the file is damaged."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            yield _summarise_record(record)


def _summarise_record(record: Any) -> RecordSummary:
    header = record.headers.get
    kind = record.record_type
    url = _strip_brackets(header("WARC-Target-URI")) if kind in _REPLAYED else ""
    at_s = record.record_date.timestamp() if record.record_date else 0.0
    if kind != WarcRecordType.revisit:
        return RecordSummary(record.stream_pos, url, at_s)
    same_url = _strip_brackets(header("WARC-Refers-To-Target-URI")) or url
    return RecordSummary(
        offset=record.stream_pos,
        url=url,
        at_s=at_s,
        revisit=True,
        same_url=same_url,
        same_at_s=_parse_date(header("WARC-Refers-To-Date"), at_s),
    )


def _strip_brackets(url: str | None) -> str:
    """Strip the angle brackets that some writers put around URLs."""
    return (url or "").strip().removeprefix("<").removesuffix(">")


def _parse_date(date: str | None, otherwise_s: float) -> float:
    try:
        return datetime.fromisoformat(date or "").timestamp()
    except ValueError:
        return otherwise_s


def read_answer(path: Path, offset: int, fresh_until_s: float) -> LabAnswer:
    """Return the response at this offset as recorded, framed for a new connection."""
    with path.open("rb") as file:
        file.seek(offset)
        record = next(iter(ArchiveIterator(file, parse_http=False)))
        if not record.is_http:
            content_type = record.headers.get("Content-Type") or "application/octet-stream"
            return LabAnswer(
                200, (("Content-Type", content_type),), record.reader.read(), None, fresh_until_s
            )
        record.parse_http(quirks_mode=True)
        body = record.reader.read()
    http = record.http_headers
    if http is None or http.status_code is None or not 200 <= http.status_code <= 999:
        return answer_with_text(502, "The recorded data is not an HTTP response.")
    named = [(name, value, name.lower(), value.lower()) for name, value in http.items()]
    if any(lower == "transfer-encoding" and "chunked" in coding for _, _, lower, coding in named):
        body = _decode_chunks(body)
    drop = set(_CONNECTION_HEADERS)
    if not body.startswith(_GZIP_MAGIC) and any(pair[2:] in _GZIP_CODINGS for pair in named):
        drop.add("content-encoding")
    headers = tuple((name, value) for name, value, lower, _ in named if lower not in drop)
    return LabAnswer(http.status_code, headers, body, None, fresh_until_s)


_GZIP_CODINGS = {("content-encoding", "gzip"), ("content-encoding", "x-gzip")}


def _decode_chunks(body: bytes) -> bytes:
    """Decode a chunked body; return it unchanged if the recorder has already decoded it."""
    try:
        return bytes(ChunkedReader(io.BytesIO(body)).read())
    except OSError:
        return body
