"""Rewrite the links of pages and style sheets so that they work inside a mirror. Only addresses change, byte for byte.

Links to files of the mirror become relative, others absolute. What a page needs to be shown never becomes absolute: where
the mirror does not have it, its address leads to the file that it would have, so that an opened page asks no server.
"""

import html
import re
from collections.abc import Callable
from urllib.parse import quote

from gossamer.crawl.page_requisites import REQUISITE_KINDS
from gossamer.mirror.keep_working import find_charset_edit, find_harmful_attributes
from gossamer.net import encoding
from gossamer.net.css_references import find_css_references
from gossamer.net.html.references import Reference, read_references
from gossamer.net.url.resolve_links import LinkResolver

Edit = tuple[int, int, bytes]
"""The bytes from the first to the second place are replaced."""
Locate = Callable[[str, bool], str | None]
"""Returns the path of a canonical URL; None if the mirror does not have it. The second argument says that a page needs it to
be shown; then it always has a path."""

_LOADED = REQUISITE_KINDS | {"preload", "manifest"}
_ABSOLUTE = frozenset(("canonical", "post-form", "meta-url", "meta-image"))
# Characters that need no escape in an address, in any attribute, list of candidates or style sheet.
_SAFE = "/~@+-._!$*:?=;%&#"
_FRAGMENT_SAFE = "/~@+-._!$*:?=;%&"
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._~@+=-]*+\Z")
_MOST_REMEMBERED = 200_000
# Bytes of these cannot be searched for ASCII tags.
_NOT_ASCII_BASED = frozenset(("UTF-16LE", "UTF-16BE", "ISO-2022-JP", "replacement"))
_MARK = b"\xef\xbb\xbf"


class LinkRewriter:
    """Rewrites the pages and styles of one mirror."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._relative: dict[tuple[str, str], str] = {}
        """The way from a folder to a file, escaped."""

    def rewrite_page(self, source: bytes, url: str, path: str, content_type: str | None) -> bytes:
        """Return an HTML page as it is written to a path; its encoding is kept, unless it is not based on ASCII."""
        mark, name = encoding.encoding_of(source, content_type)
        if name in _NOT_ASCII_BASED:
            source, mark, name = _MARK + encoding.as_utf8(source, content_type)[0], len(_MARK), "UTF-8"
        found = read_references(source)
        resolver = LinkResolver(url)
        base = (resolver.resolve(found.base) if found.base else None) or url
        if base != url:
            resolver = LinkResolver(base)
        edits: list[Edit] = []
        end = 0
        for one in sorted(found.references, key=_get_start):
            if one.start < end:  # two readings of the same bytes
                continue
            written = one.url if one.url.isascii() else _decode_address(source, one, name)
            new = self._make_address(one.kind, written, url, path, resolver, found.base != "")
            if new is not None and new != one.url:
                edits.append((one.start, one.end, _escape(new, one.syntax, one.quote)))
                end = one.end
        edits += find_harmful_attributes(source)
        if not mark:
            edits += find_charset_edit(source, name)
        return _apply(source, edits)

    def rewrite_style(self, source: bytes, url: str, path: str) -> bytes:
        """Return a style sheet as it is written to a path."""
        resolver = LinkResolver(url)
        edits = []
        for one in find_css_references(source):
            new = self._make_address(one.kind, one.url, url, path, resolver, has_base=False)
            if new is not None and new != one.url:
                edits.append((one.start, one.end, _escape(new, "css", one.quote)))
        return _apply(source, edits)

    def _make_address(
        self, kind: str, written: str, url: str, path: str, resolver: LinkResolver, has_base: bool
    ) -> str | None:
        """Return the address to write instead of another one; None if that stays."""
        if kind in ("base", "hint"):  # addresses are relative to the file, and hints would only connect
            return ""
        if not has_base and (not written or written[0] == "#"):
            return None
        target = resolver.resolve(written)
        if target is None:
            return None
        fragment = written.partition("#")[2]
        end = "#" + quote(fragment, _FRAGMENT_SAFE) if fragment else ""
        found = None if kind in _ABSOLUTE else self._locate(target, kind in _LOADED)
        if found is None:
            return quote(target, _SAFE) + end
        if end and found == path:
            return end
        return self._find_way(path.rpartition("/")[0], found) + end

    def _find_way(self, folder: str, path: str) -> str:
        key = folder, path
        way = self._relative.get(key)
        if way is None:
            if len(self._relative) >= _MOST_REMEMBERED:
                self._relative.clear()
            way = self._relative[key] = make_relative(folder, path)
        return way


def make_relative(folder: str, path: str) -> str:
    """Return the way from a folder of the mirror to a file, as an address.

    >>> make_relative("a.example/docs", "a.example/pictures/x y.png")
    '../pictures/x%20y.png'
    """
    here, there = folder.split("/") if folder else [], path.split("/")
    same = 0
    for mine, its in zip(here, there[:-1], strict=False):
        if mine != its:
            break
        same += 1
    way = "../" * (len(here) - same) + "/".join(there[same:])
    return way if _PLAIN_PATH.match(way) else quote(way, "/~@+-._=")


def _get_start(reference: Reference) -> int:
    return reference.start


def _decode_address(source: bytes, reference: Reference, name: str) -> str:
    """Return an address with characters beyond ASCII as the encoding of its page has them."""
    if name == "UTF-8" or reference.syntax not in ("attribute", "srcset"):
        return reference.url
    text, _ = encoding.decode(source[reference.start : reference.end], f"text/html; charset={name}")
    return html.unescape(text)


def _escape(address: str, syntax: str, mark: str) -> bytes:
    """Return an address as bytes of a page; an empty one gets quotes if it has none, so that it swallows nothing."""
    if not address and not mark and syntax == "attribute":
        return b'""'
    if syntax == "srcset":
        address = address.replace(",", "%2C")
    if syntax != "css":
        address = address.replace("&", "&amp;")
    return address.encode("ascii", "replace")


def _apply(source: bytes, edits: list[Edit]) -> bytes:
    """Return the source with all edits; where two overlap, the first one counts."""
    if not edits:
        return source
    pieces, at = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if start >= at:
            pieces += [source[at:start], new]
            at = end
    pieces.append(source[at:])
    return b"".join(pieces)
