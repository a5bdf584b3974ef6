"""What one page refers to, packed: an integer for each target and fragment instead of an object for each link."""

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol
from urllib.parse import unquote

import msgspec
import numpy as np

from gossamer.crawl.task.link_keys import ids_of
from gossamer.net.css_references import find_css_references
from gossamer.net.encoding import as_utf8, header_encoding
from gossamer.net.encoding.declared_encoding import find_declared_encoding
from gossamer.net.encoding.utf8 import is_utf8
from gossamer.net.html.references import Place, Reference, read_references
from gossamer.net.html.references.find_repairs import find_repairs
from gossamer.net.html.references.reference_kinds import KINDS
from gossamer.net.sitemap import read_sitemap
from gossamer.net.url.resolve_links import LinkResolver

KIND_NAMES = (*KINDS, "sitemap")
KIND_NUMBERS = {name: number for number, name in enumerate(KIND_NAMES)}
UNCHECKED_KINDS = frozenset(("base", "hint", "post-form"))
"""Nothing is to be found at these addresses by asking for them."""
_LOADED = frozenset(
    (
        *(
            "image",
            "srcset",
            "stylesheet",
            "script",
            "icon",
            "frame",
            "iframe",
            "object",
            "embed",
            "video",
            "audio",
        ),
        *(
            "source",
            "track",
            "poster",
            "input",
            "manifest",
            "preload",
            "background",
            "use",
            "css-url",
            "css-import",
        ),
    )
)
"""The kinds that a browser loads together with the page."""
_OTHER_SCHEME = re.compile(r"[\s\x00-\x1f]*(?!https?:)[a-zA-Z][a-zA-Z0-9+.-]*:")
_LINE_END = ord("\n")
_COLUMN_BITS = 24
_MOST_COLUMNS = (1 << _COLUMN_BITS) - 1
_MOST_PLACES = 100
"""So many places of one kind of trouble on one page are kept."""


class PageFacts(msgspec.Struct, frozen=True, array_like=True):
    """What a check needs to know of one page."""

    kinds: bytes = b""
    """One byte a reference: its place in `KIND_NAMES`."""
    targets: bytes = b""
    """The page id of each target, 64 bits each."""
    fragments: bytes = b""
    """The fingerprint of each fragment, likewise; 0 for none."""
    places: bytes = b""
    """The line and column at which each address begins, 64 bits each (`unpack_place`)."""
    ids: bytes = b""
    """The fingerprints of all fragments that the page has."""
    bare_images: bytes = b""
    """Where images without an alt attribute begin."""
    title: str | None = None
    canonical: int = 0
    """The page id of the canonical URL that the page declares; 0 without."""
    encoding: str = ""
    """How the declared encoding differs from the real one; "" if it does not."""
    invalid: Sequence[tuple[int, str]] = ()
    """Addresses that are no URL, with their places."""
    insecure: Sequence[tuple[int, str]] = ()
    """What a page of https loads by http, with its places."""
    repairs: Sequence[tuple[int, str]] = ()
    """Where a parser has to repair the page, and why."""
    is_html: bool = False


class Resolver(Protocol):
    """Finds out which URL a link means."""

    def __getitem__(self, link: str, /) -> str | None:
        """Return the canonical URL of a link without its fragment; None for a link that is no URL of a page."""
        ...


MakeResolver = Callable[[str], Resolver]
"""Makes the resolver of the links that are relative to a URL."""


class ReadFacts(msgspec.Struct, frozen=True):
    """The facts of a page with the URLs that their numbers stand for."""

    facts: PageFacts
    urls: dict[str, int]


def read_html_facts(
    body: bytes, url: str, content_type: str | None, make_resolver: MakeResolver = LinkResolver
) -> ReadFacts:
    """Return the facts of an HTML page. Cost: O(length), about half of what the crawl takes to read it."""
    source, _ = as_utf8(body, content_type)
    found = read_references(source)
    base = (found.base and make_resolver(url)[found.base.partition("#")[0]]) or url
    packed = FactsPacker(make_resolver(base), url.startswith("https:"), source)
    packed.add_all(one for one in found.references if not one.inert and one.kind not in UNCHECKED_KINDS)
    return packed.finish(
        ids=pack_fragments(found.targets),
        bare_images=array("I", found.images_without_alt[:_MOST_PLACES]).tobytes(),
        title=found.title,
        encoding=_compare_encodings(body, content_type),
        repairs=find_repairs(source, _MOST_PLACES),
        is_html=True,
    )


def read_css_facts(body: bytes, url: str, make_resolver: MakeResolver = LinkResolver) -> ReadFacts:
    """Return the facts of a style sheet."""
    packed = FactsPacker(make_resolver(url), url.startswith("https:"), body)
    found = find_css_references(body)
    packed.add_all(Reference(one.kind, one.url, one.start, one.end, one.quote, "css", False) for one in found)
    return packed.finish()


