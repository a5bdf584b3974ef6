"""What the links around a page say: who links to it, and which pages stand in the same neighbourhood."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable

from gossamer.net.url import canonical, page_id
from gossamer.records import PageLink
from gossamer.store.batch import Store

_MOST_LEADING = 10_000
_MOST_HOPS = 5
# Links of a page and to a page that are looked at when its neighbourhood is: more take long and change little.
_MOST_NEIGHBOURS = 40
_MOST_SIMILAR = 500
NAMING = frozenset({"a", "area"})
_SCHEMES = ("https://", "http://")

InLinks = Callable[[list[int]], list[int]]
"""Tells how many pages link to each of some pages; 0 if that is not known."""
Texts = dict[int, tuple[str, ...]]
"""By page: the texts of its links."""


def page_called(store: Store, told: str) -> int:
    """Return the page that an address means; without a scheme, whichever the web knows.

    Raises `BadUrl` if it is no address.
    """
    spelt = [told] if "://" in told else [scheme + told for scheme in _SCHEMES]
    pages = [page_id(canonical(one)) for one in spelt]
    return next((page for page in pages if store.url(page) is not None), pages[0])


def leading_to(store: Store, page: int) -> Texts:
    """Return the pages that link to a page, each with the texts of its links; redirects lead on.

    Cost: a look-up for the page and for each address that was moved there.
    """
    found: dict[int, dict[str, None]] = {}
    seen, ends = {page}, [page]
    for _ in range(_MOST_HOPS):
        links = [link for end in ends for link in store.links_to(end, _MOST_LEADING)]
        ends = [link.source for link in links if link.type == "redirect" and link.source not in seen]
        seen.update(ends)
        for link in links:
            if link.type in NAMING and link.source != page:
                found.setdefault(link.source, {})[link.text] = None
        if not ends:
            break
    return {source: tuple(filter(None, texts)) for source, texts in found.items()}


def near_by_links(store: Store, page: int, in_links: InLinks) -> dict[int, float]:
    """Return how near other pages stand to a page by links, from 0 to 1 for the page itself; the nearest only.

    Pages are near when the same pages link to them, or when they link to the same pages; a neighbour counts the more
    the fewer links it has, so that menus count little. Source: Amsler 1972; weights of Adamic, Adar 2003.
    Cost: a look-up for each of at most 80 neighbours.
    """
    near: defaultdict[int, float] = defaultdict(float)
    for others in _shared(store, page, in_links):
        weight = 1 / math.log(2 + len(others))
        for other in others:
            near[other] += weight
    whole = near.pop(page, 0.0)
    best = sorted(near.items(), key=lambda one: (-one[1], one[0]))[:_MOST_SIMILAR]
    return {other: weight / whole for other, weight in best} if whole else {}


def _shared(store: Store, page: int, in_links: InLinks) -> Iterable[set[int]]:
    """Yield, for each neighbour of a page, the pages that share it in the same direction, the page included."""
    for source in {link.source for link in _naming(store.links_to(page, _MOST_NEIGHBOURS))} - {page}:
        yield {link.target for link in _naming(store.links_from(source))} | {page}
    for target in _telling_targets(store, page, in_links):
        yield {link.source for link in _naming(store.links_to(target, _MOST_NEIGHBOURS))} | {page}


def _telling_targets(store: Store, page: int, in_links: InLinks) -> list[int]:
    """Return those pages that a page links to of which it says most that others do, too: those with the fewest links.

    What all pages link to takes longest to look up and says nothing; what only this page links to neither.
    """
    targets = list(dict.fromkeys(link.target for link in _naming(store.links_from(page))))
    led_here = dict(zip(targets, in_links(targets), strict=True))
    shared = [target for target in targets if led_here[target] != 1]
    return sorted(shared, key=lambda target: led_here[target] or math.inf)[:_MOST_NEIGHBOURS]


def _naming(links: Iterable[PageLink]) -> Iterable[PageLink]:
    return (link for link in links if link.type in NAMING)
