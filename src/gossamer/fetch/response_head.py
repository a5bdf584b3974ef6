"""What came back: a response's head taken apart, and an exchange judged by its status."""

import math
from functools import lru_cache

import msgspec

from gossamer.net.dates import parse_date
from gossamer.records import Exchange, Failed, Fetched, NotModified, Outcome, Redirected

_REDIRECTS = {301, 302, 303, 307, 308}
# Nobody means more than a month, and sums with it must stay finite.
_LONGEST_WAIT_S = 31 * 86_400.0


class Head(msgspec.Struct, frozen=True, gc=False):
    """The head of a response."""

    status: int
    raw: bytes
    """Status line and headers as received, with the empty line."""
    headers: tuple[tuple[str, str], ...]
    """Lower-case names; values as Latin-1, which loses no byte."""

    def get(self, name: str) -> str:
        """Return all values of a header, joined by commas as HTTP allows; "" if it was not sent."""
        return ", ".join([value for known, value in self.headers if known == name])


def read_head(received: list[bytes]) -> Head | None:
    """Read header lines as they came; None if no head is complete.

    Heads of interim answers (100, 103) and of a proxy's tunnel come first and are left out; trailers of a
    chunked body come last and are left out as well.
    """
    start = 0
    for place, line in enumerate(received):
        if line in (b"\r\n", b"\n"):
            status = _status(received[start])
            if status >= 200:
                return Head(
                    status, b"".join(received[start : place + 1]), _headers(received[start + 1 : place])
                )
            start = place + 1
    return None


def _status(line: bytes) -> int:
    words = line.split(None, 2)
    code = words[1] if len(words) > 1 else b""
    return int(code) if len(code) == 3 and code.isdigit() else 0


def _headers(received: list[bytes]) -> tuple[tuple[str, str], ...]:
    headers: list[tuple[str, str]] = []
    for line in received:
        header = _header(line)
        if not isinstance(header, str):
            headers.append(header)
        elif headers:  # an old-style continuation
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {header}")
    return tuple(headers)


@lru_cache(maxsize=1_024)  # servers say most of it with every page
def _header(line: bytes) -> tuple[str, str] | str:
    """Return name and value of a header line; what it says if it has no colon."""
    name, colon, value = line.decode("latin-1").partition(":")
    return (name.strip().lower(), value.strip()) if colon else name.strip()


def retry_after_s(value: str, now_s: float) -> float | None:
    """Return the seconds that a Retry-After asks to wait, written as seconds or as a date; None if neither."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:20]), _LONGEST_WAIT_S)
    moment = parse_date(value)
    if moment is None:
        return None
    return min(max(0.0, math.ceil(moment.timestamp() - now_s)), _LONGEST_WAIT_S)


def judge(exchange: Exchange, head: Head, conditional: bool) -> Outcome:
    """Say what an answer means.

    2xx is a page; 304 means "as you have it", if we said what we have; a redirect needs a Location. Every other
    status is a failure that names it, with the wait that the server asked for.
    """
    status = exchange.status
    if 200 <= status < 300:
        return Fetched(exchange)
    if status == 304 and conditional:
        return NotModified(exchange)
    if status in _REDIRECTS:
        location = next((_as_text(value) for name, value in head.headers if name == "location"), "")
        if location:
            return Redirected(exchange, location)
    ended_s = exchange.began_s + exchange.took_s
    return Failed("status", str(status), retry_after_s(head.get("retry-after"), ended_s), exchange)


def _as_text(value: str) -> str:
    """Read a header's bytes as UTF-8 if they are: that is what servers mean in a Location."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value
