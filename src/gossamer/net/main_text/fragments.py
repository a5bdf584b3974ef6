"""Splits a parsed page into its block elements and the runs of text between their edges.

One pass over the tree, without recursion, gives two lists. `Containers` are the block elements in document order, as
parallel lists with the parent's place; a `Fragment` is a run of text without a block edge, rule or double line break.
Everything else about blocks is computed from these two. This is the readable version of the scanner's `record_layout`, for
malformed pages; `page_layout` chooses between them.
"""

import re
from collections.abc import Iterator

from gossamer.net.html.block_tags import BLOCK_TAGS, HEADING_TAGS, UNREAD_TAGS
from gossamer.net.html.document import BlockKind
from gossamer.net.html.parse_tree import Element, Node, Text, Tree
from gossamer.net.main_text.class_name_hints import (
    HINT_OF_TAG,
    ElementHint,
    find_class_hints,
    find_role_hints,
)

KIND_OF_TAG: dict[str, BlockKind] = {
    **dict.fromkeys(HEADING_TAGS, "heading"),
    **dict.fromkeys(("li", "dd", "dt"), "list item"),
    **dict.fromkeys(("td", "th"), "table cell"),
    **dict.fromkeys(("figcaption", "caption"), "caption"),
    **dict.fromkeys(("button", "label", "legend", "fieldset"), "form"),
    **dict.fromkeys(("address", "summary"), "other"),
    **dict.fromkeys(("html", "body", "article", "main", "section", "header", "footer", "aside"), "paragraph"),
    "nav": "navigation",
    "blockquote": "quote",
    "pre": "code",
}
HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
NAVIGATION = int(ElementHint.NAV_TAG)
# The meanings of nodes for the walk. Leaves come first: their children are not visited.
_UNREAD, _BREAK, _INLINE, _BLOCK, _LINK = range(5)
_MEANING: dict[str, int] = {
    **dict.fromkeys(UNREAD_TAGS, _UNREAD),
    **dict.fromkeys(BLOCK_TAGS, _BLOCK),
    "br": _BREAK,
    "a": _LINK,
}
_MEANING_IF_HIDDEN = {tag: meaning for tag, meaning in _MEANING.items() if tag != "noscript"}

LinkPieces = tuple[Element, int, int]
"""An anchor, its first piece and the end of its pieces."""


class Containers:
    """The block elements of a page as parallel lists in document order; the first is the page itself."""

    __slots__ = ("hints", "kind", "parent", "tag")

    def __init__(self) -> None:
        self.parent = [0]
        self.tag = ["page"]
        self.kind: list[BlockKind] = ["paragraph"]
        self.hints = [0]

    def add(self, parent: int, tag: str, element: Element, hints: int) -> int:
        """Append an element with the hints known so far; return its place."""
        # Classes of html and body describe the page ("single-post has-sidebar"), not the text below.
        hints = 0 if tag in ("html", "body") else hints | HINT_OF_TAG.get(tag, 0) | find_class_hints(element)
        self.parent.append(parent)
        self.tag.append(tag)
        self.kind.append(_choose_kind(tag, self.kind[parent], hints))
        self.hints.append(hints)
        return len(self.parent) - 1


class Fragment:
    """A run of text with its pieces and its links."""

    __slots__ = ("container", "link_chars", "links", "pieces", "text")

    def __init__(
        self, container: int, text: str, link_chars: int, pieces: list[str], links: list[LinkPieces]
    ) -> None:
        self.container = container
        self.text = text
        self.link_chars = min(link_chars, len(text))
        self.pieces = pieces
        self.links = links


def _choose_kind(tag: str, outer: BlockKind, hints: int) -> BlockKind:
    """Return the kind of text in `tag`, given the kind of the element around it."""
    if outer == "navigation" or hints & NAVIGATION:
        return "navigation"
    if tag == "p" and outer == "table cell":  # layout tables contain paragraphs
        return "paragraph"
    return KIND_OF_TAG.get(tag, outer)


def _find_hidden_elements(tree: Tree | Element) -> set[Element]:
    """Return the elements that are hidden by their own attributes."""
    return {
        *tree.select("[hidden]"),
        *tree.select("[aria-hidden=true]"),
        *(element for element in tree.select("[style]") if HIDING_STYLE.search(element.attr("style") or "")),
    }


def is_hidden(element: Element) -> bool:
    """Say whether an element is hidden by its own attributes, or as it is for browsers without scripts."""
    return (
        element.tag in UNREAD_TAGS
        or element.attr("hidden") is not None
        or element.attr("aria-hidden") == "true"
        or HIDING_STYLE.search(element.attr("style") or "") is not None
    )


