"""Sitemaps: lists of pages as XML, index, gzip, plain text, RSS or Atom (sitemaps.org protocol 0.9)."""

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
from gossamer.net.sitemap.bounded_gunzip import Unpacked
from gossamer.net.sitemap.sitemap_xml import MAX_FIELD_CHARS, Enough, Kind, Outcome, read_xml
from gossamer.net.url import canonical

__all__ = ["MAX_BYTES", "MAX_URLS", "ChangeFrequency", "Entry", "Kind", "Sitemap", "read"]

MAX_URLS = 50_000
"""Of one file, bad ones counted: the protocol's limit."""
MAX_BYTES = 50 * 1024 * 1024
"""Of one file, unpacked: the protocol's limit."""

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
# Encodings that take several bytes for a character, by Python's name: these decode piece by piece, and as fast
# where nothing is decodable. `encoding.decode` differs in rare symbols, which no URL has.
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


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One page, or one further sitemap, that a sitemap names."""

    loc: str
    """Absolute, in canonical form."""
    lastmod: datetime | None = None
    """In UTC."""
    changefreq: ChangeFrequency | None = None
    priority: float | None = None
    """0 to 1, among the pages of this site."""


class Sitemap(msgspec.Struct, frozen=True):
    """What a sitemap file says, as far as it could be read."""

    kind: Kind = "unknown"
    entries: tuple[Entry, ...] = ()
    """Pages, in the order of the file."""
    sitemaps: tuple[Entry, ...] = ()
    """Further sitemaps; only an index names them."""
    bad: int = 0
    """Items without a usable URL."""
    truncated: bool = False
    """The file goes on beyond the limits."""
    error: str = ""
    """What was wrong with the file, in a few words; what stands before the fault was read."""


def read(body: bytes, url: str = "", content_type: str | None = None) -> Sitemap:
    """Read a sitemap, whatever its form and label; relative locations are resolved against `url`.

    The form follows from the bytes alone: gzip by its first bytes, XML by its root element, a text list by a
    first line that is a URL. Anything else, such as a page of HTML, is of kind "unknown" and empty.
    Cost: O(bytes) up to MAX_BYTES unpacked, read in pieces. Nothing raises.
    """
    pieces = Unpacked(body, MAX_BYTES)
    texts = _texts(iter(pieces), content_type)
    first = next((text for text in map(_unblanked, texts) if text), "")
    found = _Found(url)
    outcome = Outcome("unknown")
    if first.startswith("<"):
        outcome = read_xml(chain((first,), texts), found.add_item)
    elif _is_url(first):
        outcome = _read_lines(chain((first,), texts), found, pieces)
    entries = tuple(found.entries)
    is_index = outcome.kind == "index"
    return Sitemap(
        kind=outcome.kind,
        entries=() if is_index else entries,
        sitemaps=entries if is_index else (),
        bad=found.bad,
        truncated=found.truncated or pieces.truncated or outcome.over_limit,
        # Where a limit cut the file, the end that is missing is no fault of the file.
        error=pieces.error or ("" if pieces.truncated else outcome.error),
    )


def _unblanked(text: str) -> str:
    """Drop what may not stand before an XML declaration but often does."""
    return text.lstrip(_BLANK)


def _texts(pieces: Iterator[bytes], content_type: str | None) -> Iterator[str]:
    """Decode piece by piece, in the encoding that the first piece shows."""
    first = next(pieces, b"")
    # Not within a character, which would make valid UTF-8 look like something else.
    whole = max(first.rfind(b">"), first.rfind(b"\n")) + 1 or len(first)
    encoding = decode(first[:whole], content_type)[1]
    pieces = chain((first,), pieces)
    if encoding not in _STREAMED:
        yield from (decode_as(piece, encoding) for piece in pieces)
        return
    decoder = codecs.getincrementaldecoder(_STREAMED[encoding])("replace")
    yield from map(decoder.decode, pieces)
    yield decoder.decode(b"", True)


def _read_lines(texts: Iterable[str], found: "_Found", pieces: Unpacked) -> Outcome:
    """Take one URL from each line that is not blank."""
    held = ""
    with suppress(Enough):
        for text in texts:
            *lines, held = (held + text).replace("\r", "\n").split("\n")
            held = held[: MAX_FIELD_CHARS + 1]
            for line in lines:
                found.add_line(line)
        if not (pieces.truncated or pieces.error):  # else the last line may lack its end
            found.add_line(held)
    return Outcome("text")


class _Found:
    """The entries so far."""

    def __init__(self, url: str) -> None:
        self._base = _usable(url)
        self.entries: list[Entry] = []
        self.bad = 0
        self.truncated = False

    def add_item(self, item: dict[str, str]) -> None:
        """Add an item of an XML sitemap or feed, given by its fields."""
        guid = item.get("guid", "")
        self._add(
            item.get("loc") or (guid if _is_url(guid) else ""),
            parse_date(item.get("lastmod") or item.get("published", "")),
            _FREQUENCIES.get(item.get("changefreq", "").lower()),
            _priority(item.get("priority", "")),
        )

    def add_line(self, line: str) -> None:
        """Add a line of a text list; these are absolute."""
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
            raise Enough
        try:
            if not loc:
                raise BadUrl("syntax")
            self.entries.append(Entry(canonical(loc, self._base), lastmod, changefreq, priority))
        except BadUrl:
            self.bad += 1


def _is_url(text: str) -> bool:
    """Tell whether a text begins as an absolute URL of the web does."""
    return text[:8].lower().startswith(("http://", "https://"))


def _usable(url: str) -> str | None:
    """Return the base for relative locations, if it is one."""
    try:
        return canonical(url)
    except BadUrl:
        return None


def _priority(text: str) -> float | None:
    """Read a number from 0 to 1."""
    try:
        priority = float(text)
    except ValueError:
        return None
    return priority if math.isfinite(priority) and 0 <= priority <= 1 else None
