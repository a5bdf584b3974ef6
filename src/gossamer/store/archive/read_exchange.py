"""Turn a WARC record back into the exchange it was written from."""

import time
from calendar import timegm
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Literal

from gossamer.records import Exchange
from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import WarcRecord

Decode = Callable[[bytes, str], bytes]
"""Undoes a Content-Encoding: takes the payload and the header's value, returns the body."""

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
    """Return the exchange of a response, revisit or resource record; None if the record is not valid.

    `sent` is the block of its request record, and `original` the record to which a revisit refers, if known.
    Without `decode`, the body is the payload.
    """
    if record.type in ("resource", "conversion"):
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
        rendered_by="a browser" if record.type == "conversion" else "",
    )


def target_url(record: WarcRecord) -> str:
    """Return the target URL of a record, without the angle brackets that wget adds."""
    return record.headers.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">")


def parse_warc_date(date: str) -> float:
    """Return a WARC-Date as Unix time without fractions; 0 if it is invalid."""
    if date[4:19:3] == "--T::":  # as every program writes it: a tenth of the time
        with suppress(ValueError):
            return datetime.fromisoformat(f"{date[:19]}+00:00").timestamp()
    try:
        return float(timegm(time.strptime(date[:19], "%Y-%m-%dT%H:%M:%S")))
    except ValueError:
        return 0.0


def _find_truncation(record: WarcRecord) -> Literal["", "length", "time", "connection"]:
    if not record.whole:
        return "length"
    reason = record.headers.get("warc-truncated", "").strip().lower()
    return _CUT.get(reason, "connection") if reason else ""
