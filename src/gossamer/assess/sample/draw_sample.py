"""Drawing a sample: seeded, by strata, and in an order that tells judges nothing."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heappush, heappushpop

import msgspec

from gossamer.assess.records import Chosen, Sample, Stratum
from gossamer.assess.sample.page_facts import Facts
from gossamer.assess.sample.strata import UNKNOWN, place, values_of
from gossamer.errors import BadInput

MOST_ITEMS = 10_000
"""Nobody judges more: whoever draws by host would otherwise fill the store by mistake."""
_DEFAULT_ASKED = 100
_UNDECIDED = 0.5
_LAST = 2.0

Rank = tuple[float, int]
"""The lowest come into the sample: for a random one chance alone decides, for an uncertain one it breaks ties."""

_HINTS = {
    "language": "no page's language is known; draw by something else",
    "relevance": "no page has a relevance; crawl with --order topic, or name a model with --topic",
}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """How a sample is to be drawn."""

    name: str
    asked: int | None = None
    """Pages of each stratum; a smaller one gives all it has. None: 100, or all there are."""
    seed: int = 1
    by: tuple[str, ...] = ()
    where: str = ""
    topic: str = ""
    chosen: Chosen = "random"


def draw(pages: Iterable[Facts], wish: Wish, now_s: float) -> Sample:
    """Draw a sample of some pages.

    Which pages it has follows from the seed and their ids alone, whatever the order they come in. Those of all strata
    are mixed, so that nobody can tell from its place which stratum a page belongs to.
    Cost: O(pages · log asked) time, memory for the sample.
    """
    asked = wish.asked or _DEFAULT_ASKED
    strata: dict[tuple[str, ...], _Lowest] = defaultdict(_Lowest)
    for facts in pages:
        strata[values_of(facts, wish.by)].offer(_rank(facts, wish), facts, asked)
    _check(strata, wish)
    chosen = [held for stratum in strata.values() for held in stratum.held()]
    shown = sorted(chosen, key=lambda held: (held[0][0], _chance(held[1], wish.seed, "shown")))
    return Sample(
        **msgspec.structs.asdict(wish) | {"asked": asked},
        created_s=now_s,
        strata=tuple(Stratum(values, strata[values].pages) for values in sorted(strata, key=place)),
        items=tuple(facts.item() for _, facts in shown),
    )


def uncertainty(relevance: float | None) -> float:
    """Return how far a relevance is from undecided: the nearest are worth most to whoever learns from judgements."""
    return _LAST if relevance is None else abs(relevance - _UNDECIDED)


class _Lowest:
    """The pages of a stratum: how many there are, and those with the lowest ranks."""

    def __init__(self) -> None:
        self.pages = 0
        self._highest_first: list[tuple[float, int, int, Facts]] = []

    def offer(self, rank: Rank, facts: Facts, most: int) -> None:
        """Count a page, and hold it if it belongs to the lowest; ids tell those apart whose ranks are equal."""
        self.pages += 1
        entry = (-rank[0], -rank[1], facts.page.id, facts)
        if len(self._highest_first) < most:
            heappush(self._highest_first, entry)
        else:
            heappushpop(self._highest_first, entry)

    def held(self) -> list[tuple[Rank, Facts]]:
        """Return the lowest with their ranks."""
        return [((-first, -second), facts) for first, second, _, facts in self._highest_first]


def _rank(facts: Facts, wish: Wish) -> Rank:
    first = uncertainty(facts.relevance) if wish.chosen == "uncertain" else 0.0
    return first, _chance(facts, wish.seed, "drawn")


def _chance(facts: Facts, seed: int, purpose: str) -> int:
    told = f"{purpose} {seed} {facts.page.id}".encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")


def _check(strata: "Mapping[tuple[str, ...], _Lowest]", wish: Wish) -> None:
    """Refuse what cannot be drawn, or nobody would judge."""
    pages = sum(stratum.pages for stratum in strata.values())
    if not pages and wish.where:
        raise BadInput(f"no page of this web fits --where {wish.where!r}; ask for less in it")
    if not pages:
        raise BadInput("this web has no page that could be judged; crawl first")
    if wish.asked is not None and wish.asked > pages:
        raise BadInput(f"--sample {wish.asked:,} is more than there are: {pages:,} pages can be judged here")
    for at, name in enumerate(wish.by):
        if name in _HINTS and {values[at] for values in strata} == {UNKNOWN}:
            raise BadInput(f"--by {name}: {_HINTS[name]}")
    if wish.chosen == "uncertain" and _none_has_relevance(strata):
        raise BadInput(f"--active: {_HINTS['relevance']}")
    items = sum(len(stratum.held()) for stratum in strata.values())
    if items > MOST_ITEMS:
        raise BadInput(
            f"that would be {items:,} pages of {len(strata):,} strata to judge, and {MOST_ITEMS:,} is the most; "
            "give a smaller --sample or another --by"
        )


def _none_has_relevance(strata: "Mapping[tuple[str, ...], _Lowest]") -> bool:
    return all(rank[0] == _LAST for stratum in strata.values() for rank, _ in stratum.held())
