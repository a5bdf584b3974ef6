"""The records of a page: the document, its headings and its text blocks."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec

from gossamer.net.html.link_columns import PageLinks

if TYPE_CHECKING:
    from gossamer.net.html.parse_tree import Tree

Guard = Callable[[], AbstractContextManager[None]]
"""Returns a context in which a page is parsed."""
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
    """An HTML page. `blocks` reads more of it on demand."""

    url: str
    """The URL of the page."""
    encoding: str
    """The WHATWG name of its encoding."""
    title: str
    base: str
    """The URL against which relative links are resolved."""
    lang: str
    """As declared on the html element; not reliable."""
    canonical: str
    """The canonical URL that the page declares, or ""."""
    description: str
    keywords: str
    author: str
    robots: tuple[tuple[str, str], ...]
    """Metas (name, content) for robots, as input of `robots.directives`; with `revisit-after`."""
    refresh_s: float | None
    """Seconds of a meta refresh; its target, if any, is among the links."""
    links: PageLinks
    """In page order."""
    headings: tuple[Heading, ...]
    text: str
    """The visible text, one space between words, a line for each block."""
    source: bytes
    """The source of the page, in UTF-8."""
    links_cut: int = 0
    """How many links were left out because the page has too many."""
    reduced: str = ""
    """How the page was reduced before it was parsed, because its tree would have been too large."""

    @cached_property
    def tree(self) -> "Tree":
        """The tree of the parser, built on first use, for `blocks` only."""
        from gossamer.net.html.parse_tree import parse_page

        with self.__dict__.get("guard", nullcontext)():
            return parse_page(self.source)

    def set_guard(self, guard: Guard) -> None:
        """Set the context in which the page is parsed, if it ever is."""
        self.__dict__["guard"] = guard

    def keep(self, tree: "Tree", serialized: bytes) -> None:
        """Set the tree and its source, if the page has been parsed already."""
        self.__dict__["tree"] = tree
        self.__dict__["serialized"] = serialized

    @property
    def serialized(self) -> bytes | None:
        """The source of the tree of a malformed page; None for a page that was not parsed by `read`."""
        return self.__dict__.get("serialized")


class Block(msgspec.Struct, frozen=True):
    """A run of text that a reader sees as one piece."""

    text: str
    kind: BlockKind
    link_density: float
    """Share of its characters inside links, 0 to 1."""
    main: bool
    """Whether it is main content, not navigation or boilerplate."""
    links: tuple[int, ...] = ()
    """The places of its links in `Document.links`."""
