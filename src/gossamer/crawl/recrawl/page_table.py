"""The pages of a web as columns, with the history of their changes: the input of a schedule.

Cost: a walk over pages, their notes and their links; 2.8 s of processor time and 0.14 GB for 100,000 pages with three million
links, growing in proportion. Only numbers are kept: URLs are looked up for the pages that are visited.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.crawl.read_page import REVISIT_AFTER
from gossamer.crawl.recrawl.sitemap_hints import LISTS, SitemapHint, SitemapHints
from gossamer.crawl.visit.revisit import add_other_visits, read_changed_s
from gossamer.freshness.change_history import (
    AFTER_PAGES,
    DAY_S,
    ROOM,
    PageHistory,
    decode_host_note,
    decode_page_note,
    host_note_name,
    page_note_name,
)
from gossamer.freshness.change_rate import Evidence, Floats, Ints
from gossamer.freshness.conditional_request import bucket_to_days
from gossamer.freshness.learn_from_visit import read_date_hint
from gossamer.freshness.page_weight import weigh_pages
from gossamer.freshness.rate_priors import Groups
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.store.click_counts import all_openings
from gossamer.store.links.template_marks import read_content_targets

_NOTES_AT_ONCE = 10_000
_LIST_WEIGHT = 4.0
"""The weight of a sitemap or feed, which announces many pages, against one of them."""
# A hint counts as half a visit: a few visits outweigh what the page or its host announces.
_HINT_WEIGHT = 0.5

RankFunction = Callable[[Ints], Floats]
"""Returns a number for each page, such as its rank as a multiple of the average."""


class PageTable(msgspec.Struct, frozen=True, eq=False):
    """The pages of a web, one row each."""

    ids: Ints
    hosts: list[str]
    task: Ints
    """The task that fetched the page."""
    groups: Groups
    seen_s: Floats
    """When the copy was last known to be current."""
    tried_s: Floats
    gone_times: Ints
    """How often in a row it could not be fetched."""
    out: NDArray[np.bool_]
    """Whether the page is given up."""
    visited: NDArray[np.bool_]
    """Whether the page was ever revisited; otherwise there are only hints."""
    announced: NDArray[np.bool_]
    """Whether a sitemap or a feed says that it has changed since."""
    weight: Floats
    evidence: Evidence
    silent_s: Floats
    """For each host, since when it does not answer; 0 if it does."""
    crawl_delay_s: Floats
    """For each host, the pause that its robots.txt asks for."""


class _PageRows:
    """Collects the rows of pages, some 80 bytes each."""

    def __init__(self) -> None:
        self.hosts: dict[str, int] = {}
        self.kinds: dict[tuple[str, str], int] = {}
        self.ids, self.task, self.host = array("q"), array("q"), array("q")
        self.kind, self.gone = array("q"), array("q")
        self.seen_s, self.tried_s, self.quiet_days = array("d"), array("d"), array("d")
        self.dated, self.relevance = array("d"), array("d")
        self.out, self.lists, self.visited = bytearray(), bytearray(), bytearray()
        self.owners, self.gaps, self.times = array("q"), array("d"), array("d")

    def add(self, page: Page, known: PageHistory | None) -> None:
        note = add_other_visits(known or PageHistory(), page)
        quiet_days, dated = note.quiet_days, note.dated
        if known is None:  # once it was revisited, its own changes count, and not the time before
            quiet_days, dated = read_date_hint(page.fetched_s, read_changed_s(page))
        if after := page.marks.get(REVISIT_AFTER):
            quiet_days, dated = quiet_days + _HINT_WEIGHT * float(after) / DAY_S, dated + _HINT_WEIGHT
        for gap, times in note.gaps.items():
            self.owners.append(len(self.ids))
            self.gaps.append(bucket_to_days(gap))
            self.times.append(times)
        self.ids.append(page.id)
        self.task.append(page.task)
        self.host.append(self.hosts.setdefault(page.host, len(self.hosts)))
        self.kind.append(self.kinds.setdefault(_classify(page), len(self.kinds)))
        self.gone.append(note.gone_times)
        self.seen_s.append(note.seen_s)
        self.tried_s.append(note.tried_s)
        self.quiet_days.append(quiet_days)
        self.dated.append(dated)
        self.relevance.append(_read_relevance(page))
        self.out.append(note.out)
        self.visited.append(known is not None)
        self.lists.append(page.kind in LISTS)


def read_pages(
    store: Store,
    hints: SitemapHints | None = None,
    rank_of: RankFunction | None = None,
    readings_of: RankFunction | None = None,
) -> PageTable:
    """Read the pages of a web with their histories, hints and weights.

    `readings_of` returns how often a person has read pages; that counts like openings of answers.
    """
    notes = dict(_read_histories(store))
    rows = _PageRows()
    lists = []
    for page in store.pages():
        rows.add(page, notes.pop(page_note_name(page.id), None))
        if page.kind in LISTS:
            lists.append(page)
    ids = np.array(rows.ids, np.int64)
    links = rank_of(ids) if rank_of is not None else _count_in_links(store, ids)
    opened = _count_openings(store, ids) + (readings_of(ids) if readings_of is not None else 0.0)
    weight = weigh_pages(links, np.array(rows.relevance), opened)
    silent = [decode_host_note(store.note(ROOM, host_note_name(host))).silent_s for host in rows.hosts]
    quiet_days, dated = np.array(rows.quiet_days), np.array(rows.dated)
    announced = _apply_hints(hints.read(lists) if hints is not None else {}, rows, quiet_days, dated)
    return PageTable(
        ids,
        list(rows.hosts),
        np.array(rows.task, np.int64),
        Groups(np.array(rows.host, np.int64), np.array(rows.kind, np.int64)),
        np.array(rows.seen_s),
        np.array(rows.tried_s),
        np.array(rows.gone, np.int64),
        np.array(rows.out, np.bool_),
        np.array(rows.visited, np.bool_),
        announced,
        weight * np.where(np.array(rows.lists, np.bool_), _LIST_WEIGHT, 1.0),
        Evidence(
            quiet_days, dated, np.array(rows.owners, np.int64), np.array(rows.gaps), np.array(rows.times)
        ),
        np.array(silent, np.float64),
        np.array([_crawl_delay_s(store, host) for host in rows.hosts], np.float64),
    )


def _crawl_delay_s(store: Store, host: str) -> float:
    note = store.host(host)
    return note.crawl_delay_s if note is not None else 0.0


def _apply_hints(
    hints: Mapping[int, SitemapHint], rows: _PageRows, quiet_days: Floats, dated: Floats
) -> NDArray[np.bool_]:
    """Add what sitemaps and feeds say of pages; return which of them are said to have changed."""
    announced = np.zeros(len(rows.ids), np.bool_)
    for place, page in enumerate(rows.ids) if hints else ():
        hint = hints.get(page)
        if hint is None:
            continue
        announced[place] = hint.changed_s > rows.seen_s[place]
        # Only where the page itself gives no date.
        if hint.changed_s and not rows.visited[place] and not quiet_days[place]:
            quiet_days[place], dated[place] = read_date_hint(rows.seen_s[place], hint.changed_s)
        if hint.every_days:
            quiet_days[place] += _HINT_WEIGHT * hint.every_days
            dated[place] += _HINT_WEIGHT
    return announced


def _read_histories(store: Store) -> Iterator[tuple[str, PageHistory]]:
    """Yield the histories of all pages by note name."""
    after = ""
    while found := [one for one in store.notes(ROOM, after, _NOTES_AT_ONCE) if one[0] < AFTER_PAGES]:
        yield from ((name, decode_page_note(data)) for name, data in found)
        after = found[-1][0]


def _classify(page: Page) -> tuple[str, str]:
    """Return the kind of a page: pages of one kind on one host change alike."""
    parts = urlsplit(page.url)
    if parts.query:
        return page.kind, "query"
    if parts.path in ("", "/"):
        return page.kind, "front"
    return page.kind, "list" if parts.path.endswith("/") or "/index." in parts.path else "leaf"


def _read_relevance(page: Page) -> float:
    try:
        return float(page.marks.get("relevance", -1.0))
    except ValueError:
        return -1.0


def _count_openings(store: Store, ids: Ints) -> Floats:
    """Return how often each page was opened by people."""
    times = {page: opened.times for page, opened in all_openings(store)}
    return np.array([times.get(page, 0) for page in ids.tolist()], np.float64)


def _count_in_links(store: Store, ids: Ints) -> Floats:
    """Count the links that lead to each page; a template that repeats a link does not make its target more important."""
    order = np.argsort(ids)
    ascending = ids[order]
    counts = np.zeros(len(ids))
    for targets in read_content_targets(store) if len(ids) else ():
        at = np.minimum(np.searchsorted(ascending, targets), len(ids) - 1)
        counts += np.bincount(order[at[ascending[at] == targets]], minlength=len(ids))
    return counts
