"""Parses pages with turbohtml, which builds the tree of the HTML standard in C and is imported only here.

docs/decisions/0003-html-parser.md says why it is this parser, and at which risk.
"""

from turbohtml import Document as Tree
from turbohtml import Element, SelectorSyntaxError, Text, parse
from turbohtml import Node as Node

from gossamer.errors import BadInput
from gossamer.net.html.parser_limits import LimitedSource, limit_source

__all__ = [
    "Element",
    "Node",
    "Text",
    "Tree",
    "find_elements",
    "find_place",
    "parse_limited",
    "parse_page",
    "select_elements",
    "serialize",
]


def parse_page(page: str | bytes) -> Tree:
    """Parse any page, given as text or in UTF-8, as a browser without scripts does, within `parser_limits`."""
    return parse_limited(limit_source(page.encode("utf-8", "replace") if isinstance(page, str) else page))


def parse_limited(page: LimitedSource) -> Tree:
    """Parse a page whose limits were checked."""
    # A shadow root would be outside the tree, with all its links.
    tree = parse(page.source.decode("utf-8", "replace"), allow_declarative_shadow_roots=False)
    for template in tree.find_all("template"):
        template.decompose()  # not part of the page until a script uses it
    return tree


def serialize(tree: Tree) -> bytes:
    """Return a tree as the source of a page, in UTF-8."""
    return tree.html.encode("utf-8", "replace")


def find_elements(tree: Tree, tag: str) -> list[Element]:
    """Return all elements with this tag in page order. The tree indexes them by tag, so this is cheap."""
    return tree.find_all(tag)


def select_elements(tree: Tree, selector: str) -> list[Element]:
    """Return all elements that a CSS selector matches, in page order; raise BadInput if it is not a selector."""
    try:
        return tree.select(selector)
    except (SelectorSyntaxError, ValueError) as error:
        raise BadInput(f"{selector!r} is not a CSS selector: {error}") from None


def find_place(element: Element) -> tuple[int, int]:
    """Return the line and column of an element in the source, to sort elements with different tags.

    Searching the tree for several tags at once visits every element, which costs more than recording these positions.
    """
    return element.position or (0, 0)
