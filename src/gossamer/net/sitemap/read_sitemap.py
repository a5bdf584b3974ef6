"""Reads sitemaps: XML, sitemap index, gzip, plain text, RSS or Atom (sitemaps.org protocol 0.9)."""

import codecs
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain
from typing import Literal

import msgspec

from gossamer.errors import BadUrl
from gossamer.net.dates import parse_date
from gossamer.net.encoding import decode
from gossamer.net.encoding.whatwg_codecs import decode_as
from gossamer.net.sitemap.sitemap_limits import MAX_BYTES, MAX_FIELD_CHARS, MAX_URLS
from gossamer.net.sitemap.sitemap_xml import Kind, StopReading, XmlResult, read_xml
from gossamer.net.sitemap.unpack_gzip import BoundedGunzip
from gossamer.net.url import canonical

__all__ = [
    "MAX_BYTES",
    "MAX_URLS",
    "ChangeFrequency",
    "Kind",
    "Sitemap",
    "SitemapEntry",
    "read",
    "read_and_measure",
]

ChangeFrequency = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
_FREQUENCIES: dict[str, ChangeFrequency] = {
    "always": "always",
    "hourly": "hourly",
    "daily": "daily",
    "weekly": "weekly",
    "monthly": "monthly",
    "yearly": "yearly",
    "never": "never",
}
# Encodings with several bytes for a character, and Python's names for them: Python decodes these piece by piece, and
# is as fast where nothing can be decoded. `encoding.decode` differs in rare symbols, which no URL has.
_STREAMED = {
    "UTF-8": "utf-8",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
    "Shift_JIS": "cp932",
    "EUC-JP": "euc_jp",
    "ISO-2022-JP": "iso2022_jp",
    "GBK": "gb18030",
    "gb18030": "gb18030",
    "Big5": "big5hkscs",
    "EUC-KR": "cp949",
}
_BLANK = "\ufeff \t\r\n\f\v\0"


class SitemapEntry(msgspec.Struct, frozen=True, gc=False):
    """One page, or one further sitemap, that a sitemap lists."""

    loc: str
    """Absolute, in canonical form."""
    lastmod: datetime | None = None
    """In UTC."""
    changefreq: ChangeFrequency | None = None
    priority: float | None = None
    """0 to 1, among the pages of this site."""


class Sitemap(msgspec.Struct, frozen=True):
    """The content of a sitemap file, as far as it could be read."""

    kind: Kind = "unknown"
    entries: tuple[SitemapEntry, ...] = ()
    """Pages, in the order of the file."""
    sitemaps: tuple[SitemapEntry, ...] = ()
    """Further sitemaps; only an index lists them."""
    bad: int = 0
    """Items without a usable URL."""
    truncated: bool = False
    """Whether the file is longer than the limits."""
    error: str = ""
    """What is wrong with the file, in a few words; everything before the fault was read."""


def read(body: bytes, url: str = "", content_type: str | None = None) -> Sitemap:
    """Read a sitemap of any form; relative locations are resolved against `url`.

    The form is recognised by the bytes alone: gzip by its first bytes, XML by its root element, a text list by a first
    line that is a URL. Anything else, such as an HTML page, has the kind "unknown" and no entries.
    Cost: O(bytes) up to MAX_BYTES unpacked, read in pieces. Nothing raises.
    """
    return read_and_measure(body, url, content_type)[0]


def read_and_measure(body: bytes, url: str = "", content_type: str | None = None) -> tuple[Sitemap, int]:
    """Read a sitemap as `read` does; return also how many bytes were read, after unpacking."""
    pieces = BoundedGunzip(body, MAX_BYTES)
    texts = _decode_pieces(iter(pieces), content_type)
    first = next((text for text in map(_strip_start, texts) if text), "")
    found = _EntryList(url)
    result = XmlResult("unknown")
    if first.startswith("<"):
        result = read_xml(chain((first,), texts), found.add_item)
    elif _is_url(first):
        result = _read_lines(chain((first,), texts), found, pieces)
    entries = tuple(found.entries)
    is_index = result.kind == "index"
    sitemap = Sitemap(
        kind=result.kind,
        entries=() if is_index else entries,
        sitemaps=entries if is_index else (),
        bad=found.bad,
        truncated=found.truncated or pieces.truncated or result.over_limit,
        # If a limit cut the file off, its missing end is not an error of the file.
        error=pieces.error or ("" if pieces.truncated else result.error),
    )
    return sitemap, pieces.unpacked_bytes


