"""What a crawl brought: pages by depth and relevance, precision by depth, harvest over time (seed 002, section 3.1)."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
import numpy as np
from msgspec.structs import replace

from gossamer.assess.judgements import judgements, sample_called, samples, verdicts
from gossamer.assess.records import Item, Sample
from gossamer.assess.results.precision import Precision, precisions
from gossamer.assess.sample.page_facts import Facts
from gossamer.crawl.control.mailbox import read_spec
from gossamer.graph.structure.statistics import count_by_relevance
from gossamer.store.batch import Store

THRESHOLD = 0.9
"""From here on a page counts as relevant, as in the seed."""
_MOST_POINTS = 100
_GOT = ("fetched", "not modified", "cache hit")


class Depth(msgspec.Struct, frozen=True):
    """How many pages lie so many links away from a start page (table 3.1)."""

    depth: int
    pages: int
    relevant: int


class Point(msgspec.Struct, frozen=True):
    """How far a crawl was at one moment."""

    elapsed_s: float
    """Since its first page."""
    pages: int
    relevant: int

    @property
    def harvest(self) -> float:
        """Which share of the pages fetched so far is relevant."""
        return self.relevant / self.pages if self.pages else 0.0


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is told of the tasks of one order."""

    order: str
    """"" for what was imported."""
    web: str = ""
    """Where, if several stand beside each other."""

    @property
    def name(self) -> str:
        """What people call it."""
        return f"{self.order or 'imported'}, {self.web}" if self.web else self.order or "imported"


class Crawl(_Named, frozen=True):
    """What the tasks of one order brought."""

    depths: tuple[Depth, ...]
    histogram: tuple[int, ...]
    """Pages by relevance in twentieths (table 3.2)."""
    unrated: int
    """Pages of which no relevance is known."""
    harvest: tuple[Point, ...]


class Assessed(_Named, frozen=True):
    """Precision by depth, of one order, as judges say (table 3.3)."""

    sample: str
    all: tuple[Precision, ...]
    relevant: tuple[Precision, ...]
    """Of those pages alone that a classifier found relevant."""


class Report(msgspec.Struct, frozen=True):
    """All of it."""

    threshold: float
    crawls: tuple[Crawl, ...]
    assessed: tuple[Assessed, ...]


class _Rows:
    """What is counted of one order while its pages go by."""

    def __init__(self) -> None:
        self._pages: dict[int, int] = defaultdict(int)
        self._relevant: dict[int, int] = defaultdict(int)
        self._rated = array("d")
        self._came: list[tuple[float, bool]] = []

    def count(self, facts: Facts, came_s: float, threshold: float) -> None:
        """Count a page that came at this time."""
        relevance = facts.relevance
        is_relevant = relevance is not None and relevance >= threshold
        self._pages[facts.depth] += 1
        self._relevant[facts.depth] += is_relevant
        self._came.append((came_s, is_relevant))
        if relevance is not None:
            self._rated.append(relevance)

    def crawl(self, order: str) -> Crawl:
        """Return all that was counted."""
        depths = [Depth(depth, self._pages[depth], self._relevant[depth]) for depth in sorted(self._pages)]
        histogram = count_by_relevance(np.array(self._rated)).tolist()
        unrated = sum(self._pages.values()) - len(self._rated)
        harvest = tuple(_points(sorted(self._came), _MOST_POINTS))
        return Crawl(tuple(depths), tuple(histogram), unrated, harvest, order=order)


def report(
    store: Store, pages: Iterable[Facts], threshold: float = THRESHOLD, sample: str | None = None
) -> Report:
    """Return what the pages of a web tell, order by order.

    A page that tasks of several orders came to counts for each of them, from when each came to it first. Precision
    comes from the sample of this name, or from the one of which most pages were judged.
    Cost: a walk over pages and one over visits; memory for the ids of pages.
    """
    rows: dict[str, _Rows] = defaultdict(_Rows)
    came = _first_visits(store)
    judged = _sample(store, sample)
    rated: dict[int, float | None] = {item.page: item.relevance for item in judged.items} if judged else {}
    for facts in pages:
        if facts.page.id in rated:
            rated[facts.page.id] = facts.relevance
        for order, when_s in came.get(facts.page.id, {facts.order: facts.page.fetched_s}).items():
            rows[order].count(facts, when_s, threshold)
    crawls = [one.crawl(order) for order, one in sorted(rows.items())]
    assessed = _assessed(store, judged, rated, threshold) if judged else ()
    return Report(threshold, tuple(crawls), tuple(assessed))


def beside(reports: Mapping[str, Report]) -> Report:
    """Return reports of several webs, by their names, as one: a breadth-first crawl beside a focused one."""
    crawls = [replace(crawl, web=name) for name, told in reports.items() for crawl in told.crawls]
    assessed = [replace(one, web=name) for name, told in reports.items() for one in told.assessed]
    return Report(next(iter(reports.values())).threshold, tuple(crawls), tuple(assessed))


def _first_visits(store: Store) -> dict[int, dict[str, float]]:
    """Return when tasks of each order first came to each page; pages that were had already count as well."""
    order_of = {note.number: read_spec(note).order for note in store.tasks()}
    came: dict[int, dict[str, float]] = {}
    for visit in store.all_visits():
        if visit.result in _GOT and visit.task in order_of:
            came.setdefault(visit.page, {}).setdefault(order_of[visit.task], visit.when_s)
    return came


def _points(came: list[tuple[float, bool]], most: int) -> Iterator[Point]:
    """Yield some moments at even distances, the last one among them."""
    wanted = {(number + 1) * len(came) // most for number in range(most)}
    relevant = 0
    for number, (when_s, is_relevant) in enumerate(came, 1):
        relevant += is_relevant
        if number in wanted:
            yield Point(when_s - came[0][0], number, relevant)


def _assessed(
    store: Store, sample: Sample, rated: Mapping[int, float | None], threshold: float
) -> Iterator[Assessed]:
    """Yield precision by depth for each order that was judged."""
    said = verdicts(judgements(store, sample.name))

    def of(order: str, least: float) -> Callable[[Item], bool]:
        return lambda item: item.order == order and (rated[item.page] or 0.0) >= least

    for order in sorted({item.order for item in sample.items if item.page in said}):
        every = precisions(sample, said, ("depth",), of(order, 0.0))
        relevant = precisions(sample, said, ("depth",), of(order, threshold))
        yield Assessed(sample.name, tuple(every), tuple(relevant), order=order)


def _sample(store: Store, name: str | None) -> Sample | None:
    """Return the sample of this name, or the one that was judged most; those chosen for teaching tell no precision."""
    if name is not None:
        return sample_called(store, name)
    known = [sample for sample in samples(store) if sample.chosen == "random"]
    judged = {sample.name: len(judgements(store, sample.name)) for sample in known}
    best = max(known, key=lambda sample: judged[sample.name], default=None)
    return best if best is not None and judged[best.name] else None
