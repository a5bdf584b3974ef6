"""The parser of pages: lexbor, by way of selectolax, which is imported here and nowhere else."""

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

Tree = LexborHTMLParser
Node = LexborNode

# Without mutation events a parse costs 3 % less, and a page of <selectedcontent> no quadratic time.
_OPTIONS = LexborDocumentOptions.WO_EVENTS.value

_ANY_TREE = LexborHTMLParser("")

TEXT = 2
"""Lexbor's number for a text; a test holds it to that."""


def parse(source: bytes) -> Tree:
    """Parse a page in UTF-8, whatever it is, as a browser without scripts does."""
    return LexborHTMLParser(source, options=_OPTIONS)


def tag_ids(names: str) -> frozenset[int]:
    """Return lexbor's numbers for tags, the names of which are separated by white space."""
    return frozenset(_ANY_TREE.create_node(name).tag_id for name in names.split())


def tag_id(name: str) -> int:
    """Return lexbor's number for a tag; comparing numbers costs half of comparing names."""
    return _ANY_TREE.create_node(name).tag_id
