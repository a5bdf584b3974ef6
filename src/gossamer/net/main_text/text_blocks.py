"""The text blocks of a page in reading order, and its main text."""

from gossamer.net.html.document import Block, BlockKind, Document
from gossamer.net.html.parse_tree import Element
from gossamer.net.main_text.choose_main_text import main_flags
from gossamer.net.main_text.class_name_hints import Hint
from gossamer.net.main_text.fragments import Containers, Fragment, lay_out
from gossamer.net.main_text.link_context import LinkWords, link_places, words_in

_NAVIGATION = int(Hint.NAV_TAG | Hint.MENU)
_FORM = int(Hint.FORM_TAG)
# How many elements above a text may still name it: a menu is seldom deeper.
_NEARBY = 4


def blocks(document: Document) -> list[Block]:
    """Return the text blocks of a page in reading order, each with its kind and whether it is main text.

    A block is what a reader sees as one piece: a paragraph, a heading, a list item, a table cell. Text
    directly in a div is a paragraph; two line breaks in a row split; inline mark-up does not. Scripts, styles
    and hidden elements are left out, unless nothing else is there. Total on every tree, however deep.
    Cost: O(nodes + characters), on demand, from the parse that `read` made.
    """
    containers, fragments = layout_of(document)
    places = link_places(document)
    flags = main_flags(containers, fragments)
    return [
        Block(
            text=fragment.text,
            kind=_kind(containers, fragment, main),
            link_density=fragment.link_chars / len(fragment.text),
            main=main,
            links=_places_of(fragment, places) if fragment.links else (),
        )
        for fragment, main in zip(fragments, flags, strict=True)
    ]


def main_text(document: Document) -> str:
    """Return the main text of a page, a line for each block."""
    containers, fragments = layout_of(document)
    flags = main_flags(containers, fragments)
    return "\n".join(fragment.text for fragment, main in zip(fragments, flags, strict=True) if main)


def words_around(document: Document, reach: int = 10) -> list[LinkWords]:
    """Return, for each link with text, up to `reach` words before and after it in its block, and its own.

    A link that runs over several blocks comes once for each; a link without text (a picture) has none.
    """
    _, fragments = layout_of(document)
    places = link_places(document)
    return [words for fragment in fragments if fragment.links for words in words_in(fragment, places, reach)]


def layout_of(document: Document) -> tuple[Containers, list[Fragment]]:
    """Lay out a page as its reader sees it; a page that hides everything is shown as if it did not."""
    containers, fragments = lay_out(document.tree)
    if not fragments:
        containers, fragments = lay_out(document.tree, show_hidden=True)
    return containers, fragments


def _places_of(fragment: Fragment, places: dict[Element, int]) -> tuple[int, ...]:
    return tuple([places[anchor] for anchor, _, _ in fragment.links if anchor in places])


def _kind(containers: Containers, fragment: Fragment, main: bool) -> BlockKind:
    """Return what a fragment is; names of elements say what it is beside the main text."""
    kind = containers.kind[fragment.container]
    if main or kind in ("heading", "navigation", "form"):
        return kind
    hints = 0
    place = fragment.container
    for _ in range(_NEARBY):
        hints |= containers.hints[place]
        place = containers.parent[place]
    if hints & _FORM:
        return "form"
    if hints & _NAVIGATION and 2 * fragment.link_chars > len(fragment.text):
        return "navigation"
    return kind
