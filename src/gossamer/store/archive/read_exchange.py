"""From a WARC record back to the exchange that it was made of."""

import time
from calendar import timegm
from collections.abc import Callable
from typing import Literal

from gossamer.records import Exchange
from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import WarcRecord

Decode = Callable[[bytes, str], bytes]
"""Undoes a Content-Encoding: gets the payload and the header's value, returns the body."""

_CUT: dict[str, Literal["length", "time", "connection"]] = {
    "length": "length",
    "time": "time",
    "disconnect": "connection",
    "unspecified": "connection",
}
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"


def read_exchange(
    record: WarcRecord, sent: bytes = b"", original: WarcRecord | None = None, decode: Decode | None = None
) -> Exchange | None:
    """Return the exchange that a response, revisit or resource record tells of; None if it tells of none.

    `sent` is the block of its request record, `original` the record that a revisit refers to, if they are known.
    The body is the payload if nobody says how to decode it.
    """
    if record.type == "resource":
        head, body = _OK % record.headers.get("content-type", "").encode("utf-8", "replace"), record.block
    else:
        head, body = http_message.split_message(record.block)
    status = http_message.parse_status(head)
    url = target_url(record)
    if not status or not url:
        return None
    headers = http_message.parse_headers(head)
    payload = http_message.decode_transfer(headers, body)
    if original is not None and not payload:
        before, kept = http_message.split_message(original.block)
        payload = http_message.decode_transfer(http_message.parse_headers(before), kept)
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
        began_s=parse_warc_date(record.headers.get("warc-date", "")),
        first_byte_s=0.0,
        took_s=0.0,
        cut=_find_truncation(record),
    )


def target_url(record: WarcRecord) -> str:
    """Return what a record is about, without the angle brackets that wget puts around it."""
    return record.headers.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">")


def parse_warc_date(date: str) -> float:
    """Return a WARC-Date as Unix time; 0 if it is none. Fractions are dropped: dates are compared as written."""
    try:
        return float(timegm(time.strptime(date[:19], "%Y-%m-%dT%H:%M:%S")))
    except ValueError:
        return 0.0


def _find_truncation(record: WarcRecord) -> Literal["", "length", "time", "connection"]:
    if not record.whole:
        return "length"
    said = record.headers.get("warc-truncated", "").strip().lower()
    return _CUT.get(said, "connection") if said else ""
