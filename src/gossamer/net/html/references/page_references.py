"""The records of what a page refers to, and of what its fragments can point at."""

import re
from bisect import bisect_right
from typing import Literal

import msgspec

_LINE_END = re.compile(rb"\n")
Syntax = Literal["attribute", "srcset", "css", "style"]


class Reference(msgspec.Struct, frozen=True, gc=False):
    """One address in the source of a page."""

    kind: str
    """One of `reference_kinds.KINDS`."""
    url: str
    """The address as the page writes it, with character references and escapes decoded; not resolved."""
    start: int
    """Where it begins in the source, in bytes, inside its quotes."""
    end: int
    quote: str
    """The quotation mark around it: of the attribute, or of the CSS string; "" if there is none."""
    syntax: Syntax
    """What a new address has to be escaped for: an attribute, one candidate of a srcset, CSS, or CSS in an attribute."""
    inert: bool
    """Whether it stands in a <template>, which a browser does not show."""


class PageReferences(msgspec.Struct, frozen=True):
    """What one pass over the source of a page finds."""

    title: str | None
    """The text of the first <title>; None without one."""
    base: str
    """The href of the first <base> that has one; "" without."""
    language: str
    """The lang of the <html> element."""
    references: list[Reference]
    """In page order."""
    targets: list[str]
    """What a fragment of this page's URL can name: each id, and the name of each <a>."""
    images_without_alt: list[int]
    """Where the <img> begin that have no alt attribute, in bytes."""


class AddressPlaces(msgspec.Struct, frozen=True):
    """Where the addresses of a page are, so that a copy of it can be rewritten without another pass (`scan_links`)."""

    spots: bytes
    """Packed places of the addresses that can be told by their bytes."""
    addresses: list[tuple[str, bytes]]
    """Each of these once, without fragments, with the kind of its first place."""
    references: list[Reference]
    """All other references, in page order."""
    is_harmful: bool
    """Whether an attribute may keep a copy from working: a checksum, or a policy."""


class Place(msgspec.Struct, frozen=True, gc=False):
    """A place in a source as editors count it: both numbers begin with 1, columns count characters."""

    line: int
    column: int


def find_place(source: bytes, offset: int) -> Place:
    """Return the line and the column of a byte.

    >>> find_place(b"<p>\\n<a href=x>", 12)
    Place(line=2, column=9)
    """
    return SourceLines(source).find_place(offset)


class SourceLines:
    """The lines of a source, for looking up many places: each costs the search of a line."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts: list[int] | None = None

    def find_place(self, offset: int) -> Place:
        """Return the line and the column of a byte."""
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self._source))]
        line = bisect_right(self._starts, offset)
        before = self._source[self._starts[line - 1] : offset]
        return Place(line, len(before.decode("utf-8", "replace")) + 1)
