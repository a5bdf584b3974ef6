"""Where a page stands in its site: the way to it from a start, the pages of the site that link to it, and those it links to.

Source: Rückspiegel and the site maps of Wollenweber (docs/sources.md), chapters 4 and 7.
"""

from collections.abc import Iterable, Sequence

import msgspec

from gossamer.navigate.link_card import read_address
from gossamer.net import url as urls
from gossamer.records import Page
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.search.links.static_rank import read_ranks
from gossamer.web import Web

MOST_NEIGHBOURS = 12
"""Neighbours in each direction: more do not fit into a panel."""
_MOST_LINKS = 1_000
_MOST_STEPS = 20


class PlacedPage(msgspec.Struct, frozen=True):
    """A page on the map of a site."""

    url: str
    title: str


class PagePlace(msgspec.Struct, frozen=True):
    """Where a page stands in its site, as far as the collection knows the site."""

    site: str
    way: tuple[PlacedPage, ...]
    """From a start of the collection to the page: each links to the next. Only the page itself, if no way is known."""
    before: tuple[PlacedPage, ...]
    """Pages of the site that link to it, those with the highest rank first, without the last step of the way."""
    after: tuple[PlacedPage, ...]
    """Pages of the site to which it links, in the same order."""
    left_out: int
    """How many further neighbours there are."""


def find_place_in_site(web: Web, address: str) -> PagePlace:
    """Return the place of a page in its site; raise `BadInput` if the address is none.

    Cost: at most 1,000 links of each page on the way, and their records.
    """
    url = read_address(address)
    site, own = urls.site(urls.host(url)), urls.page_id(url)
    way = _find_way(web, own, site)
    taken = {page.id for page in way} | {own}
    sources = (link.source for link in web.store.links_to(own, _MOST_LINKS) if link.type in NAMING_TYPES)
    targets = (link.target for link in web.store.links_from(own)[:_MOST_LINKS] if link.type in NAMING_TYPES)
    before = _sort_best(web, _select(web, sources, site, taken))
    after = _sort_best(web, _select(web, targets, site, taken | {page.id for page in before}))
    itself = web.store.page(own)
    title = itself.title if itself is not None else ""
    return PagePlace(
        site=site,
        way=(*_name(way), PlacedPage(url, title)),
        before=_name(before[:MOST_NEIGHBOURS]),
        after=_name(after[:MOST_NEIGHBOURS]),
        left_out=max(0, len(before) - MOST_NEIGHBOURS) + max(0, len(after) - MOST_NEIGHBOURS),
    )


def _find_way(web: Web, own: int, site: str) -> list[Page]:
    """Return the pages before one: of each, that of the site which is nearest to a start links to the next."""
    way, seen, page = list[Page](), {own}, web.store.page(own)
    at, depth = own, page.depth if page is not None else _MOST_STEPS
    while depth > 0 and len(way) < _MOST_STEPS:
        sources = [
            link.source for link in web.store.links_to(at, _MOST_LINKS)
        ]  # of any type: it was found by it
        nearer = [one for one in _select(web, sources, site, seen) if one.depth < depth]
        if not nearer:
            break
        step = min(nearer, key=lambda one: (one.depth, len(one.url), one.url))
        way.append(step)
        seen.add(step.id)
        at, depth = step.id, step.depth
    return way[::-1]


def _select(web: Web, ids: Iterable[int], site: str, left_out: set[int]) -> list[Page]:
    wanted = dict.fromkeys(one for one in ids if one not in left_out)
    pages = web.store.pages_by_id(wanted)
    return [pages[one] for one in wanted if one in pages and urls.site(pages[one].host) == site]


def _sort_best(web: Web, pages: Sequence[Page]) -> list[Page]:
    ranks = read_ranks(web.index_folder if web.index_folder.is_dir() else None)
    by_page = ranks.look_up("rank", [page.id for page in pages])
    order = sorted(zip(by_page, pages, strict=True), key=lambda one: (-one[0], one[1].depth, one[1].url))
    return [page for _, page in order]


def _name(pages: Iterable[Page]) -> tuple[PlacedPage, ...]:
    return tuple(PlacedPage(page.url, page.title) for page in pages)
