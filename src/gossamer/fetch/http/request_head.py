"""Splits the URL of a request, and writes the head of the request byte by byte as it is sent."""

import re
from base64 import b64encode
from functools import lru_cache

import msgspec

from gossamer.fetch.http.content_decoding import ACCEPTED
from gossamer.net.secret_headers import redact_request

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
# A request line takes only visible ASCII, so that no URL can smuggle in a header line.
_URL = re.compile(
    r"(https?)://([\w.:\[\]~!$&'()*+,;=-]+)([/?][!-\"$-~]*|)(?:#.*)?", re.ASCII | re.IGNORECASE | re.DOTALL
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]{1,60}")
# What libcurl writes itself, and what no other part may change.
_OWN = {"Host", "User-Agent", "Accept-Encoding", "Connection", "Content-Length", "Transfer-Encoding"}
_UNSENDABLE = re.compile(r"[^\t -~\x80-\xff]")


class Target(msgspec.Struct, frozen=True, gc=False):
    """The parts of a URL that a request needs."""

    scheme: str
    authority: str
    """Host, and port if it is not the default of the scheme: the value of the Host header."""
    path: str
    """Path and query, as in the request line."""

    @property
    def url(self) -> str:
        """The URL without its fragment."""
        return f"{self.scheme}://{self.authority}{self.path}"


class HeaderLines(msgspec.Struct, frozen=True):
    """The header lines that Gossamer adds to those of libcurl."""

    each: list[bytes]
    together: bytes
    """All lines as they are recorded, without passwords, and the empty line that ends a head."""


def parse_target(url: str) -> Target | None:
    """Split a URL; None if it cannot be requested as it is."""
    found = _URL.fullmatch(url)
    if found is None:
        return None
    scheme, authority, path = found.groups()
    scheme = scheme.lower()
    authority = authority.lower().removesuffix(_DEFAULT_PORTS[scheme]).removesuffix(":")
    return Target(scheme, authority, path if path.startswith("/") else f"/{path}")


@lru_cache(maxsize=256)
def make_header_lines(
    agent: str,
    etag: str = "",
    last_modified: str = "",
    auth: str = "",
    sender: str = "",
    more: tuple[tuple[str, str], ...] = (),
) -> HeaderLines:
    """Make the header lines of a request; leave out values that a header cannot hold. `more` come last, or instead."""
    credentials = b64encode(auth.encode("utf-8", "replace")).decode() if auth else ""
    headers = {
        "User-Agent": _UNSENDABLE.sub("", agent),
        "From": _UNSENDABLE.sub("", sender),
        "Accept": _ACCEPT,
        "Accept-Encoding": ACCEPTED,
        "If-None-Match": "" if _UNSENDABLE.search(etag) else etag,
        "If-Modified-Since": "" if _UNSENDABLE.search(last_modified) else last_modified,
        "Authorization": f"Basic {credentials}" if auth else "",
    }
    for name, value in more:
        if _HEADER_NAME.fullmatch(name) and name.title() not in _OWN:
            headers[name.title()] = "" if _UNSENDABLE.search(value) else value
    each = [f"{name}: {value.strip()}".encode("latin-1") for name, value in headers.items() if value.strip()]
    return HeaderLines(each, redact_request(b"".join(line + b"\r\n" for line in each) + b"\r\n"))


def format_head(method: str, target: Target, lines: HeaderLines) -> bytes:
    """Write the head of a request as libcurl sends it, but for passwords: its own two lines first, then ours.

    This costs 0.2 µs. Letting libcurl report the head costs 2 to 8 µs, since it then reports all received data as well.
    A test compares every kind of request with the bytes that a server received.
    """
    opening = f"{method} {target.path} HTTP/1.1\r\nHost: {target.authority}\r\n".encode("latin-1")
    return opening + lines.together
