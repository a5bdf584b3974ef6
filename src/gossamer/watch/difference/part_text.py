"""Read the watched part of a page: its main text, what a CSS selector matches, or what stands below a heading."""

import re
from collections.abc import Iterator
from functools import partial

import msgspec

from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.html.parse_tree import parse_page, select_elements
from gossamer.net.main_text.page_layout import PageLayout, make_layout

MOST_BLOCKS = 5_000
"""Blocks of a page that are compared; the rest of a longer page is left out."""
MOST_BLOCK_CHARS = 20_000
MOST_CHARS = 1_000_000
"""Of all blocks together. Two hostile versions of this length take some seconds to compare, of 8 MB half a minute."""
_MOST_ELEMENTS = 500
_HEADING = re.compile(r"h([1-6])")
_DEEPEST = 7
_SPACES = re.compile(r"\s+")


class WatchedPart(msgspec.Struct, frozen=True, gc=False):
    """Which part of a page is watched; without a selector and a heading, its main text."""

    select: str = ""
    """A CSS selector."""
    heading: str = ""
    """The text of a heading; the part is what stands below it, to the next heading of its level."""

    def __str__(self) -> str:
        if self.select:
            return f"select {self.select}"
        return f"heading {self.heading}" if self.heading else ""


class TextBlock(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A paragraph, heading, list item or table cell."""

    text: str
    main: bool = True
    """Whether it belongs to the watched part; other blocks only tell what has moved out of it."""


class PageVersion(msgspec.Struct, frozen=True, gc=False):
    """The text of a page at one visit."""

    fetched_s: float
    blocks: tuple[TextBlock, ...] | None
    """None if the page does not have the watched part."""
    title: str = ""


def check_selector(selector: str) -> None:
    """Raise BadInput if this is not a CSS selector."""
    select_elements(parse_page("<p>"), selector)


def read_part(document: Document, part: WatchedPart, fetched_s: float) -> PageVersion:
    """Read the watched part of an HTML page."""
    make_version = partial(PageVersion, fetched_s, title=document.title)
    if part.select:
        source = _select_source(document, part.select)
        if source is None:
            return make_version(None)
        document = html.read(source, document.url, "text/html; charset=utf-8")
    layout = make_layout(document)
    if part.heading:
        section = _find_section(layout, part.heading)
        blocks = None if section is None else [TextBlock(layout.texts[at]) for at in section]
    else:
        flags = [True] * len(layout.texts) if part.select else layout.flag_main_text()
        # A page of a line or two has no main text: then all of it counts.
        flags = flags if any(flags) else [True] * len(flags)
        blocks = [TextBlock(text, main) for text, main in zip(layout.texts, flags, strict=True)]
    return make_version(None if blocks is None else _limit_blocks(blocks))


def read_plain_text(text: str, fetched_s: float) -> PageVersion:
    """Read a page of plain text: each line is a block."""
    blocks = [TextBlock(line) for line in text.splitlines()[: 2 * MOST_BLOCKS] if line.strip()]
    return PageVersion(fetched_s, _limit_blocks(blocks))


def _limit_blocks(blocks: list[TextBlock]) -> tuple[TextBlock, ...]:
    """Return blocks with single spaces between words, within the limits."""
    kept: list[TextBlock] = []
    chars = 0
    for one in blocks[:MOST_BLOCKS]:
        text = _SPACES.sub(" ", one.text[:MOST_BLOCK_CHARS]).strip()
        chars += len(text)
        if chars > MOST_CHARS:
            break
        if text:
            kept.append(TextBlock(text, one.main))
    return tuple(kept)


def _select_source(document: Document, selector: str) -> bytes | None:
    """Return the source of the outermost elements that a selector matches; None if there are none."""
    found = select_elements(document.tree, selector)[:_MOST_ELEMENTS]
    chosen = set(map(id, found))
    outer = [one for one in found if not any(id(above) in chosen for above in one.ancestors)]
    if not outer:
        return None
    pieces = "\n".join(one.html for one in outer)
    return f"<!doctype html><body>{pieces}".encode("utf-8", "replace")


def _find_section(layout: PageLayout, heading: str) -> list[int] | None:
    """Return the places of the texts below a heading, with the heading; None if the page does not have it."""
    wanted = _fold(heading)
    levels = list(_list_levels(layout))
    headings = [(at, _fold(layout.texts[at])) for at, level in enumerate(levels) if level < _DEEPEST]
    start = next((at for at, text in headings if text == wanted), None)
    if start is None:
        start = next((at for at, text in headings if wanted in text), None)
    if start is None:
        return None
    ends = (at for at in range(start + 1, len(levels)) if levels[at] <= levels[start])
    return list(range(start, next(ends, len(levels))))


def _list_levels(layout: PageLayout) -> Iterator[int]:
    """Yield for each text the level of the heading that it is, or 7."""
    for place in layout.places:
        match = _HEADING.fullmatch(layout.tags[place])
        yield int(match[1]) if match else _DEEPEST


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
