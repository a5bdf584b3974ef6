"""Drawing a sample: seeded, by strata, and in an order that tells judges nothing."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heappush, heappushpop

import msgspec

from gossamer.assess.records import Sample, Selection, Stratum
from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.assess.sample.strata import UNKNOWN, get_values, sort_key
from gossamer.errors import BadInput

MOST_ITEMS = 10_000
"""More than judges can do; a sample by host could otherwise fill the store by mistake."""
_DEFAULT_ASKED = 100
_UNDECIDED = 0.5
_LAST = 2.0

DrawRank = tuple[float, int]
"""The lowest ranks are drawn. In a random sample chance alone decides, in an uncertain one it breaks ties."""

_HINTS = {
    "language": "no page's language is known; draw by something else",
    "relevance": "no page has a relevance; crawl with --order topic, or name a model with --topic",
}


class SampleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The options by which a sample is drawn."""

    name: str
    asked: int | None = None
    """Pages of each stratum, or all of a smaller one. None: 100, or all there are."""
    seed: int = 1
    by: tuple[str, ...] = ()
    where: str = ""
    topic: str = ""
    chosen: Selection = "random"
    question: str = ""


def draw_sample(pages: Iterable[CrawledPage], request: SampleRequest, now_s: float) -> Sample:
    """Draw a sample from these pages.

    The result depends on the seed and the page ids alone, not on the order of the pages. The pages of all strata are
    mixed, so that the position of a page does not show its stratum.
    Cost: O(pages · log asked) time, memory for the sample.
    """
    asked = request.asked or _DEFAULT_ASKED
    strata: dict[tuple[str, ...], _StratumDraw] = defaultdict(_StratumDraw)
    for crawled in pages:
        strata[get_values(crawled, request.by)].offer(_compute_rank(crawled, request), crawled, asked)
    _check_drawable(strata, request)
    lowest = [entry for stratum in strata.values() for entry in stratum.list_lowest()]
    shown = sorted(lowest, key=lambda entry: (entry[0][0], _draw_number(entry[1], request.seed, "shown")))
    return Sample(
        **msgspec.structs.asdict(request) | {"asked": asked},
        created_s=now_s,
        strata=tuple(Stratum(values, strata[values].pages) for values in sorted(strata, key=sort_key)),
        items=tuple(crawled.to_item() for _, crawled in shown),
    )


def measure_uncertainty(relevance: float | None) -> float:
    """Return how far a relevance is from 0.5: judgements of the nearest pages teach a topic most."""
    return _LAST if relevance is None else abs(relevance - _UNDECIDED)


class _StratumDraw:
    """The number of pages of a stratum, and those with the lowest ranks."""

    def __init__(self) -> None:
        self.pages = 0
        self._highest_first: list[tuple[float, int, int, CrawledPage]] = []

    def offer(self, rank: DrawRank, crawled: CrawledPage, most: int) -> None:
        """Count a page, and keep it if its rank is among the lowest; ids break ties."""
        self.pages += 1
        entry = (-rank[0], -rank[1], crawled.page.id, crawled)
        if len(self._highest_first) < most:
            heappush(self._highest_first, entry)
        else:
            heappushpop(self._highest_first, entry)

    def list_lowest(self) -> list[tuple[DrawRank, CrawledPage]]:
        """Return the pages with the lowest ranks, and these ranks."""
        return [((-first, -second), crawled) for first, second, _, crawled in self._highest_first]


def _compute_rank(crawled: CrawledPage, request: SampleRequest) -> DrawRank:
    first = measure_uncertainty(crawled.relevance) if request.chosen == "uncertain" else 0.0
    return first, _draw_number(crawled, request.seed, "drawn")


def _draw_number(crawled: CrawledPage, seed: int, purpose: str) -> int:
    text = f"{purpose} {seed} {crawled.page.id}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def _check_drawable(strata: "Mapping[tuple[str, ...], _StratumDraw]", request: SampleRequest) -> None:
    """Raise BadInput if the sample cannot be drawn, or would be too large to judge."""
    pages = sum(stratum.pages for stratum in strata.values())
    if not pages and request.where:
        raise BadInput(f"no page of this web fits --where {request.where!r}; use fewer conditions")
    if not pages:
        raise BadInput("this web has no page that can be judged; crawl first")
    if request.asked is not None and request.asked > pages:
        raise BadInput(
            f"--sample {request.asked:,} is more than there are: {pages:,} pages can be judged here"
        )
    for at, name in enumerate(request.by):
        if name in _HINTS and {values[at] for values in strata} == {UNKNOWN}:
            raise BadInput(f"--by {name}: {_HINTS[name]}")
    if request.chosen == "uncertain" and _has_no_relevance(strata):
        raise BadInput(f"--active: {_HINTS['relevance']}")
    items = sum(len(stratum.list_lowest()) for stratum in strata.values())
    if items > MOST_ITEMS:
        raise BadInput(
            f"that would be {items:,} pages of {len(strata):,} strata to judge, more than the limit of {MOST_ITEMS:,}; "
            "give a smaller --sample or another --by"
        )


def _has_no_relevance(strata: "Mapping[tuple[str, ...], _StratumDraw]") -> bool:
    return all(rank[0] == _LAST for stratum in strata.values() for rank, _ in stratum.list_lowest())
