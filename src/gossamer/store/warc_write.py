"""The records that one visit leaves in a WARC 1.1 file, as bytes that are still to be packed."""

import base64
import hashlib
import time
import uuid
from collections.abc import Mapping

from gossamer import __version__
from gossamer.records import Exchange, Page
from gossamer.store import http_block

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_NOT_MODIFIED = 304
# Why a body is not whole, in the words of WARC 1.1, section 5.13.
_TRUNCATED = {"length": "length", "time": "time", "connection": "disconnect"}


def date_of(unix_s: float) -> str:
    """Return a time as WARC-Date spells it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_s))


def record(kind: str, date: str, content_type: str, block: bytes, fields: Mapping[str, str]) -> bytes:
    """Return a whole record: version, header, block, two empty lines. Fields without a value are left out."""
    digest = base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode("ascii")
    told = {"WARC-Type": kind, **fields, "WARC-Date": date}
    told |= {
        "WARC-Block-Digest": f"sha1:{digest}",
        "Content-Type": content_type,
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in told.items() if value)
    return b"".join((b"WARC/1.1\r\n", head.encode("utf-8", "replace"), b"\r\n", block, b"\r\n\r\n"))


def new_id() -> str:
    """Return an id for a record."""
    return f"<urn:uuid:{uuid.uuid4()}>"


def warcinfo(filename: str, date: str, about: Mapping[str, str]) -> bytes:
    """Return the record that begins a file: who wrote it, by which rules."""
    told = {
        "software": f"Gossamer/{__version__}",
        "format": "WARC File Format 1.1",
        "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        **about,
    }
    return record(
        "warcinfo", date, "application/warc-fields", fields_block(told), {"WARC-Filename": filename}
    )


def fields_block(told: Mapping[str, str]) -> bytes:
    """Return names and values, a line each."""
    lines = (f"{name}: {_one_line(value)}\r\n" for name, value in told.items() if value)
    return "".join(lines).encode("utf-8", "replace")


def response(exchange: Exchange, digest: str, record_id: str) -> bytes:
    """Return what came, head and payload."""
    head = http_block.framed(exchange.response_head, len(exchange.payload), exchange.status)
    fields = {**_about(exchange, record_id), "WARC-Payload-Digest": digest}
    fields["WARC-Truncated"] = _TRUNCATED.get(exchange.cut, "")
    block = head + exchange.payload
    return record("response", date_of(exchange.began_s), "application/http;msgtype=response", block, fields)


def revisit(exchange: Exchange, digest: str, record_id: str, same: Page) -> bytes:
    """Return that the payload is the one that was kept before, as `same`; only the head is new."""
    not_modified = exchange.status == _NOT_MODIFIED
    profile = "server-not-modified" if not_modified else "identical-payload-digest"
    fields = {
        **_about(exchange, record_id),
        "WARC-Profile": _PROFILE + profile,
        "WARC-Payload-Digest": same.digest if not_modified else digest,
        "WARC-Refers-To-Target-URI": same.url,
        "WARC-Refers-To-Date": date_of(same.fetched_s),
        # Not of the standard, but as Heritrix writes them: where to look without an index.
        "WARC-Refers-To-Filename": same.warc,
        "WARC-Refers-To-File-Offset": str(same.warc_offset) if same.warc else "",
    }
    head = http_block.framed(exchange.response_head, len(exchange.payload), exchange.status)
    return record("revisit", date_of(exchange.began_s), "application/http;msgtype=response", head, fields)


def request(exchange: Exchange, concurrent_to: str) -> bytes:
    """Return what was sent."""
    fields = {**_about(exchange, new_id()), "WARC-Concurrent-To": concurrent_to}
    kind = "application/http;msgtype=request"
    return record("request", date_of(exchange.began_s), kind, exchange.request_head, fields)


def metadata(exchange: Exchange, concurrent_to: str, facts: Mapping[str, str]) -> bytes:
    """Return what else is known of the visit: how long it took, where the link was found."""
    fields = {
        "WARC-Record-ID": new_id(),
        "WARC-Target-URI": exchange.url,
        "WARC-Concurrent-To": concurrent_to,
    }
    told = {"fetchTimeMs": str(round(exchange.took_s * 1000)), **facts}
    return record(
        "metadata", date_of(exchange.began_s), "application/warc-fields", fields_block(told), fields
    )


def _about(exchange: Exchange, record_id: str) -> dict[str, str]:
    return {
        "WARC-Record-ID": record_id,
        "WARC-Target-URI": exchange.url,
        "WARC-IP-Address": exchange.address,
    }


def _one_line(value: str) -> str:
    return value if value.isprintable() else " ".join(value.replace("\0", " ").split())
