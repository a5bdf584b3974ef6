"""Returns the text blocks of a page in reading order, and its main text."""

from gossamer.net.html.document import Block, BlockKind, Document
from gossamer.net.html.parse_tree import Element
from gossamer.net.main_text.choose_main_text import flag_main_text
from gossamer.net.main_text.class_name_hints import ElementHint
from gossamer.net.main_text.fragments import Containers, Fragment, lay_out
from gossamer.net.main_text.link_context import LinkWords, find_link_places, find_words

_NAVIGATION = int(ElementHint.NAV_TAG | ElementHint.MENU)
_FORM = int(ElementHint.FORM_TAG)
LITTLE_RUNNING = 1_000
"""A page with more visible characters of running text than this shows what it has to say."""
HIDDEN_SHARE = 6
"""Hidden text is included if there is so many times more running text with it. Of 524 pages it helps three and changes
no other; the next page has three times more, in menus."""
_LONG_TEXT = 60
# How many elements above a text are searched for hints: menus are seldom deeper.
_NEARBY = 4


def blocks(document: Document) -> list[Block]:
    """Return the text blocks of a page in reading order, each with its kind and whether it is main text.

    A block is a run of text that a reader sees as one piece: a paragraph, a heading, a list item, a table cell. Text
    directly in a div is a paragraph; two line breaks in a row end a block; inline mark-up does not. Scripts, styles and
    hidden elements are left out, unless there is nothing else. It works on trees of any depth.
    Cost: O(nodes + characters), and a parse if `read` made none.
    """
    containers, fragments = lay_out_page(document)
    places = find_link_places(document)
    flags = flag_main_text(containers, fragments)
    return [
        Block(
            text=fragment.text,
            kind=_choose_kind(containers, fragment, main),
            link_density=fragment.link_chars / len(fragment.text),
            main=main,
            links=_find_places(fragment, places) if fragment.links else (),
        )
        for fragment, main in zip(fragments, flags, strict=True)
    ]


def main_text(document: Document) -> str:
    """Return the main text of a page, a line for each block."""
    containers, fragments = lay_out_page(document)
    flags = flag_main_text(containers, fragments)
    return "\n".join(fragment.text for fragment, main in zip(fragments, flags, strict=True) if main)


def words_around(document: Document, reach: int = 10) -> list[LinkWords]:
    """Return, for each link with text, its words and up to `reach` words before and after it in its block.

    A link that extends over several blocks occurs once for each; a link without text (a picture) does not occur.
    """
    _, fragments = lay_out_page(document)
    places = find_link_places(document)
    return [
        words for fragment in fragments if fragment.links for words in find_words(fragment, places, reach)
    ]


def lay_out_page(document: Document) -> tuple[Containers, list[Fragment]]:
    """Split a page into containers and fragments; if nearly all running text is hidden, include hidden text.

    Such pages show their text by scripts: slides, accordions, and blogs that keep it in <noscript>.
    """
    containers, fragments = lay_out(document.tree)
    visible = _count_running(fragments)
    if visible < LITTLE_RUNNING:
        everything = lay_out(document.tree, show_hidden=True)
        if not fragments or _count_running(everything[1]) > HIDDEN_SHARE * visible:
            return everything
    return containers, fragments


def _count_running(fragments: list[Fragment]) -> int:
    """Return the number of characters in texts that are long and not mostly links."""
    return sum(
        len(fragment.text)
        for fragment in fragments
        if len(fragment.text) >= _LONG_TEXT and 2 * fragment.link_chars < len(fragment.text)
    )


def _find_places(fragment: Fragment, places: dict[Element, int]) -> tuple[int, ...]:
    return tuple([places[anchor] for anchor, _, _ in fragment.links if anchor in places])


def _choose_kind(containers: Containers, fragment: Fragment, main: bool) -> BlockKind:
    """Return the kind of a fragment; outside the main text, the names of elements decide."""
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
