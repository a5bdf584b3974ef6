"""Returns the text blocks of a page in reading order, and its main text."""

from collections.abc import Collection, Iterator
from itertools import compress
from typing import Any

from gossamer.net.html.block_tags import BLOCK_TAGS
from gossamer.net.html.document import Block, BlockKind, Document
from gossamer.net.html.parse_tree import Element
from gossamer.net.main_text.class_name_hints import ElementHint
from gossamer.net.main_text.fragments import is_hidden, lay_out
from gossamer.net.main_text.link_context import LinkWords, find_link_places, find_places_of_hrefs, find_words
from gossamer.net.main_text.page_layout import PageLayout, make_layout

_NAVIGATION = int(ElementHint.NAV_TAG | ElementHint.MENU)
_FORM = int(ElementHint.FORM_TAG)
# How many elements above a text are searched for hints: menus are seldom deeper.
_NEARBY = 4


def blocks(document: Document) -> list[Block]:
    """Return the text blocks of a page in reading order, each with its kind and whether it is main text.

    A block is a run of text that a reader sees as one piece: a paragraph, a heading, a list item, a table cell. Text
    directly in a div is a paragraph; two line breaks in a row end a block; inline mark-up does not. Scripts, styles and
    hidden elements are left out, unless there is nothing else. It works on trees of any depth.
    Cost: O(length); half of `read` for its layout, and a microsecond for each block.
    """
    layout = make_layout(document)
    places: dict[Any, int] = (
        find_link_places(document) if layout.hrefs is None else find_places_of_hrefs(document, layout.hrefs)
    )
    return [
        Block(
            text=text,
            kind=_choose_kind(layout, index, main),
            link_density=link_chars / len(text),
            main=main,
            links=tuple([places[link] for link in links if link in places]) if links else (),
        )
        for index, (text, link_chars, links, main) in enumerate(
            zip(layout.texts, layout.link_chars, layout.links, layout.flag_main_text(), strict=True)
        )
    ]


def main_text(document: Document) -> str:
    """Return the main text of a page, a line for each block."""
    layout = make_layout(document)
    return "\n".join(compress(layout.texts, layout.flag_main_text()))


def words_around(document: Document, reach: int = 10) -> list[LinkWords]:
    """Return, for each link with text, its words and up to `reach` words before and after it in its block.

    A link that extends over several blocks occurs once for each; a link without text (a picture) does not occur.
    """
    _, fragments = lay_out(document.tree)
    if not fragments:
        _, fragments = lay_out(document.tree, show_hidden=True)
    places = find_link_places(document)
    return [
        words for fragment in fragments if fragment.links for words in find_words(fragment, places, reach)
    ]


def words_around_some(document: Document, wanted: Collection[int], reach: int = 10) -> Iterator[LinkWords]:
    """Yield the same as `words_around` for some links, by their places in the document's links, in page order.

    Only the block around each of them is laid out, so that a long page costs as little as a short one; links of hidden blocks are left out.
    """
    places = find_link_places(document)
    for anchor, place in places.items():
        block = _find_block(anchor) if place in wanted else None
        if block is not None:
            _, fragments = lay_out(block)
            for fragment in fragments:
                if any(link is anchor or link == anchor for link, _, _ in fragment.links):
                    yield from (one for one in find_words(fragment, places, reach) if one.link == place)


def _find_block(anchor: Element) -> Element | None:
    """Return the innermost block around a link; None if it is hidden."""
    block: Element | None = None
    for above in anchor.ancestors:
        if not isinstance(above, Element):
            break
        if is_hidden(above):
            return None
        if block is None and above.tag in BLOCK_TAGS:
            block = above
    return None if is_hidden(anchor) else block


def _choose_kind(layout: PageLayout, index: int, main: bool) -> BlockKind:
    """Return the kind of a text; outside the main text, the names of elements decide."""
    place = layout.places[index]
    kind = layout.kinds[place]
    if main or kind in ("heading", "navigation", "form"):
        return kind
    hints = 0
    for _ in range(_NEARBY):
        hints |= layout.hints[place]
        place = layout.parents[place]
    if hints & _FORM:
        return "form"
    if hints & _NAVIGATION and 2 * layout.link_chars[index] > len(layout.texts[index]):
        return "navigation"
    return kind