def read_sitemap_facts(
    body: bytes, url: str, content_type: str | None, make_resolver: MakeResolver = LinkResolver
) -> ReadFacts:
    """Return the facts of a sitemap or feed: the pages that it lists."""
    listed = read_sitemap.read(body, url, content_type)
    packed = FactsPacker(make_resolver(url), False, b"")
    packed.add_all(
        Reference("sitemap", one.loc, 0, 0, "", "attribute", False)
        for one in (*listed.entries, *listed.sitemaps)
    )
    return packed.finish()


def normalise_fragment(fragment: str) -> str:
    """Return what a fragment names; "" for the top of the page, which always exists (HTML standard, section 7.4.6.4)."""
    fragment = fragment.partition(":~:")[0]
    if "%" in fragment:
        fragment = unquote(fragment)
    return "" if fragment.lower() == "top" else fragment


def pack_fragments(names: Iterable[str]) -> bytes:
    """Return the fingerprints of the fragments that a page has."""
    named = [name for name in names if name]
    fingerprints = ids_of(named)
    return array("q", [fingerprints[name] for name in named]).tobytes()


def pack_places(source: bytes, offsets: "array[int]") -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Return the lines and columns of some bytes, one number each: looking them up later would mean reading the page again."""
    ends = np.flatnonzero(np.frombuffer(source, np.uint8) == _LINE_END)
    starts = np.concatenate([np.zeros(1, np.int64), ends + 1])
    at = np.frombuffer(offsets, np.uint32).astype(np.int64)
    lines = np.searchsorted(starts, at, side="right")
    packed: np.ndarray[Any, np.dtype[np.int64]] = (lines << _COLUMN_BITS) | np.minimum(
        at - starts[lines - 1] + 1, _MOST_COLUMNS
    )
    return packed


def unpack_place(packed: int) -> Place:
    """Return the place that `pack_places` packed; its column counts bytes."""
    return Place(packed >> _COLUMN_BITS, packed & _MOST_COLUMNS)


class FactsPacker:
    """Resolves the references of one page and packs them."""

    def __init__(self, resolver: Resolver, is_secure: bool, source: bytes) -> None:
        self._source = source
        self._resolver = resolver
        self._is_secure = is_secure
        self._kinds = bytearray()
        self._urls: list[str] = []
        self._fragments: list[str] = []
        self._offsets = array("I")
        self._invalid: list[tuple[int, str]] = []
        self._insecure: list[tuple[int, str]] = []
        self._canonical = ""

    def add_all(self, references: Iterable[Reference]) -> None:
        """Resolve references and keep them."""
        resolver, numbers = self._resolver, KIND_NUMBERS
        for one in references:
            address, kind = one.url, one.kind
            mark = address.find("#")
            target = resolver[address[: mark + 1] or address]
            if target is None:
                self._add_unresolved(one)
                continue
            if self._is_secure and kind in _LOADED and target.startswith("http:"):
                self._insecure.append((one.start, target))
            if kind == "canonical" and not self._canonical:
                self._canonical = target
            self._kinds.append(numbers[kind])
            self._urls.append(target)
            self._fragments.append(address[mark + 1 :] if mark >= 0 else "")
            self._offsets.append(one.start)

    def _add_unresolved(self, one: Reference) -> None:
        """Note an address that cannot be read; mailto: and other schemes are none of our business."""
        if not _OTHER_SCHEME.match(one.url) and one.url.strip():
            self._invalid.append((one.start, one.url[:500]))

    def finish(
        self,
        ids: bytes = b"",
        bare_images: bytes = b"",
        title: str | None = None,
        encoding: str = "",
        repairs: Sequence[tuple[int, str]] = (),
        is_html: bool = False,
    ) -> ReadFacts:
        """Return the facts of the page with what else is known of it."""
        urls = ids_of(self._urls)
        named = [normalise_fragment(one) if one else "" for one in self._fragments]
        fingerprints = ids_of([one for one in named if one])
        fingerprints[""] = 0
        facts = PageFacts(
            bytes(self._kinds),
            array("q", [urls[one] for one in self._urls]).tobytes(),
            array("q", [fingerprints[one] for one in named]).tobytes(),
            pack_places(self._source, self._offsets).tobytes(),
            ids,
            bare_images,
            title,
            urls.get(self._canonical, 0),
            encoding,
            self._invalid[:_MOST_PLACES],
            self._insecure[:_MOST_PLACES],
            repairs,
            is_html,
        )
        return ReadFacts(facts, urls)


def _compare_encodings(body: bytes, content_type: str | None) -> str:
    """Say how the declared encodings differ from each other, or from the bytes; "" if they do not."""
    in_header = header_encoding(content_type) if content_type else None
    in_page = find_declared_encoding(body)
    if in_header and in_page and in_header != in_page:
        return f"the server says {in_header}, the page {in_page}"
    declared = in_header or in_page
    if body.isascii() or declared is None:
        return "" if body.isascii() or is_utf8(body) else "no encoding is declared, and the page is not UTF-8"
    if declared == "UTF-8":
        return (
            ""
            if is_utf8(body.removeprefix(b"\xef\xbb\xbf"))
            else "UTF-8 is declared, and the bytes are not UTF-8"
        )
    if declared.startswith("UTF-16"):
        return ""
    return f"{declared} is declared, and the bytes are UTF-8" if is_utf8(body) else ""
