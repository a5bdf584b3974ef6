"""Rewrite the links of pages and style sheets so that they work inside a mirror. Only addresses change, byte for byte.

Links to files of the mirror become relative, others absolute. What a page needs to be shown never becomes absolute: where
the mirror does not have it, its address leads to the file that it would have, so that an opened page asks no server.
"""

import html
import re
from collections.abc import Callable
from operator import itemgetter
from urllib.parse import quote

import msgspec

from gossamer.crawl.page_requisites import REQUISITE_KINDS
from gossamer.mirror.keep_working import find_charset_edit, find_harmful_attributes
from gossamer.net import encoding
from gossamer.net.css_references import find_css_references
from gossamer.net.html.references import AddressPlaces, Reference
from gossamer.net.html.references.find_edits import find_edits
from gossamer.net.html.references.reference_kinds import KINDS
from gossamer.net.html.references.scan_links import list_changes
from gossamer.net.url.resolve_links import LinkResolver

Edit = tuple[int, int, bytes]
"""The bytes from the first to the second place are replaced."""
_NewAddresses = dict[str, str | None]
Locate = Callable[[str, bool], str | None]
"""Returns the path of a canonical URL; None if the mirror does not have it. The second argument says that a page needs it to
be shown; then it always has a path."""

_LOADED = REQUISITE_KINDS | {"preload", "manifest"}
_ABSOLUTE = frozenset(("canonical", "post-form", "meta-url", "meta-image"))
# Characters that need no escape in an address, in any attribute, list of candidates or style sheet.
_SAFE = "/~@+-._!$*:?=;%&#"
_FRAGMENT_SAFE = "/~@+-._!$*:?=;%&"
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._~@+=-]*+\Z")
_PLAIN_URL = re.compile(r"[A-Za-z0-9/~@+._!$*:?=;%&#-]*+\Z")
_EMPTIED = frozenset(("base", "hint"))
_GROUPS = dict.fromkeys(_LOADED, 1) | dict.fromkeys(_ABSOLUTE, 2) | dict.fromkeys(_EMPTIED, 3)
"""Addresses of one group become the same; those in no group are links."""
PLACE_GROUPS = {kind: _GROUPS.get(kind, 0) for kind in KINDS if kind not in _EMPTIED}
"""Kinds of references whose addresses may be told by their bytes, and the group of each."""
_MOST_FOLDERS = 100
_UNKNOWN = "?unknown?"
_UNKNOWN_BYTES = b"?unknown?"
# Addresses that mean something else on every page: none, and a query alone.
_OF_THE_PAGE = ("", "?")
# Bytes of these cannot be searched for ASCII tags.
_NOT_ASCII_BASED = frozenset(("UTF-16LE", "UTF-16BE", "ISO-2022-JP", "replacement"))
_MARK = b"\xef\xbb\xbf"


class _KnownAddresses(msgspec.Struct, frozen=True):
    """What the addresses of one folder become, by kind: kinds that are treated alike share a table."""

    written: dict[str, _NewAddresses]
    """By address, without its fragment; None if it stays."""
    resolver: LinkResolver
    """Of a page in this folder; good for all addresses but those that `_OF_THE_PAGE` begins."""
    raw: dict[str, dict[bytes, bytes | None]]
    """The same as bytes of an attribute, for those that need no decoding."""


