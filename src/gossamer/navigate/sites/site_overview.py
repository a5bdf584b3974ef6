"""The overview of a site: how many pages of it are in the collection and how deep, where it begins, what is new on it."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec
import numpy as np

from gossamer.navigate.link_card import read_address
from gossamer.navigate.sites.page_sequence import PagePart, find_sequence
from gossamer.net import url as urls
from gossamer.records import Page, Visit
from gossamer.search.links.static_rank import read_ranks
from gossamer.store.batch import Store
from gossamer.web import Web

_MOST_PAGES = 20_000
"""Pages that are looked at; of a larger site, those with the highest ranks."""
_MOST_COMPARED = 2_000
_MOST_CHANGED = 50
_SUCCESS = 2


class DepthCount(msgspec.Struct, frozen=True):
    """How many pages were found at a depth: so many links from a start page."""

    depth: int
    pages: int


class ChangedPage(msgspec.Struct, frozen=True):
    """A page that is new, or has another text than before."""

    url: str
    title: str
    changed_s: float
    is_new: bool
    """Whether the collection did not have it before."""


class SiteOverview(msgspec.Struct, frozen=True):
    """A site, as far as the collection knows it."""

    site: str
    pages: int
    """Pages of it in the index."""
    looked_at: int
    """How many of them the rest is about: at most 20,000, those with the highest ranks."""
    depths: tuple[DepthCount, ...]
    start: str
    """Where it begins; "" if the collection has no page of it."""
    changed: tuple[ChangedPage, ...]
    """Since the time that was asked for, the latest first; at most 50."""
    sequence: tuple[PagePart, ...]
    """The parts of the sequence to which the page belongs."""
    since_s: float = 0.0
    """The time that was asked for; 0 without one."""


def describe_site(web: Web, address: str, since_s: float | None = None) -> SiteOverview:
    """Return the overview of the site of an address; raise `BadInput` if it is no address, and `NoIndex` without an index.

    Without a time, nothing is listed as changed.
    """
    url = read_address(address)
    site = urls.site(urls.host(url))
    ids = web.pages_matching(f'site:"{site}"')
    chosen = ids.tolist()
    if len(chosen) > _MOST_PAGES:
        ranks = read_ranks(web.index_folder if web.index_folder.is_dir() else None)
        order = np.argsort(-np.array(ranks.look_up("rank", ids), np.int64), kind="stable")
        chosen = ids[order[:_MOST_PAGES]].tolist()
    pages = list(web.store.pages_by_id(chosen).values())
    depths = Counter(page.depth for page in pages)
    return SiteOverview(
        site=site,
        pages=len(ids),
        looked_at=len(pages),
        depths=tuple(DepthCount(depth, depths[depth]) for depth in sorted(depths)),
        start=_choose_start(pages, urls.host(url)),
        changed=_list_changed(web.store, pages, since_s) if since_s is not None else (),
        sequence=find_sequence(web, url),
        since_s=since_s or 0.0,
    )


def _choose_start(pages: Sequence[Page], host: str) -> str:
    """Return the page with the shortest way from a start page, one of the same host first; of several, the shortest address."""

    def weigh(page: Page) -> tuple[bool, bool, int, int, str]:
        is_root = urlsplit(page.url).path in ("", "/") and not urlsplit(page.url).query
        return page.host != host, not is_root, page.depth, len(page.url), page.url

    readable = [page for page in pages if page.kind == "html" and page.status // 100 == _SUCCESS]
    return min(readable, key=weigh).url if readable else ""


def _list_changed(store: Store, pages: Sequence[Page], since_s: float) -> tuple[ChangedPage, ...]:
    """Return the pages whose text is not the one that the collection had at a time."""
    fetched = sorted((page for page in pages if page.fetched_s >= since_s), key=lambda page: -page.fetched_s)
    by_id = {page.id: page for page in fetched[:_MOST_COMPARED]}
    visits = store.visits_of_pages(by_id)
    found = (_find_change(page, visits.get(page.id, ()), since_s) for page in by_id.values())
    changed = sorted((one for one in found if one is not None), key=lambda one: (-one.changed_s, one.url))
    return tuple(changed[:_MOST_CHANGED])


def _find_change(page: Page, visits: Sequence[Visit], since_s: float) -> ChangedPage | None:
    fetched = [one for one in visits if one.result == "fetched" and one.status // 100 == _SUCCESS]
    before = [one.text_digest for one in fetched if one.when_s < since_s]
    after = [one for one in fetched if one.when_s >= since_s]
    if not after or (before and after[-1].text_digest == before[-1]):
        return None
    newest = after[-1].text_digest
    first = next(one for one in after if one.text_digest == newest)
    return ChangedPage(page.url, page.title, first.when_s, not before)