class _LayoutWalk:
    """The state of one pass: the current place and the unfinished run of text."""

    def __init__(
        self, hidden: set[Element], hints_of_roles: dict[Element, int], meaning: dict[str, int]
    ) -> None:
        self.hidden = hidden
        self.meaning = meaning
        self.hints_of_roles = hints_of_roles
        self.containers = Containers()
        self.fragments: list[Fragment] = []
        self.container = 0
        self.open_anchor: Element | None = None
        self.anchor_start = 0
        self.anchor_recorded = False
        """Whether the open link is recorded in an earlier run already."""
        self.pieces: list[str] = []
        self.links: list[LinkPieces] = []
        self.link_chars = 0
        self.breaks = 0
        self.has_words = False

    def open(self, element: Element) -> int:
        """Enter an element; return its meaning, which `close` needs."""
        tag = element.tag
        meaning = self.meaning.get(tag, _INLINE)
        if meaning == _UNREAD:
            return _UNREAD
        if meaning == _BREAK:
            self.break_line()
            return _BREAK
        if element in self.hidden:
            return _UNREAD
        if meaning == _BLOCK:
            if self.pieces or self.links:
                self.flush()
            hints = self.hints_of_roles.get(element, 0)
            self.container = self.containers.add(self.container, tag, element, hints)
        elif meaning == _LINK:
            if element.attr("href") is None:
                return _INLINE
            self.open_link(element)
        return meaning

    def close(self, meaning: int) -> None:
        """Leave a block or a link that `open` entered."""
        if meaning == _BLOCK:
            if self.pieces or self.links:
                self.flush()
            self.container = self.containers.parent[self.container]
        else:
            if self.open_anchor is not None and (self.pieces or not self.anchor_recorded):
                self.links.append((self.open_anchor, self.anchor_start, len(self.pieces)))
            self.open_anchor = None

    def open_link(self, anchor: Element) -> None:
        """Start a link; two links side by side are two words even without a space."""
        if self.links and self.links[-1][2] == len(self.pieces):
            self.pieces.append(" ")
        self.open_anchor = anchor
        self.anchor_start = len(self.pieces)
        self.anchor_recorded = False

    def add_text(self, text: str) -> None:
        """Add a text node to the run; half of all text nodes are white space between blocks, where the run is empty."""
        if text.isspace():
            if self.pieces:
                self.pieces.append(text)
            return
        self.pieces.append(text)
        self.breaks = 0
        self.has_words = True
        if self.open_anchor:
            self.link_chars += len(" ".join(text.split()))

    def break_line(self) -> None:
        """Add a line break; the second in a row ends a paragraph, but not a piece of code."""
        self.breaks += 1
        if self.breaks > 1 and self.containers.kind[self.container] != "code":
            self.flush()
        else:
            self.pieces.append("\n")

    def flush(self) -> None:
        """End the run of text; a link that is still open continues in the next run."""
        if self.has_words:
            if self.open_anchor:
                self.links.append((self.open_anchor, self.anchor_start, len(self.pieces)))
                self.anchor_recorded = True
            text = self._make_text()
            if text:
                self.fragments.append(
                    Fragment(self.container, text, self.link_chars, self.pieces, self.links)
                )
            self.link_chars = 0
            self.has_words = False
        self.pieces, self.links = [], []
        self.anchor_start = 0
        self.breaks = 0

    def _make_text(self) -> str:
        joined = "".join(self.pieces)
        if self.containers.kind[self.container] == "code":
            return joined.strip("\n").rstrip()
        return " ".join(joined.split())


def lay_out(tree: Tree | Element, *, show_hidden: bool = False) -> tuple[Containers, list[Fragment]]:
    """Walk a tree, or an element, once, without recursion, and return its block elements and its runs of text.

    With `show_hidden`, hidden elements and those for browsers without scripts are part of it.
    Cost: O(nodes + characters), at any depth.
    """
    hidden = set() if show_hidden else _find_hidden_elements(tree)
    walk = _LayoutWalk(hidden, find_role_hints(tree), _MEANING_IF_HIDDEN if show_hidden else _MEANING)
    ancestors: list[tuple[Iterator[Node], int]] = [(iter(tree.children), _INLINE)]
    while ancestors:
        children, meaning = ancestors[-1]
        for child in children:
            if isinstance(child, Text):
                walk.add_text(child.data)
            elif isinstance(child, Element) and (below := walk.open(child)) >= _INLINE:
                inside = child.children
                if len(inside) > 1 or (inside and not isinstance(inside[0], Text)):
                    ancestors.append((iter(inside), below))
                    break
                # Two of three elements have one text or nothing inside, so there is no need to descend.
                for text in inside:
                    walk.add_text(text.text)
                if below > _INLINE:
                    walk.close(below)
        else:
            ancestors.pop()
            if meaning > _INLINE:
                walk.close(meaning)
    walk.flush()
    return walk.containers, walk.fragments
