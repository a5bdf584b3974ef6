"""What one parse of a page yields: the document, its headings and its text blocks."""

from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec

from gossamer.net.html.link_columns import Links

if TYPE_CHECKING:
    from gossamer.net.html.parse_tree import Tree

BlockKind = Literal[
    "paragraph",
    "heading",
    "list item",
    "table cell",
    "quote",
    "code",
    "caption",
    "navigation",
    "form",
    "other",
]


class Heading(msgspec.Struct, frozen=True, gc=False):
    """A heading, h1 to h6."""

    level: int
    text: str


class Document(msgspec.Struct, frozen=True, dict=True):
    """A page of HTML, read once. `blocks` reads more when somebody asks."""

    url: str
    """Where it came from."""
    encoding: str
    """WHATWG name of the encoding it was decoded with."""
    title: str
    base: str
    """What relative links on it are resolved against."""
    lang: str
    """As declared on the html element, not trusted."""
    canonical: str
    """The canonical URL it declares for itself, or ""."""
    description: str
    keywords: str
    author: str
    robots: tuple[tuple[str, str], ...]
    """Metas (name, content) that speak to robots, for `robots.directives`; `revisit-after` included."""
    refresh_s: float | None
    """Seconds of a meta refresh; its target, if any, is among the links."""
    links: Links
    """In page order."""
    headings: tuple[Heading, ...]
    text: str
    """The words a reader sees, one space between words, a line for each block where the page has them."""
    source: bytes
    """The page itself, in UTF-8."""

    @cached_property
    def tree(self) -> "Tree":
        """The parser's tree, for `blocks` only: built when first asked for."""
        from gossamer.net.html.parse_tree import parsed

        return parsed(self.source.decode())

    def keep(self, tree: "Tree") -> None:
        """Spare `tree` a parse that was made already."""
        self.__dict__["tree"] = tree


class Block(msgspec.Struct, frozen=True):
    """A run of text that a reader sees as one piece, in reading order."""

    text: str
    kind: BlockKind
    link_density: float
    """Share of its characters that stand inside links, 0 to 1."""
    main: bool
    """Part of what a reader came for, as against navigation and boilerplate."""
    links: tuple[int, ...] = ()
    """Where its links stand in `Document.links`."""
