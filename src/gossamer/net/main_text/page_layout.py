"""Lays out a page: its blocks and its runs of text, from its source or, if it is malformed, from its tree."""

from collections.abc import Sequence

import msgspec

from gossamer.net.html.document import BlockKind, Document
from gossamer.net.html.parse_tree import Element, Tree
from gossamer.net.html.scanner.layout_rules import LayoutRules
from gossamer.net.html.scanner.scan_page import scan_layout
from gossamer.net.main_text.class_name_hints import (
    HINT_OF_TAG,
    HINT_OF_WORD,
    MODIFIERS,
    NAME_CHARS,
    find_hints,
)
from gossamer.net.main_text.fragments import (
    HIDING_STYLE,
    KIND_OF_TAG,
    NAVIGATION,
    Containers,
    Fragment,
    lay_out,
)
from gossamer.net.main_text.measure_text import count_running
from gossamer.net.main_text.weigh_fragments import weigh_fragments

LITTLE_RUNNING = 1_000
"""A page with more visible characters of running text than this shows what it has to say."""
HIDDEN_SHARE = 6
"""Hidden text is included if there is so many times more running text with it. Of 524 pages it helps three and changes
no other; the next page has three times more, in menus."""


RULES = LayoutRules(
    KIND_OF_TAG, HINT_OF_TAG, NAVIGATION, HIDING_STYLE, find_hints, HINT_OF_WORD, MODIFIERS, NAME_CHARS
)


class PageLayout(msgspec.Struct, frozen=True, gc=False):
    """The block elements of a page and its runs of text, as parallel lists in document order."""

    parents: list[int]
    """For each block, the place of the block around it; the first block is the page itself."""
    tags: list[str]
    kinds: list[BlockKind]
    hints: list[int]
    places: list[int]
    """For each run of text, the place of its block."""
    texts: list[str]
    link_chars: list[int]
    links: Sequence[Sequence[int | Element]]
    """For each run, its links, as places in `hrefs` or as elements."""
    hrefs: list[str] | None
    """Of each link of the page; None if links are elements."""
    has_hidden: bool = True
    """Whether it may lack hidden text."""

    def flag_main_text(self) -> list[bool]:
        """Return for each run whether it is main text."""
        return weigh_fragments(self.parents, self.tags, self.hints, self.places, self.texts, self.link_chars)

    def to_fragments(self) -> tuple[Containers, list[Fragment]]:
        """Return the layout as objects, for `choose_main_text`."""
        containers = Containers()
        containers.parent, containers.tag = self.parents, self.tags
        containers.kind, containers.hints = self.kinds, self.hints
        rows = zip(self.places, self.texts, self.link_chars, strict=True)
        return containers, [Fragment(place, text, chars, [], []) for place, text, chars in rows]

    def count_running(self) -> int:
        """Return the number of characters in texts that are long and not mostly links."""
        return count_running(self.texts, self.link_chars)


def make_layout(document: Document) -> PageLayout:
    """Lay out a page; if nearly all running text is hidden, include hidden text.

    Such pages show their text by scripts: slides, accordions, and blogs that keep it in <noscript>.
    Cost: O(length); a page that `read` parsed is written as source again, which costs less than walking its tree.
    """
    layout = scan_page_layout(document, show_hidden=False) or make_tree_layout(
        document.tree, show_hidden=False
    )
    visible = layout.count_running()
    if visible < LITTLE_RUNNING and layout.has_hidden:
        everything = scan_page_layout(document, show_hidden=True) or make_tree_layout(
            document.tree, show_hidden=True
        )
        if not layout.texts or everything.count_running() > HIDDEN_SHARE * visible:
            return everything
    return layout


def scan_page_layout(document: Document, *, show_hidden: bool) -> PageLayout | None:
    """Lay out a page from its source; return None if it has to be parsed."""
    serialized = document.serialized
    source = document.source if serialized is None else serialized
    recorded = scan_layout(source, RULES, show_hidden, serialized is not None)
    if recorded is None:
        return None
    return PageLayout(
        recorded.parents,
        recorded.tags,
        recorded.kinds,
        recorded.hints,
        recorded.places,
        recorded.texts,
        recorded.link_sizes,
        recorded.links,
        recorded.hrefs,
        recorded.has_hidden,
    )


def make_tree_layout(tree: Tree, *, show_hidden: bool) -> PageLayout:
    """Lay out a page from its tree."""
    containers, fragments = lay_out(tree, show_hidden=show_hidden)
    return PageLayout(
        containers.parent,
        containers.tag,
        containers.kind,
        containers.hints,
        [fragment.container for fragment in fragments],
        [fragment.text for fragment in fragments],
        [fragment.link_chars for fragment in fragments],
        [[anchor for anchor, _, _ in fragment.links] for fragment in fragments],
        None,
    )
