"""Backlinks: the pages of a collection that link to a page, the best first, each with the words around its link.

Source: Rückspiegel, Wollenweber (docs/sources.md), section 7.2.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.navigate.link_card import read_address
from gossamer.navigate.link_marks import list_relevant
from gossamer.navigate.plugin_line import PluginLine
from gossamer.net import url as urls
from gossamer.net.dates import parse_date
from gossamer.net.main_text.text_blocks import words_around_some
from gossamer.records import Page, PageLink
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.search.links.static_rank import read_ranks
from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.opening.web_name import quote_web
from gossamer.store.page_pictures import find_place
from gossamer.web import Web

MOST_SHOWN = 100
"""Pages of one answer."""
_MOST_LINKS = 4_000
"""Links that are looked at: the best of these are shown, and all are counted."""
_WITH_WORDS = 10
"""Pages of one answer whose archived copy is read for the words around their link."""
_REACH = 12
_MOST_HOPS = 5
_MOST_ENDS = 100
"""Addresses that redirect to a page: thousands of them would be as many look-ups."""
_MOST_SITES = 20
_OK = 200
_JUST_NOW_S = 60.0
BacklinkOrder = Literal["best", "latest"]
"""`best`: by PageRank. `latest`: the pages that were written last come first."""


class Backlink(msgspec.Struct, frozen=True):
    """A page that links to the one that was asked for."""

    url: str
    title: str
    site: str
    anchor: str
    """The text of the link."""
    before: str = ""
    after: str = ""
    """The words around the link, of the first few pages."""
    language: str = ""
    fetched_s: float = 0.0
    in_links: int = 0
    written_s: float = 0.0
    """When it was written: as its server says, or else when the collection first fetched it."""
    topics: tuple[str, ...] = ()
    """Those to which it is relevant."""
    has_picture: bool = False
    """Whether there is a small picture of it."""


class SiteCount(msgspec.Struct, frozen=True):
    """How many of the pages are of one site."""

    name: str
    count: int


class Backlinks(msgspec.Struct, frozen=True):
    """The pages that link to a page, as far as the collection knows them."""

    url: str
    title: str
    known: bool
    """Whether the collection has the page itself."""
    links: int
    """All links to it that the collection knows, those of other types, such as pictures, included; of a page with more than 4,000,
    the number of pages that linked to it when the web was last indexed."""
    found: int
    """Pages with a link in their text, after the filter; at most those of the first 4,000 links."""
    offset: int
    items: tuple[Backlink, ...]
    sites: tuple[SiteCount, ...]
    collect: str
    """The command that collects pages around it."""
    lines: tuple[PluginLine, ...] = ()
    """What plug-ins of the server add."""


def find_backlinks(
    web: Web,
    address: str,
    offset: int = 0,
    count: int = 20,
    site: str = "",
    *,
    topic: str = "",
    order: BacklinkOrder = "best",
) -> Backlinks:
    """Return pages that link to an address, of one site or relevant to one topic if asked; raise `BadInput` if it is no address.

    Cost: the addresses of at most 4,000 pages; with a topic or the order `latest`, their records, too.
    """
    url = read_address(address)
    ends, links = read_links(web.store, urls.page_id(url))
    anchors = _read_anchors(links, ends)
    # Of thousands of pages, the host is needed, to count and to choose; only those that are shown are read.
    hosts = {one: urls.host(address) for one, address in web.store.page_urls(anchors).items()}
    sites = {host: urls.site(host) for host in set(hosts.values())}
    wanted = site.strip().lower()
    chosen = [one for one, host in hosts.items() if not wanted or wanted in (sites[host], host)]
    if topic.strip():
        chosen = _choose_relevant(web.store, chosen, topic.strip())
    sort = _sort_latest if order == "latest" else _sort_best
    shown = sort(web, chosen)[offset : offset + min(count, MOST_SHOWN)]
    pages = web.store.pages_by_id(shown)
    own = web.store.page(ends[0])
    names = Counter(sites[host] for host in hosts.values()).most_common(_MOST_SITES)
    return Backlinks(
        url=url,
        title=own.title if own is not None else "",
        known=own is not None,
        links=_count_links(web, ends, links),
        found=len(chosen),
        offset=offset,
        items=tuple(_describe(web, [pages[one] for one in shown if one in pages], anchors, ends)),
        sites=tuple(SiteCount(name, number) for name, number in names),
        collect=f"gossamer crawl {shlex.quote(url)} --scope any --depth 1 --web {quote_web(web.folder)}",
    )


def read_links(store: Store, page: int) -> tuple[list[int], list[PageLink]]:
    """Return a page and the addresses that redirect to it, and the first links that lead to any of them.

    Cost: at most 4,000 links and 100 addresses are read, however many there are.
    """
    ends, links = {page: None}, list[PageLink]()
    new, left = [page], _MOST_LINKS
    for _ in range(_MOST_HOPS):
        near = list[PageLink]()
        for end in new:
            near += store.links_to(end, left - len(near)) if left > len(near) else []
        links, left = links + near, left - len(near)
        sources = dict.fromkeys(one.source for one in near if one.type == "redirect")
        new = [one for one in sources if one not in ends][: _MOST_ENDS - len(ends)]
        ends |= dict.fromkeys(new)
        if not new or not left:
            break
    return list(ends), links


def _read_anchors(links: Sequence[PageLink], ends: Sequence[int]) -> dict[int, str]:
    """Return the text of the first of some links of each page, the pages of `ends` left out."""
    found, left_out = dict[int, str](), set(ends)
    for link in links:
        if link.type in NAMING_TYPES and link.source not in left_out:
            found[link.source] = found.get(link.source) or link.text
    return found


def _count_links(web: Web, ends: Sequence[int], links: Sequence[PageLink]) -> int:
    """Return how many links lead to some addresses: those that were read, or all; the index knows that of popular pages at once."""
    if len(links) < _MOST_LINKS:
        return len(links)
    ranks = read_ranks(web.index_folder if web.index_folder.is_dir() else None)
    known = sum(ranks.look_up("in_links", ends))
    return known if known >= len(links) else sum(web.store.count_links_to(end) for end in ends)


def _sort_best(web: Web, pages: Sequence[int]) -> list[int]:
    ranks = read_ranks(web.index_folder if web.index_folder.is_dir() else None)
    ids = np.array(pages, np.int64)
    order = np.lexsort((ids, -np.array(ranks.look_up("rank", ids), np.int64)))
    best: list[int] = ids[order].tolist()
    return best


def _choose_relevant(store: Store, pages: Sequence[int], topic: str) -> list[int]:
    records = store.pages_by_id(pages)
    return [one for one in pages if one in records and topic in list_relevant(records[one].marks)]


def _sort_latest(web: Web, pages: Sequence[int]) -> list[int]:
    written = _find_dates(web.store, web.store.pages_by_id(pages).values())
    return sorted(written, key=lambda one: (-written[one], one))


def _find_dates(store: Store, pages: Iterable[Page]) -> dict[int, float]:
    """Return when each page was written: as its server said, or else when the collection first had it.

    A server may say the time of the request, or one that is still to come: such pages count by their first visit, too.
    """
    found, unsaid = dict[int, float](), dict[int, float]()
    for page in pages:
        said = parse_date(page.last_modified)
        if said is not None and said.timestamp() < page.fetched_s - _JUST_NOW_S:
            found[page.id] = said.timestamp()
        else:
            unsaid[page.id] = page.fetched_s
    for one, visits in store.visits_of_pages(unsaid).items():
        fetched = [visit.when_s for visit in visits if visit.result == "fetched"]
        unsaid[one] = min([unsaid[one], *fetched])
    return found | unsaid


def _describe(
    web: Web, pages: Sequence[Page], anchors: dict[int, str], ends: Sequence[int]
) -> list[Backlink]:
    reader = open_reader(Path(web.folder) / "archive")
    in_links = read_ranks(web.index_folder if web.index_folder.is_dir() else None)
    written = _find_dates(web.store, pages)
    described = []
    for at, page in enumerate(pages):
        before, after = _read_words(page, reader, set(ends)) if at < _WITH_WORDS else ("", "")
        described.append(
            Backlink(
                page.url,
                page.title,
                urls.site(urls.host(page.url)),
                anchors[page.id],
                before,
                after,
                page.language,
                page.fetched_s,
                in_links.look_up("in_links", [page.id])[0],
                written[page.id],
                tuple(list_relevant(page.marks)),
                page.archive and find_place(web.store, page.id, "small") is not None,
            )
        )
    return described


def _read_words(page: Page, reader: ArchiveReader, ends: set[int]) -> tuple[str, str]:
    """Return the words before and after the link of a page; none if the page allows no copies or is not in the archive."""
    if page.kind != "html" or page.status != _OK or not page.archive:
        return "", ""
    document = read_document(page, reader)
    if document is None:
        return "", ""
    places = {at for at, url in enumerate(document.links.urls) if urls.page_id(url) in ends}
    if not places:
        return "", ""
    for words in words_around_some(document, places, _REACH):
        if words.before or words.after:
            return " ".join(words.before), " ".join(words.after)
    return "", ""