class LinkRewriter:
    """Rewrites the pages and styles of one mirror.

    Pages of one folder share most of their addresses, so what each becomes is remembered for each folder.
    """

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._folders: dict[tuple[str, str], _KnownAddresses] = {}
        """By the base of the addresses, and by the folder of the file that they stand in."""

    def rewrite_page(
        self,
        source: bytes,
        url: str,
        path: str,
        content_type: str | None,
        places: AddressPlaces | None = None,
    ) -> bytes:
        """Return an HTML page as it is written to a path; its encoding is kept, unless it is not based on ASCII.

        `places` are those of its addresses, if they are known from reading it.
        """
        if places is not None:
            return self._rewrite_places(source, url, path, places)
        mark, name = encoding.encoding_of(source, content_type)
        if name in _NOT_ASCII_BASED:
            source, mark, name = _MARK + encoding.as_utf8(source, content_type)[0], len(_MARK), "UTF-8"
        base = url
        known = self._remember(url, path)
        edits, unknown, written_base, is_harmful = find_edits(source, known.raw)
        if written_base:
            base = LinkResolver(url).resolve(written_base) or url
            known = self._remember(base, path)
            edits, unknown, _, _ = find_edits(source, known.raw, has_base=True)
        if unknown:
            edits += self._edit_references(source, unknown, base, path, bool(written_base), name)
        if is_harmful:
            edits += find_harmful_attributes(source)
        if not mark:
            edits += find_charset_edit(source, name)
        return _apply(source, edits)

    def _rewrite_places(self, source: bytes, url: str, path: str, places: AddressPlaces) -> bytes:
        """Rewrite a page in UTF-8 without a byte-order mark and without a base: places are found of no other."""
        known = self._remember(url, path)
        new = [known.raw[kind].get(address, _UNKNOWN_BYTES) for kind, address in places.addresses]
        if _UNKNOWN_BYTES in new:
            for number, (kind, address) in enumerate(places.addresses):
                if new[number] is _UNKNOWN_BYTES:
                    new[number] = self._find_new_bytes(kind, address, url, path, known)
        edits = list_changes(places.spots, new)
        if places.references:
            edits += self._edit_references(source, places.references, url, path, False, "UTF-8")
        if places.is_harmful:
            edits += find_harmful_attributes(source)
        edits += find_charset_edit(source, "UTF-8")
        return _apply(source, edits)

    def _find_new_bytes(
        self, kind: str, address: bytes, url: str, path: str, known: _KnownAddresses
    ) -> bytes | None:
        """Return what the bytes of an address become, and remember it; None if they stay."""
        written = address.decode("utf-8", "replace")
        new = known.written[kind].get(written, _UNKNOWN)
        if new is _UNKNOWN:
            new = self._find_new(kind, written, url, path, known)
        becomes = None if new is None or new == written else _escape(new, "attribute", '"')
        if _is_same_on_every_page(kind, written):
            known.raw[kind][address] = becomes
        return becomes

    def rewrite_style(self, source: bytes, url: str, path: str) -> bytes:
        """Return a style sheet as it is written to a path."""
        known = self._remember(url, path)
        edits = []
        for one in find_css_references(source):
            new = known.written["css-url"].get(one.url, _UNKNOWN)
            if new is _UNKNOWN:
                new = self._find_new(one.kind, one.url, url, path, known)
            if new is not None and new != one.url:
                edits.append((one.start, one.end, _escape(new, "css", one.quote)))
        return _apply(source, edits)

    def _edit_references(
        self, source: bytes, references: list[Reference], base: str, path: str, has_base: bool, name: str
    ) -> list[Edit]:
        """Return the edits of all references that have to change; remember what they become."""
        known = self._remember(base, path)
        edits = []
        for one in references:
            written, mark, fragment = one.url.partition("#")
            if not written and not has_base:
                continue
            new = known.written[one.kind].get(written, _UNKNOWN)
            if new is _UNKNOWN or written[:1] in _OF_THE_PAGE:
                if name != "UTF-8" and not written.isascii():
                    written = _decode_address(source, one, name).partition("#")[0]
                new = self._find_new(one.kind, written, base, path, known)
            if one.syntax == "attribute" and _is_same_on_every_page(one.kind, written):
                stays = new is None or new == written
                known.raw[one.kind][written.encode()] = (
                    None if stays else _escape(new or "", "attribute", '"')
                )
            if new is None or new == written:
                continue
            raw = source[one.start : one.end]
            if (
                mark and one.kind not in _EMPTIED and b"&" not in raw and b"#" in raw
            ):  # the fragment stays as it is
                edits.append((one.start, one.start + raw.index(b"#"), _escape(new, one.syntax, '"')))
                continue
            if mark and one.kind not in _EMPTIED:
                new += "#" + quote(fragment, _FRAGMENT_SAFE)
            edits.append((one.start, one.end, _escape(new, one.syntax, one.quote)))
        return edits

    def _remember(self, base: str, path: str) -> _KnownAddresses:
        """Return what is remembered of the addresses in this folder."""
        home = base.partition("?")[0].rpartition("/")[0], path.rpartition("/")[0]
        known = self._folders.get(home)
        if known is None:
            if len(self._folders) >= _MOST_FOLDERS:
                self._folders.clear()
            groups: tuple[_NewAddresses, ...] = {}, {}, {}, {}
            raw: tuple[dict[bytes, bytes | None], ...] = {}, {}, {}, {}
            known = self._folders[home] = _KnownAddresses(
                {kind: groups[_GROUPS.get(kind, 0)] for kind in KINDS},
                LinkResolver(base),
                {kind: raw[_GROUPS.get(kind, 0)] for kind in KINDS},
            )
        return known

    def _find_new(self, kind: str, written: str, base: str, path: str, known: _KnownAddresses) -> str | None:
        """Return the address to write instead of another one, without its fragment; None if that stays."""
        new: str | None
        resolver = LinkResolver(base) if written[:1] in _OF_THE_PAGE else known.resolver
        if kind in _EMPTIED:  # addresses are relative to the file, and hints would only connect
            new = ""
        elif (target := resolver.resolve(written)) is None:
            new = None
        else:
            found = None if kind in _ABSOLUTE else self._locate(target, kind in _LOADED)
            new = make_relative(path.rpartition("/")[0], found) if found is not None else _quote_url(target)
        known.written[kind][written] = new
        return new


def _is_same_on_every_page(kind: str, written: str) -> bool:
    """Say whether an address means the same on every page of a folder, in every encoding."""
    return written.isascii() and written[:1] not in _OF_THE_PAGE and kind not in _EMPTIED


def _quote_url(url: str) -> str:
    """Return a canonical URL as an address; most have nothing to quote."""
    return url if _PLAIN_URL.match(url) else quote(url, _SAFE)


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
    pieces: list[bytes | memoryview] = []
    view, at = memoryview(source), 0  # a page is copied once, not twice
    for start, end, new in sorted(edits, key=itemgetter(0, 1)):
        if start >= at:
            pieces += (view[at:start], new)
            at = end
    pieces.append(view[at:])
    return b"".join(pieces)
