"""The records of what a page refers to, and of what its fragments can point at."""

from typing import Literal

import msgspec

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


class Place(msgspec.Struct, frozen=True, gc=False):
    """A place in a source as editors count it: both numbers begin with 1, columns count characters."""

    line: int
    column: int


def find_place(source: bytes, offset: int) -> Place:
    """Return the line and the column of a byte.

    >>> find_place(b"<p>\\n<a href=x>", 12)
    Place(line=2, column=9)
    """
    before = source[:offset]
    start = before.rfind(b"\n") + 1
    return Place(before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1)
