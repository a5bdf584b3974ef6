"""The pages around one page in the link graph: those that link to it, and those that share neighbours with it."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from gossamer.net.url import TYPED_RULES, canonical, page_id
from gossamer.records import PageLink
from gossamer.store.batch import Store

_MOST_LINKING = 10_000
_MOST_HOPS = 5
# How many links of a page, and to a page, are read to find its neighbours: more take long and change little.
_MOST_NEIGHBOURS = 40
_MOST_SIMILAR = 500
NAMING_TYPES = frozenset({"a", "area"})
"""Types of links whose text names the target."""
_SCHEMES = ("https://", "http://")

InLinkCounts = Callable[[list[int]], list[int]]
"""Returns how many pages link to each of some pages; 0 if unknown."""
LinkTexts = dict[int, tuple[str, ...]]
"""By page: the texts of its links."""


def find_page(store: Store, address: str) -> int:
    """Return the id of the page at an address; without a scheme, prefer https, then http, if the web has the page.

    Raises `BadUrl` if it is not an address.
    """
    addresses = [address] if "://" in address else [scheme + address for scheme in _SCHEMES]
    pages = [page_id(canonical(one, rules=TYPED_RULES)) for one in addresses]
    return next((page for page in pages if store.url(page) is not None), pages[0])


def find_linking_pages(store: Store, page: int) -> LinkTexts:
    """Return the pages that link to a page, directly or through redirects, with the texts of their links.

    Cost: a look-up for the page and for each address that redirects to it.
    """
    found: dict[int, dict[str, None]] = {}
    seen, ends = {page}, [page]
    for _ in range(_MOST_HOPS):
        links = [link for end in ends for link in store.links_to(end, _MOST_LINKING)]
        ends = [link.source for link in links if link.type == "redirect" and link.source not in seen]
        seen.update(ends)
        for link in links:
            if link.type in NAMING_TYPES and link.source != page:
                found.setdefault(link.source, {})[link.text] = None
        if not ends:
            break
    return {source: tuple(filter(None, texts)) for source, texts in found.items()}


def score_neighbours(
    store: Store, page: int, in_links: InLinkCounts, ignored: AbstractSet[int] = frozenset()
) -> dict[int, float]:
    """Return how near other pages are to a page by links, from 0 to 1, which is the page itself; only the nearest pages.

    Pages are near when the same pages link to them, or when they link to the same pages. A shared neighbour counts more
    the fewer links it has, so that menus count little; links to ignored targets do not count. Source: Amsler 1972; weights of Adamic and Adar 2003.
    Cost: a look-up for each of at most 80 neighbours.
    """
    near: defaultdict[int, float] = defaultdict(float)
    for others in _group_by_neighbour(store, page, in_links, ignored):
        weight = 1 / math.log(2 + len(others))
        for other in others:
            near[other] += weight
    whole = near.pop(page, 0.0)
    best = sorted(near.items(), key=lambda one: (-one[1], one[0]))[:_MOST_SIMILAR]
    return {other: weight / whole for other, weight in best} if whole else {}


def _group_by_neighbour(
    store: Store, page: int, in_links: InLinkCounts, ignored: AbstractSet[int]
) -> Iterable[set[int]]:
    """Yield, for each neighbour of a page, the pages that share it in the same direction, the page included."""
    for source in {link.source for link in _select_named(store.links_to(page, _MOST_NEIGHBOURS))} - {page}:
        yield ({link.target for link in _select_named(store.links_from(source))} - ignored) | {page}
    for target in _choose_targets(store, page, in_links, ignored):
        yield {link.source for link in _select_named(store.links_to(target, _MOST_NEIGHBOURS))} | {page}


def _choose_targets(store: Store, page: int, in_links: InLinkCounts, ignored: AbstractSet[int]) -> list[int]:
    """Return the most distinctive shared targets of a page: those with the fewest in-links, but more than one.

    A target of all pages takes longest to look up and distinguishes nothing; a target of this page alone is not shared.
    """
    targets = list(dict.fromkeys(link.target for link in _select_named(store.links_from(page))))
    count = dict(zip(targets, in_links(targets), strict=True))
    shared = [target for target in targets if count[target] != 1 and target not in ignored]
    return sorted(shared, key=lambda target: count[target] or math.inf)[:_MOST_NEIGHBOURS]


def _select_named(links: Iterable[PageLink]) -> Iterable[PageLink]:
    return (link for link in links if link.type in NAMING_TYPES)
