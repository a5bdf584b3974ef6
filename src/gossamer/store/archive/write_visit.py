"""Make the WARC 1.1 records of one visit, as bytes that are not packed yet.

Response, request and metadata of one visit share most of their header, which is made once. Records have a payload digest
and no block digest: see docs/decisions/0006.
"""

import math
import os
import time
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gossamer import __version__
from gossamer.records import Exchange
from gossamer.store.archive import http_message

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_NOT_MODIFIED = 304
_END = b"\r\n\r\n"
# Why a body is truncated, in the words of WARC 1.1, section 5.13.
_TRUNCATED = {
    "": "",
    "length": "WARC-Truncated: length\r\n",
    "time": "WARC-Truncated: time\r\n",
    "connection": "WARC-Truncated: disconnect\r\n",
}


class OriginalResponse(msgspec.Struct, frozen=True, gc=False):
    """The response to which a revisit refers, as described in the revisit's header."""

    url: str
    date: str
    digest: str
    """Of the payload."""
    warc: str
    offset: int


class VisitRecords(msgspec.Struct, frozen=True, gc=False):
    """The records of one visit; the response may be a revisit, or the resource of a file or of FTP."""

    response: bytes
    request: bytes
    """Empty where no request went out by HTTP."""
    metadata: bytes


def format_date(unix_s: float) -> str:
    """Return a time in the format of WARC-Date."""
    return _format_second(math.floor(unix_s))


@lru_cache(maxsize=64)  # many visits share a second
def _format_second(unix_s: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_s))


def make_records(
    exchange: Exchange, date: str, digest: str, original: OriginalResponse | None, facts: Mapping[str, str]
) -> VisitRecords:
    """Return the records of one visit; with `original`, a revisit that refers to it instead of a response."""
    url, address = _join_lines(exchange.url), _join_lines(exchange.address)
    response_id, request_id, metadata_id = _make_ids(3)
    about = f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
    came_from = f"{about}WARC-IP-Address: {address}\r\n" if address else about
    beside = f"WARC-Concurrent-To: {response_id}\r\n"
    head = http_message.correct_framing(exchange.response_head, len(exchange.payload), exchange.status)
    if exchange.rendered_by:
        response = _make_conversion(exchange, f"WARC-Record-ID: {response_id}\r\n{about}", date, digest)
    elif not exchange.response_head:
        fields = f"WARC-Record-ID: {response_id}\r\n{came_from}"
        response = _make_resource(exchange, fields, digest)
    elif original is None:
        response = _make_response(exchange, head, f"WARC-Record-ID: {response_id}\r\n{came_from}", digest)
    else:
        response = _make_revisit(exchange, head, f"WARC-Record-ID: {response_id}\r\n{came_from}", original)
    metadata = format_fields(
        {"fetchTimeMs": str(round(exchange.took_s * 1000)), "renderedBy": exchange.rendered_by, **facts}
    )
    fields = f"WARC-Record-ID: {request_id}\r\n{came_from}{beside}"
    request = (
        _make_record("request", fields, "application/http;msgtype=request", exchange.request_head)
        if exchange.response_head
        else b""
    )
    fields = f"WARC-Record-ID: {metadata_id}\r\n{about}{beside}"
    return VisitRecords(
        response, request, _make_record("metadata", fields, "application/warc-fields", metadata)
    )


def make_warcinfo(filename: str, date: str, about: Mapping[str, str]) -> bytes:
    """Return the first record of a file: the program that wrote it, the format, and facts about the web."""
    values = {
        "software": f"Gossamer/{__version__}",
        "format": "WARC File Format 1.1",
        "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        **about,
    }
    fields = f"WARC-Record-ID: {_make_ids(1)[0]}\r\nWARC-Date: {date}\r\nWARC-Filename: {filename}\r\n"
    return _make_record("warcinfo", fields, "application/warc-fields", format_fields(values))


def format_fields(values: Mapping[str, str]) -> bytes:
    """Return names and values, one on each line; empty values are left out."""
    lines = [f"{name}: {_join_lines(value)}\r\n" for name, value in values.items() if value]
    return "".join(lines).encode("utf-8", "replace")


def _make_response(exchange: Exchange, head: bytes, fields: str, digest: str) -> bytes:
    fields = f"{fields}{_TRUNCATED[exchange.cut]}WARC-Payload-Digest: {digest}\r\n"
    return _make_record("response", fields, "application/http;msgtype=response", head, exchange.payload)


def _make_resource(exchange: Exchange, fields: str, digest: str) -> bytes:
    """Return a resource: what was read without HTTP, as in WARC 1.1, section 6.4."""
    kind = _join_lines(dict(exchange.headers).get("content-type", "")) or "application/octet-stream"
    return _make_record(
        "resource",
        f"{fields}{_TRUNCATED[exchange.cut]}WARC-Payload-Digest: {digest}\r\n",
        kind,
        exchange.payload,
    )


def _make_conversion(exchange: Exchange, fields: str, date: str, digest: str) -> bytes:
    """Return a conversion: the document that a browser made of a response, as in WARC 1.1, section 6.8."""
    fields += f"WARC-Refers-To-Target-URI: {_join_lines(exchange.url)}\r\nWARC-Refers-To-Date: {date}\r\n"
    fields += f"{_TRUNCATED[exchange.cut]}WARC-Payload-Digest: {digest}\r\n"
    return _make_record("conversion", fields, "text/html; charset=utf-8", exchange.payload)


def _make_revisit(exchange: Exchange, head: bytes, fields: str, original: OriginalResponse) -> bytes:
    """Return a revisit: only the head is new, the payload is that of the original."""
    how = "server-not-modified" if exchange.status == _NOT_MODIFIED else "identical-payload-digest"
    fields += (
        f"WARC-Profile: {_PROFILE}{how}\r\nWARC-Payload-Digest: {original.digest}\r\n"
        f"WARC-Refers-To-Target-URI: {_join_lines(original.url)}\r\nWARC-Refers-To-Date: {original.date}\r\n"
        # Not in the standard, but written by Heritrix too: the position, for readers without an index.
        f"WARC-Refers-To-Filename: {original.warc}\r\nWARC-Refers-To-File-Offset: {original.offset}\r\n"
    )
    return _make_record("revisit", fields, "application/http;msgtype=response", head)


def _make_record(kind: str, fields: str, content_type: str, *block: bytes) -> bytes:
    """Return a complete record: version, header, block, two empty lines."""
    header = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Type: {content_type}\r\n"
        f"Content-Length: {sum(map(len, block))}\r\n\r\n"
    )
    return b"".join((header.encode("utf-8", "replace"), *block, _END))


def _make_ids(number: int) -> list[str]:
    """Return record ids: random UUIDs (RFC 9562, version 4), in a quarter of the time of `uuid4`."""
    digits = os.urandom(16 * number).hex()
    each = [digits[at : at + 32] for at in range(0, 32 * number, 32)]
    return [f"<urn:uuid:{one[:8]}-{one[8:12]}-4{one[13:16]}-a{one[17:20]}-{one[20:]}>" for one in each]


def _join_lines(value: str) -> str:
    return value if value.isprintable() else " ".join(value.replace("\0", " ").split())
