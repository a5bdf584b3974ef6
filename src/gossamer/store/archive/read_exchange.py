"""From a WARC record back to the exchange that it was made of."""

import time
from calendar import timegm
from collections.abc import Callable
from typing import Literal

from gossamer.records import Exchange
from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import Record

Decode = Callable[[bytes, str], bytes]
"""Undoes a Content-Encoding: gets the payload and the header's value, returns the body."""

_CUT: dict[str, Literal["length", "time", "connection"]] = {
    "length": "length",
    "time": "time",
    "disconnect": "connection",
    "unspecified": "connection",
}
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"


def exchange_of(
    record: Record, sent: bytes = b"", original: Record | None = None, decode: Decode | None = None
) -> Exchange | None:
    """Return the exchange that a response, revisit or resource record tells of; None if it tells of none.

    `sent` is the block of its request record, `original` the record that a revisit refers to, if they are known.
    The body is the payload if nobody says how to decode it.
    """
    if record.type == "resource":
        head, body = _OK % record.headers.get("content-type", "").encode("utf-8", "replace"), record.block
    else:
        head, body = http_message.split(record.block)
    status = http_message.status(head)
    url = url_of(record)
    if not status or not url:
        return None
    headers = http_message.headers(head)
    payload = http_message.payload(headers, body)
    if original is not None and not payload:
        before, kept = http_message.split(original.block)
        payload = http_message.payload(http_message.headers(before), kept)
    coding = ", ".join(value for name, value in headers if name == "content-encoding")
    return Exchange(
        url=url,
        status=status,
        request_head=sent,
        response_head=head,
        payload=payload,
        body=decode(payload, coding) if decode and coding else payload,
        headers=headers,
        address=record.headers.get("warc-ip-address", ""),
        began_s=seconds_of(record.headers.get("warc-date", "")),
        first_byte_s=0.0,
        took_s=0.0,
        cut=_cut(record),
    )


def url_of(record: Record) -> str:
    """Return what a record is about, without the angle brackets that wget puts around it."""
    return record.headers.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">")


def seconds_of(date: str) -> float:
    """Return a WARC-Date as Unix time; 0 if it is none. Fractions are dropped: dates are compared as written."""
    try:
        return float(timegm(time.strptime(date[:19], "%Y-%m-%dT%H:%M:%S")))
    except ValueError:
        return 0.0


def _cut(record: Record) -> Literal["", "length", "time", "connection"]:
    if not record.whole:
        return "length"
    said = record.headers.get("warc-truncated", "").strip().lower()
    return _CUT.get(said, "connection") if said else ""
