"""The parser of pages: turbohtml, which builds the tree of the HTML standard in C, and is imported only here.

Why this one, and what it costs to trust it: docs/decisions/0003-html-parser.md.
"""

from turbohtml import Document as Tree
from turbohtml import Element, Text, parse
from turbohtml import Node as Node

from gossamer.net.html.parser_limits import tame

__all__ = ["Element", "Node", "Text", "Tree", "elements", "parsed", "place_of"]


def parsed(text: str) -> Tree:
    """Parse a page, whatever it is, as a browser without scripts does."""
    # A shadow root would stand outside the tree, with all its links.
    tree = parse(tame(text), allow_declarative_shadow_roots=False)
    for template in tree.find_all("template"):
        template.clear()  # no part of the page until a script makes it so
    return tree


def elements(tree: Tree, tag: str) -> list[Element]:
    """Return all elements with this tag in page order. The tree keeps them by tag: it costs next to nothing."""
    return tree.find_all(tag)


def place_of(element: Element) -> tuple[int, int]:
    """Return line and column of an element in the source, to put elements with different tags in order.

    To ask the tree for several tags at once costs a look at every element, more than the parser takes to note this.
    """
    return element.position or (0, 0)
