"""The words around each link: what a reader reads before, in and after it within the same block."""

import re
from typing import TYPE_CHECKING

import msgspec

from gossamer.net.document import Document
from gossamer.net.url import resolver

if TYPE_CHECKING:
    from gossamer.net.fragments import Fragment

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")


class LinkWords(msgspec.Struct, frozen=True, gc=False):
    """A link and the words near it, in reading order, without punctuation."""

    link: int
    """Where the link stands in `Document.links`."""
    before: tuple[str, ...]
    inside: tuple[str, ...]
    after: tuple[str, ...]


def link_places(document: Document) -> dict[int, int]:
    """Return where each anchor of the tree, by its `mem_id`, stands among the document's links.

    Both are in page order, so they are gone through side by side; an anchor whose address was refused when
    the page was read has no place. Cost: O(links).
    """
    resolve = resolver(document.base)
    places: dict[int, int] = {}
    waiting = (place for place, link in enumerate(document.links) if link.type == "a")
    place = next(waiting, None)
    for anchor in document.tree.css("a[href]"):
        if place is None:
            break
        href = anchor.attributes["href"]
        if href is not None and resolve(href) == document.links[place].url:
            places[anchor.mem_id] = place
            place = next(waiting, None)
    return places


def words_in(fragment: "Fragment", places: dict[int, int], reach: int) -> list[LinkWords]:
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
