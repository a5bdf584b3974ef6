"""The report of a crawl: pages by depth and relevance, precision by depth, harvest (Schmitz 2001, section 3.1)."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
import numpy as np
from msgspec.structs import replace

from gossamer.assess.judgements import decide_verdicts, get_sample, list_samples, read_judgements
from gossamer.assess.records import Item, Sample
from gossamer.assess.results.precision import Precision, compute_precisions
from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.graph.structure.statistics import count_by_relevance
from gossamer.store.batch import Store

THRESHOLD = 0.9
"""From this relevance on a page counts as relevant, as in Schmitz 2001."""
_MOST_POINTS = 100
_SUCCESSES = ("fetched", "not modified", "cache hit")


class DepthCount(msgspec.Struct, frozen=True):
    """The number of pages at one distance from a start page, in links (table 3.1)."""

    depth: int
    pages: int
    relevant: int


class HarvestPoint(msgspec.Struct, frozen=True):
    """The progress of a crawl at one moment."""

    elapsed_s: float
    """Since the first page."""
    pages: int
    relevant: int

    @property
    def harvest(self) -> float:
        """The share of relevant pages among those fetched so far."""
        return self.relevant / self.pages if self.pages else 0.0


class _OrderSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the report about the tasks of one order."""

    order: str
    """"" for imported pages."""
    web: str = ""
    """The web, if the report is about several."""

    @property
    def name(self) -> str:
        """The name in tables and plots."""
        return f"{self.order or 'imported'}, {self.web}" if self.web else self.order or "imported"


class OrderPages(_OrderSection, frozen=True):
    """The pages that the tasks of one order fetched."""

    depths: tuple[DepthCount, ...]
    histogram: tuple[int, ...]
    """Pages by relevance in twentieths (table 3.2)."""
    unrated: int
    """Pages without a relevance."""
    harvest: tuple[HarvestPoint, ...]


class OrderPrecision(_OrderSection, frozen=True):
    """The precision of one order by depth, as judged (table 3.3)."""

    sample: str
    all: tuple[Precision, ...]
    relevant: tuple[Precision, ...]
    """Of the pages alone that a classifier found relevant."""


class CrawlReport(msgspec.Struct, frozen=True):
    """The whole report, order by order."""

    threshold: float
    crawls: tuple[OrderPages, ...]
    assessed: tuple[OrderPrecision, ...]


class _OrderCounts:
    """The counts of one order, page by page."""

    def __init__(self) -> None:
        self._pages: dict[int, int] = defaultdict(int)
        self._relevant: dict[int, int] = defaultdict(int)
        self._rated = array("d")
        self._fetches: list[tuple[float, bool]] = []

    def count(self, crawled: CrawledPage, fetched_s: float, threshold: float) -> None:
        """Count a page that was fetched at this time."""
        relevance = crawled.relevance
        is_relevant = relevance is not None and relevance >= threshold
        self._pages[crawled.depth] += 1
        self._relevant[crawled.depth] += is_relevant
        self._fetches.append((fetched_s, is_relevant))
        if relevance is not None:
            self._rated.append(relevance)

    def summarize(self, order: str) -> OrderPages:
        """Return all counts."""
        depths = [
            DepthCount(depth, self._pages[depth], self._relevant[depth]) for depth in sorted(self._pages)
        ]
        histogram = count_by_relevance(np.array(self._rated)).tolist()
        unrated = sum(self._pages.values()) - len(self._rated)
        harvest = tuple(_pick_points(sorted(self._fetches), _MOST_POINTS))
        return OrderPages(tuple(depths), tuple(histogram), unrated, harvest, order=order)


def make_report(
    store: Store, pages: Iterable[CrawledPage], threshold: float = THRESHOLD, sample: str | None = None
) -> CrawlReport:
    """Return the report of a web, order by order.

    A page that tasks of several orders fetched counts for each of them, from its first visit by each. Precision comes
    from the sample of this name, or from the one with the most judgements.
    Cost: one pass over pages and one over visits; memory for the ids of pages.
    """
    rows: dict[str, _OrderCounts] = defaultdict(_OrderCounts)
    first_visits = _read_first_visits(store)
    judged = _choose_sample(store, sample)
    rated: dict[int, float | None] = {item.page: item.relevance for item in judged.items} if judged else {}
    for crawled in pages:
        if crawled.page.id in rated:
            rated[crawled.page.id] = crawled.relevance
        for order, when_s in first_visits.get(
            crawled.page.id, {crawled.order: crawled.page.fetched_s}
        ).items():
            rows[order].count(crawled, when_s, threshold)
    crawls = [one.summarize(order) for order, one in sorted(rows.items())]
    assessed = _measure_precision(store, judged, rated, threshold) if judged else ()
    return CrawlReport(threshold, tuple(crawls), tuple(assessed))


def combine_reports(reports: Mapping[str, CrawlReport]) -> CrawlReport:
    """Combine the reports of several webs, by name, such as a breadth-first crawl and a focused one."""
    crawls = [replace(crawl, web=name) for name, report in reports.items() for crawl in report.crawls]
    assessed = [replace(one, web=name) for name, report in reports.items() for one in report.assessed]
    return CrawlReport(next(iter(reports.values())).threshold, tuple(crawls), tuple(assessed))


def _read_first_visits(store: Store) -> dict[int, dict[str, float]]:
    """Return when tasks of each order first visited each page; visits of unchanged and cached pages count too."""
    order_of = {note.number: read_spec(note).order for note in store.tasks()}
    first_visits: dict[int, dict[str, float]] = {}
    for visit in store.all_visits():
        if visit.result in _SUCCESSES and visit.task in order_of:
            first_visits.setdefault(visit.page, {}).setdefault(order_of[visit.task], visit.when_s)
    return first_visits


def _pick_points(fetches: list[tuple[float, bool]], most: int) -> Iterator[HarvestPoint]:
    """Yield points at even distances, the last page among them."""
    wanted = {(number + 1) * len(fetches) // most for number in range(most)}
    relevant = 0
    for number, (when_s, is_relevant) in enumerate(fetches, 1):
        relevant += is_relevant
        if number in wanted:
            yield HarvestPoint(when_s - fetches[0][0], number, relevant)


def _measure_precision(
    store: Store, sample: Sample, rated: Mapping[int, float | None], threshold: float
) -> Iterator[OrderPrecision]:
    """Yield the precision by depth of each order that was judged."""
    verdicts = decide_verdicts(read_judgements(store, sample.name))

    def select(order: str, least: float) -> Callable[[Item], bool]:
        return lambda item: item.order == order and (rated[item.page] or 0.0) >= least

    for order in sorted({item.order for item in sample.items if item.page in verdicts}):
        every = compute_precisions(sample, verdicts, ("depth",), select(order, 0.0))
        relevant = compute_precisions(sample, verdicts, ("depth",), select(order, threshold))
        yield OrderPrecision(sample.name, tuple(every), tuple(relevant), order=order)


def _choose_sample(store: Store, name: str | None) -> Sample | None:
    """Return the sample of this name, or the random one with the most judgements; uncertain ones give no precision."""
    if name is not None:
        return get_sample(store, name)
    known = [sample for sample in list_samples(store) if sample.chosen == "random"]
    judged = {sample.name: len(read_judgements(store, sample.name)) for sample in known}
    best = max(known, key=lambda sample: judged[sample.name], default=None)
    return best if best is not None and judged[best.name] else None
