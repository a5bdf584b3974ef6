"""Parses the head of a response, and turns an exchange into an outcome by its status."""

import math
from functools import lru_cache

import msgspec

from gossamer.net.dates import parse_date
from gossamer.net.secret_headers import HIDDEN, redact_response
from gossamer.records import Exchange, Failed, Fetched, NotModified, Outcome, Redirected

_REDIRECTS = {301, 302, 303, 307, 308}
# Longer waits are mistakes, and sums with them must stay finite.
_LONGEST_WAIT_S = 31 * 86_400.0


class ResponseHead(msgspec.Struct, frozen=True, gc=False):
    """The head of a response."""

    status: int
    raw: bytes
    """Status line and headers as received, with the empty line."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case; values as Latin-1, which loses no byte."""

    def get(self, name: str) -> str:
        """Return all values of a header, joined by commas as HTTP allows; "" if there are none."""
        return ", ".join([value for known, value in self.headers if known == name])


def read_head(received: list[bytes]) -> ResponseHead | None:
    """Parse the received header lines; None if no head is complete.

    The heads of interim responses (100, 103) and of a proxy's tunnel, which come first, are skipped, and so are the
    trailers of a chunked body, which come last.
    """
    start = 0
    for place, line in enumerate(received):
        if line in (b"\r\n", b"\n"):
            status = _parse_status(received[start])
            if status >= 200:
                return ResponseHead(
                    status, b"".join(received[start : place + 1]), _parse_headers(received[start + 1 : place])
                )
            start = place + 1
    return None


def hide_cookies(head: ResponseHead) -> ResponseHead:
    """Return a head without the values of cookies: a task that sends them back is known to the server by them."""
    raw = redact_response(head.raw)
    if raw == head.raw:
        return head
    hidden = HIDDEN.decode("ascii")
    headers = tuple(
        (name, hidden if name in ("set-cookie", "set-cookie2") else value) for name, value in head.headers
    )
    return ResponseHead(head.status, raw, headers)


def _parse_status(line: bytes) -> int:
    words = line.split(None, 2)
    code = words[1] if len(words) > 1 else b""
    return int(code) if len(code) == 3 and code.isdigit() else 0


def _parse_headers(received: list[bytes]) -> tuple[tuple[str, str], ...]:
    headers: list[tuple[str, str]] = []
    folded: list[str] = []
    for line in received:
        header = _parse_header(line)
        if isinstance(header, str):  # an old-style continuation
            folded.append(header)
            continue
        if folded:
            _append_folded(headers, folded)
            folded = []
        headers.append(header)
    if folded:
        _append_folded(headers, folded)
    return tuple(headers)


def _append_folded(headers: list[tuple[str, str]], lines: list[str]) -> None:
    """Append continuation lines to the last header, all at once: one by one they would take quadratic time."""
    if headers:
        headers[-1] = (headers[-1][0], " ".join((headers[-1][1], *lines)))


@lru_cache(maxsize=1_024)  # most header lines of a server are the same for every page
def _parse_header(line: bytes) -> tuple[str, str] | str:
    """Return the name and value of a header line; its text if it has no colon."""
    name, colon, value = line.decode("latin-1").partition(":")
    return (name.strip().lower(), value.strip()) if colon else name.strip()


def parse_retry_after(value: str, now_s: float, date: str = "") -> float | None:
    """Return how many seconds a Retry-After, in seconds or as a date, asks to wait; None if it is neither.

    `date` is the server's own time, its Date header: the clock of this machine may have been set back. The shorter of
    the two waits counts, since an answer from a cache has an old date.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:20]), _LONGEST_WAIT_S)
    moment = parse_date(value)
    if moment is None:
        return None
    theirs = parse_date(date) if date else None
    if theirs is not None:
        now_s = max(now_s, theirs.timestamp())
    return min(max(0.0, math.ceil(moment.timestamp() - now_s)), _LONGEST_WAIT_S)


def classify_response(exchange: Exchange, head: ResponseHead, conditional: bool) -> Outcome:
    """Turn an exchange into an outcome by its status.

    2xx is a page; 304 means "not modified" if the request was conditional; a redirect needs a Location. Every other
    status is a failure, with the time to wait that the server asked for.
    """
    status = exchange.status
    if 200 <= status < 300:
        return Fetched(exchange)
    if status == 304 and conditional:
        return NotModified(exchange)
    if status in _REDIRECTS:
        location = next((_decode_utf8(value) for name, value in head.headers if name == "location"), "")
        if location:
            return Redirected(exchange, location)
    ended_s = exchange.began_s + exchange.took_s
    asked = head.get("retry-after")
    wait_s = parse_retry_after(asked, ended_s, head.get("date")) if asked else None
    return Failed("status", str(status), wait_s, exchange)


def _decode_utf8(value: str) -> str:
    """Decode a header as UTF-8 if it is valid UTF-8, which is what servers mean in a Location."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value
