"""Finds what a style sheet refers to: `url(…)` and `@import`, with their places in the source.

Source: CSS Syntax Level 3, sections 4.3.4 to 4.3.6 (strings, urls, escapes). Comments and strings are skipped as a tokenizer does.
"""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

CssKind = Literal["css-url", "css-import"]


class CssReference(msgspec.Struct, frozen=True, gc=False):
    """One reference of a style sheet."""

    kind: CssKind
    url: str
    """With its escapes decoded."""
    start: int
    """Where the address begins in the source, in bytes, inside its quotes."""
    end: int
    quote: str
    """The quotation mark around the address; "" if there is none."""


# Every quantifier is possessive, so that hostile sheets take linear time.
_TOKEN = re.compile(
    rb"""/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+"""
    # These name documents and vocabularies; nothing is fetched.
    rb"""|@(?:namespace|(?:-moz-)?document)(?![\w-])[^;{}]*+"""
    rb"""|(?P<import>@import(?![\w-]))"""
    rb"""|(?<![\w-])url\([ \t\r\n\f]*+(?:(?P<mark>["'])(?P<quoted>(?:(?!(?P=mark))[^\\\n\r\f]|\\(?:\r\n|[\s\S]))*+)"""
    rb"""|(?P<bare>(?:[^\s"'()\\]|\\(?:[0-9a-f]{1,6}+[ \t\r\n\f]?+|[^\n\r\f]))*+)(?=[ \t\r\n\f]*+(?:\)|\Z)))"""
    rb"""|(?P<string>["'])(?P<text>(?:(?!(?P=string))[^\\\n\r\f]|\\(?:\r\n|[\s\S]))*+)["']?+"""
    rb"""|(?P<stop>[;{}])"""
    rb"""|\\.""",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\n\r\f])|(.))", re.DOTALL)
_MAY_REFER = re.compile(rb"url\(|@import", re.IGNORECASE)


def find_css_references(source: bytes, start: int = 0, end: int | None = None) -> Iterator[CssReference]:
    """Yield the references of a style sheet, or of the part of a page that holds one, in order.

    Cost: O(length). Bytes that are not UTF-8 are replaced in the address, not in the places.

    >>> [(found.kind, found.url) for found in find_css_references(b"@import 'a.css'; p { background: url(b.png) }")]
    [('css-import', 'a.css'), ('css-url', 'b.png')]
    """
    end = len(source) if end is None else end
    if _MAY_REFER.search(source, start, end) is None:
        return
    imports = False
    for token in _TOKEN.finditer(source, start, end):
        if token["import"]:
            imports = True
        elif token["stop"]:
            imports = False
        else:
            found = _read_token(token, imports)
            if found is not None:
                yield found
                imports = False


def _read_token(token: re.Match[bytes], imports: bool) -> CssReference | None:
    """Return the reference in a token; None if it is a comment, a plain string or an empty address."""
    kind: CssKind = "css-import" if imports else "css-url"
    if token["quoted"] is not None:
        return _make_reference(kind, token, "quoted", token["mark"].decode())
    if token["bare"] is not None:
        return _make_reference(kind, token, "bare", "")
    if token["text"] is not None and imports:
        return _make_reference(kind, token, "text", token["string"].decode())
    return None


def _make_reference(kind: CssKind, token: re.Match[bytes], group: str, quote: str) -> CssReference | None:
    url = decode_css_escapes(token[group].decode("utf-8", "replace"))
    return CssReference(kind, url, token.start(group), token.end(group), quote) if url.strip() else None


def decode_css_escapes(text: str) -> str:
    r"""Return a string or address of CSS without its escapes.

    >>> decode_css_escapes(r"a\20 b\29")
    'a b)'
    """
    return _ESCAPE.sub(_decode_escape, text) if "\\" in text else text


def _decode_escape(match: re.Match[str]) -> str:
    if match[1]:
        code = int(match[1], 16)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"
    return match[3] or ""
