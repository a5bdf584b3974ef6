"""How a parsed page lies before a reader: its block elements and the runs of text between their edges.

One pass over the tree, without recursion, gives two lists. `Containers` are the block elements in document
order, as parallel lists with the parent's place; `Fragment` is a run of text that no block edge, rule or
double line break interrupts. Everything else about blocks is worked out from these two.
"""

import re
from collections.abc import Iterator

from gossamer.net.html.document import BlockKind
from gossamer.net.html.parse_tree import Element, Node, Text, Tree
from gossamer.net.html.tag_meanings import BLOCK_TAGS, HEADING_TAGS, UNREAD_TAGS
from gossamer.net.main_text.class_name_hints import HINT_OF_TAG, Hint, hints_of_names, hints_of_roles

_KIND_OF_TAG: dict[str, BlockKind] = {
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
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NAVIGATION = int(Hint.NAV_TAG)
# What a node means to the walk. Leaves come first: their children are not looked at.
_UNREAD, _BREAK, _INLINE, _BLOCK, _LINK = range(5)
_MEANING: dict[str, int] = {
    **dict.fromkeys(UNREAD_TAGS, _UNREAD),
    **dict.fromkeys(BLOCK_TAGS, _BLOCK),
    "br": _BREAK,
    "a": _LINK,
}

LinkPieces = tuple[Element, int, int]
"""An anchor, its first piece, the end of its pieces."""


class Containers:
    """The block elements of a page as parallel lists in document order; the first is the page itself."""

    __slots__ = ("hints", "kind", "parent", "tag")

    def __init__(self) -> None:
        self.parent = [0]
        self.tag = ["page"]
        self.kind: list[BlockKind] = ["paragraph"]
        self.hints = [0]

    def add(self, parent: int, tag: str, element: Element, hints: int) -> int:
        """Append an element, of which some hints are known already, and return its place."""
        # Classes of html and body describe the page ("single-post has-sidebar"), not the text below.
        hints = 0 if tag in ("html", "body") else hints | HINT_OF_TAG.get(tag, 0) | hints_of_names(element)
        self.parent.append(parent)
        self.tag.append(tag)
        self.kind.append(_kind(tag, self.kind[parent], hints))
        self.hints.append(hints)
        return len(self.parent) - 1


class Fragment:
    """A run of text with the pieces it was put together from and the links that stand in it."""

    __slots__ = ("container", "link_chars", "links", "pieces", "text")

    def __init__(
        self, container: int, text: str, link_chars: int, pieces: list[str], links: list[LinkPieces]
    ) -> None:
        self.container = container
        self.text = text
        self.link_chars = min(link_chars, len(text))
        self.pieces = pieces
        self.links = links


def _kind(tag: str, outer: BlockKind, hints: int) -> BlockKind:
    """Return what text in `tag` is, given what its surroundings are."""
    if outer == "navigation" or hints & _NAVIGATION:
        return "navigation"
    if tag == "p" and outer == "table cell":  # tables that lay out a page hold paragraphs
        return "paragraph"
    return _KIND_OF_TAG.get(tag, outer)


def _hidden_elements(tree: Tree) -> set[Element]:
    """Return the elements whose own attributes keep them from the reader."""
    return {
        *tree.select("[hidden]"),
        *tree.select("[aria-hidden=true]"),
        *(element for element in tree.select("[style]") if _HIDING_STYLE.search(element.attr("style") or "")),
    }


class _Walk:
    """The state of one pass: where we are and the run of text that is not finished yet."""

    def __init__(self, hidden: set[Element], hints_of_roles: dict[Element, int]) -> None:
        self.hidden = hidden
        self.hints_of_roles = hints_of_roles
        self.containers = Containers()
        self.fragments: list[Fragment] = []
        self.container = 0
        self.open_anchor: Element | None = None
        self.anchor_start = 0
        self.anchor_told = False
        """Whether the open link was entered with an earlier run already."""
        self.pieces: list[str] = []
        self.links: list[LinkPieces] = []
        self.link_chars = 0
        self.breaks = 0
        self.has_words = False

    def open(self, element: Element) -> int:
        """Take in an element and say what it means, and so what its end will mean."""
        tag = element.tag
        meaning = _MEANING.get(tag, _INLINE)
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
            if self.open_anchor is not None and (self.pieces or not self.anchor_told):
                self.links.append((self.open_anchor, self.anchor_start, len(self.pieces)))
            self.open_anchor = None

    def open_link(self, anchor: Element) -> None:
        """Begin a link; two links side by side are two words even without a space."""
        if self.links and self.links[-1][2] == len(self.pieces):
            self.pieces.append(" ")
        self.open_anchor = anchor
        self.anchor_start = len(self.pieces)
        self.anchor_told = False

    def add_text(self, text: str) -> None:
        """Add a text node to the run; half of all are the white space between blocks, before which there is none."""
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
        """Take in a line break: the second in a row ends a paragraph, but not a piece of code."""
        self.breaks += 1
        if self.breaks > 1 and self.containers.kind[self.container] != "code":
            self.flush()
        else:
            self.pieces.append("\n")

    def flush(self) -> None:
        """End the run of text here; a link that is still open goes on in the next run."""
        if self.has_words:
            if self.open_anchor:
                self.links.append((self.open_anchor, self.anchor_start, len(self.pieces)))
                self.anchor_told = True
            text = self._readable()
            if text:
                self.fragments.append(
                    Fragment(self.container, text, self.link_chars, self.pieces, self.links)
                )
            self.link_chars = 0
            self.has_words = False
        self.pieces, self.links = [], []
        self.anchor_start = 0
        self.breaks = 0

    def _readable(self) -> str:
        joined = "".join(self.pieces)
        if self.containers.kind[self.container] == "code":
            return joined.strip("\n").rstrip()
        return " ".join(joined.split())


def lay_out(tree: Tree, *, show_hidden: bool = False) -> tuple[Containers, list[Fragment]]:
    """Walk the tree once, without recursion, and return its block elements and its runs of text.

    Cost: O(nodes + characters), whatever the depth.
    """
    walk = _Walk(set() if show_hidden else _hidden_elements(tree), hints_of_roles(tree))
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
                # Two of three elements hold one text or nothing: no need to go down and up again.
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
