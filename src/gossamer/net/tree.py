"""The parser of pages: turbohtml, which builds the tree of the HTML standard in C, and is imported only here.

Why this one, and what it costs to trust it: docs/decisions/0003-html-parser.md.
"""

from collections.abc import Iterable

from turbohtml import Document as Tree
from turbohtml import Element, Text, parse
from turbohtml import Node as Node

from gossamer.net.tame import tame

__all__ = ["Element", "Node", "Text", "Tree", "elements", "elements_of", "parsed"]


def parsed(text: str) -> Tree:
    """Parse a page, whatever it is, as a browser without scripts does."""
    # Positions in the source would cost a tenth of the parse; trees that are not in the tree would hide their links.
    tree = parse(tame(text), positions=False, allow_declarative_shadow_roots=False)
    for template in tree.find_all("template"):
        template.clear()  # no part of the page until a script makes it so
    return tree


def elements(tree: Tree | Element, tag: str) -> list[Element]:
    """Return all elements with this tag in page order. The tree keeps them by tag: it costs next to nothing."""
    return tree.find_all(tag)


def elements_of(tree: Tree, tags: Iterable[str]) -> list[Element]:
    """Return all elements with any of these tags in page order. It costs a look at every element."""
    return tree.select(",".join(tags))