def _strip_start(text: str) -> str:
    """Remove blanks before an XML declaration, which are not allowed but frequent."""
    return text.lstrip(_BLANK)


def _decode_pieces(pieces: Iterator[bytes], content_type: str | None) -> Iterator[str]:
    """Decode piece by piece, in the encoding that is detected in the first piece."""
    first = next(pieces, b"")
    # Do not cut within a character, which would make valid UTF-8 look like another encoding.
    whole = max(first.rfind(b">"), first.rfind(b"\n")) + 1 or len(first)
    encoding = decode(first[:whole], content_type)[1]
    pieces = chain((first,), pieces)
    if encoding not in _STREAMED:
        yield from (decode_as(piece, encoding) for piece in pieces)
        return
    decoder = codecs.getincrementaldecoder(_STREAMED[encoding])("replace")
    yield from map(decoder.decode, pieces)
    yield decoder.decode(b"", True)


def _read_lines(texts: Iterable[str], found: "_EntryList", pieces: BoundedGunzip) -> XmlResult:
    """Read one URL from each line that is not blank."""
    held = ""
    with suppress(StopReading):
        for text in texts:
            *lines, held = (held + text).replace("\r", "\n").split("\n")
            held = held[: MAX_FIELD_CHARS + 1]
            for line in lines:
                found.add_line(line)
        if not (pieces.truncated or pieces.error):  # otherwise the last line may be incomplete
            found.add_line(held)
    return XmlResult("text")


class _EntryList:
    """Collects the entries of a sitemap."""

    def __init__(self, url: str) -> None:
        self._base = _parse_base(url)
        self.entries: list[SitemapEntry] = []
        self.bad = 0
        self.truncated = False

    def add_item(self, item: dict[str, str]) -> None:
        """Add an item of an XML sitemap or feed, given by its fields."""
        guid = item.get("guid", "")
        self._add(
            item.get("loc") or (guid if _is_url(guid) else ""),
            parse_date(item.get("lastmod") or item.get("published", "")),
            _FREQUENCIES.get(item.get("changefreq", "").lower()),
            _parse_priority(item.get("priority", "")),
        )

    def add_line(self, line: str) -> None:
        """Add a line of a text list; its URLs are absolute."""
        line = line.strip(_BLANK)
        if line:
            self._add(line if _is_url(line) and len(line) <= MAX_FIELD_CHARS else "")

    def _add(
        self,
        loc: str,
        lastmod: datetime | None = None,
        changefreq: ChangeFrequency | None = None,
        priority: float | None = None,
    ) -> None:
        if len(self.entries) + self.bad >= MAX_URLS:
            self.truncated = True
            raise StopReading
        try:
            if not loc:
                raise BadUrl("syntax")
            self.entries.append(SitemapEntry(canonical(loc, self._base), lastmod, changefreq, priority))
        except BadUrl:
            self.bad += 1


def _is_url(text: str) -> bool:
    """Return whether a text begins like an absolute URL of the web."""
    return text[:8].lower().startswith(("http://", "https://"))


def _parse_base(url: str) -> str | None:
    """Return the base URL for relative locations; None if it is not valid."""
    try:
        return canonical(url)
    except BadUrl:
        return None


def _parse_priority(text: str) -> float | None:
    """Parse a number from 0 to 1; None if it is not one."""
    try:
        priority = float(text)
    except ValueError:
        return None
    return priority if math.isfinite(priority) and 0 <= priority <= 1 else None
