"""Parses pages with turbohtml, which builds the tree of the HTML standard in C and is imported only here.

docs/decisions/0003-html-parser.md says why it is this parser, and at which risk.
"""

from turbohtml import Document as Tree
from turbohtml import Element, Text, parse
from turbohtml import Node as Node

from gossamer.net.html.parser_limits import remove_harmful_tags

__all__ = ["Element", "Node", "Text", "Tree", "find_elements", "find_place", "parse_page"]


def parse_page(text: str) -> Tree:
    """Parse any page as a browser without scripts does."""
    # A shadow root would be outside the tree, with all its links.
    tree = parse(remove_harmful_tags(text), allow_declarative_shadow_roots=False)
    for template in tree.find_all("template"):
        template.clear()  # not part of the page until a script uses it
    return tree


def find_elements(tree: Tree, tag: str) -> list[Element]:
    """Return all elements with this tag in page order. The tree indexes them by tag, so this is cheap."""
    return tree.find_all(tag)


def find_place(element: Element) -> tuple[int, int]:
    """Return the line and column of an element in the source, to sort elements with different tags.

    Searching the tree for several tags at once visits every element, which costs more than recording these positions.
    """
    return element.position or (0, 0)
