"""Finds the words before, in and after each link within the same block."""

import re
from typing import TYPE_CHECKING

import msgspec

from gossamer.net.html.document import Document
from gossamer.net.html.parse_tree import Element
from gossamer.net.url.resolve_links import LinkResolver

if TYPE_CHECKING:
    from gossamer.net.main_text.fragments import Fragment

# Mail, script and telephone links do not lead to pages.
_ANCHORS_TO_PAGES = 'a[href]:not([href^="mailto:" i]):not([href^="javascript:" i]):not([href^="tel:" i])'
_NOT_TO_PAGES = ("mailto:", "javascript:", "tel:")
_WORD = re.compile(r"\w+(?:['’\-]\w+)*")


class LinkWords(msgspec.Struct, frozen=True, gc=False):
    """A link and the words near it, in reading order, without punctuation."""

    link: int
    """The place of the link in `Document.links`."""
    before: tuple[str, ...]
    inside: tuple[str, ...]
    after: tuple[str, ...]


def find_link_places(document: Document) -> dict[Element, int]:
    """Return the place of each anchor of the tree in the document's links.

    Both are in page order, and every link has an anchor; so if their numbers are equal, they correspond one to one.
    Otherwise `read` refused some anchors, and the URLs show which.
    Cost: O(links).
    """
    places = [place for place, kind in enumerate(document.links.types) if kind == "a"]
    if not places:
        return {}
    anchors = document.tree.select(_ANCHORS_TO_PAGES)
    if len(anchors) == len(places):
        return dict(zip(anchors, places, strict=True))
    resolve = LinkResolver(document.base).resolve
    found: dict[Element, int] = {}
    for anchor in anchors:
        href = anchor.attr("href")
        if len(found) < len(places) and href is not None:
            place = places[len(found)]
            if resolve(href) == document.links.urls[place]:
                found[anchor] = place
    return found


def find_places_of_hrefs(document: Document, hrefs: list[str]) -> dict[int, int]:
    """Return the place of each href of the page in the document's links; the same as `find_link_places`."""
    places = [place for place, kind in enumerate(document.links.types) if kind == "a"]
    if not places:
        return {}
    anchors = [index for index, href in enumerate(hrefs) if not href.lower().startswith(_NOT_TO_PAGES)]
    if len(anchors) == len(places):
        return dict(zip(anchors, places, strict=True))
    resolve = LinkResolver(document.base).resolve
    found: dict[int, int] = {}
    for anchor in anchors:
        if len(found) < len(places):
            place = places[len(found)]
            if resolve(hrefs[anchor]) == document.links.urls[place]:
                found[anchor] = place
    return found


def find_words(fragment: "Fragment", places: dict[Element, int], reach: int) -> list[LinkWords]:
    """Return the words around each link of one fragment. Cost: O(characters + links × reach)."""
    words: list[str] = []
    starts = [0]
    for piece in fragment.pieces:
        words += _WORD.findall(piece)
        starts.append(len(words))
    return [
        LinkWords(
            link=places[anchor],
            before=tuple(words[max(0, starts[first] - reach) : starts[first]]),
            inside=tuple(words[starts[first] : starts[end]]),
            after=tuple(words[starts[end] : starts[end] + reach]),
        )
        for anchor, first, end in fragment.links
        if anchor in places
    ]
