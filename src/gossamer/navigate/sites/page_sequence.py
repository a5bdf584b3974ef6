"""The parts of a linear sequence, such as the pages of a tutorial: linked by "next" and "previous", or numbered siblings.

Source: Wollenweber (docs/sources.md), chapter 4: the start and the parts of what is meant to be read in order.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.errors import BadUrl
from gossamer.net import url as urls
from gossamer.net.html.document import Document
from gossamer.net.html.parse_tree import select_elements
from gossamer.records import Page
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

MOST_PARTS = 200
_FEWEST_PARTS = 2
_LONGEST_NUMBER = 4
_NUMBER = re.compile(r"\d+")
_WORDS = {
    "next": frozenset(
        {"next", "next page", "next chapter", "weiter", "nächste seite", "suivant", "siguiente"}
    ),
    "prev": frozenset(
        {"prev", "previous", "previous page", "zurück", "vorherige seite", "précédent", "anterior"}
    ),
}
_NOT_LETTERS = re.compile(r"[^\w ]+")


class PagePart(msgspec.Struct, frozen=True):
    """A page of a sequence."""

    url: str
    title: str


def find_sequence(web: Web, url: str) -> tuple[PagePart, ...]:
    """Return the parts of the sequence to which a page belongs, in order; none if it belongs to no sequence.

    Links with `rel=next` and `rel=prev` count, or with such words as text; without them, pages whose addresses differ from this
    one only by their last number. Parts are pages of the collection, all of one host; at most 200 are returned.
    Cost: reading each part from the archive; for numbered siblings, one look-up.
    """
    pages = _follow_links(web, url) or _find_siblings(web, url)
    return tuple(PagePart(page.url, page.title) for page in pages)


def _follow_links(web: Web, url: str) -> list[Page]:
    own = web.store.page(urls.page_id(url))
    if own is None:
        return []
    walk = _SequenceWalk(web)
    before = list(walk.follow(own, "prev"))[: MOST_PARTS // 2]
    after = list(walk.follow(own, "next"))[: MOST_PARTS - 1 - len(before)]
    # Of a page that many others name as the one before it, such as a start page, nothing follows.
    pages = [*reversed(before), own, *after]
    return pages if len(pages) >= _FEWEST_PARTS else []


class _SequenceWalk:
    """Walks from part to part of a sequence."""

    def __init__(self, web: Web) -> None:
        self._store = web.store
        self._reader = open_reader(Path(web.folder) / "archive")
        self._seen = set[int]()

    def follow(self, page: Page, way: str) -> Iterator[Page]:
        """Yield the pages that come after a page one way, until there is none, or one that was there before."""
        self._seen.add(page.id)
        for _ in range(MOST_PARTS):
            document = read_document(page, self._reader) if page.kind == "html" and page.archive else None
            target = find_neighbour(document, way) if document is not None else ""
            found = self._store.page(urls.page_id(target)) if target else None
            if found is None or found.id in self._seen or found.host != page.host or found.kind != "html":
                return
            self._seen.add(found.id)
            yield found
            page = found


def find_neighbour(document: Document, way: str) -> str:
    """Return the address of the page that a page names as the next or the previous one (`next`, `prev`); "" if it names none."""
    names = ("next",) if way == "next" else ("prev", "previous")
    selector = ", ".join(f'{tag}[rel~="{name}" i][href]' for name in names for tag in ("link", "a"))
    hrefs = [one.attr("href") or "" for one in select_elements(document.tree, selector)]
    if not hrefs:
        hrefs = [
            one.attr("href") or ""
            for one in select_elements(document.tree, "a[href]")
            if _fold(one.text) in _WORDS[way]
        ]
    # Two different pages that are both called "next" make no sequence: the pages of a list and its articles, for example.
    targets = {_resolve(href, document.base) for href in hrefs} - {""}
    return targets.pop() if len(targets) == 1 else ""


def _fold(text: str) -> str:
    return " ".join(_NOT_LETTERS.sub(" ", text[:100].casefold()).split())


def _resolve(href: str, base: str) -> str:
    try:
        return urls.canonical(href.partition("#")[0], base) if href.partition("#")[0] else ""
    except BadUrl:
        return ""


def _find_siblings(web: Web, url: str) -> list[Page]:
    """Return the pages whose addresses have another number in the place of the last one, as far as none is missing."""
    begin = url.find(urlsplit(url).path, url.find("//") + 2)
    numbers = list(_NUMBER.finditer(url, max(begin, 0)))
    if not numbers or begin < 0 or len(numbers[-1][0]) > _LONGEST_NUMBER:
        return []
    last = numbers[-1]
    own, width = int(last[0]), len(last[0]) if last[0].startswith("0") else 0
    around = range(max(0, own - MOST_PARTS), own + MOST_PARTS)
    addresses = {at: f"{url[: last.start()]}{at:0{width}d}{url[last.end() :]}" for at in around}
    ids = {at: urls.page_id(address) for at, address in addresses.items()}
    pages = web.store.pages_by_id(ids.values())
    there = {at: pages[one] for at, one in ids.items() if one in pages and pages[one].kind == "html"}
    first, end = own, own
    while first - 1 in there:
        first -= 1
    while end in there:
        end += 1
    found = [there[at] for at in range(first, end)]
    at_most = max(0, min(own - first - MOST_PARTS // 2, len(found) - MOST_PARTS))
    return found[at_most : at_most + MOST_PARTS] if len(found) >= _FEWEST_PARTS else []
