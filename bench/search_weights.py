"""Choose the weights of `search/field_weights.py` on the installed collections.

    python bench/search_weights.py

One weight after the other is set to the value with the best mean nDCG over all collections, until none changes. The third
collection searches for one known document each, by its title, which is removed from its text: feedback leads away from
known documents, and this limits it. Weights of fields that the collections do not have (links, addresses, menus) are not
changed. To validate the choice, one half of the queries chooses and the other is measured; and one collection chooses,
starting from arbitrary weights, and another is measured. In the end, all of them choose.
"""

import sys
from typing import Any, NamedTuple

import msgspec

from gossamer.search.field_weights import WEIGHTS, RankingWeights
from search_quality import COLLECTIONS, Collection, build_index, load_named, measure_quality

CHOICES: dict[str, tuple[Any, ...]] = {
    "title_times": (1, 3, 4, 5),
    "near": (0.0, 0.1, 0.2, 0.3),
    "feedback_pages": (3, 5, 8, 12),
    "feedback_terms": (10, 20, 30, 40),
    "feedback_share": (0.3, 0.4, 0.5, 0.7),
    "feedback_most": (0.1, 0.2, 0.3),
}
UNCHOSEN = msgspec.structs.replace(WEIGHTS, **{name: values[0] for name, values in CHOICES.items()})
_ROUNDS = 3
_KNOWN = 200
_SHORTEST_TITLE = 3
# A weight changes only if that gains more than this: smaller differences are noise with 455 queries.
_NOISE = 0.003


def make_known_items(collection: Collection) -> Collection:
    """Return a collection whose queries are titles, each for its own document, from which the title is removed."""
    documents, queries = [], []
    for one in collection.documents:
        title, text = one["title"].strip(), one["text"]
        documents.append({"id": one["id"], "title": "", "text": text.removeprefix(title)})
        if len(title.split()) > _SHORTEST_TITLE:
            queries.append({"id": one["id"], "text": title})
    chosen = queries[:: max(1, len(queries) // _KNOWN)]
    return Collection(documents, chosen, {query["id"]: {query["id"]: 1} for query in chosen})


class ScorePart(NamedTuple):
    """Some of the queries: halves, by even or odd number, of some collections."""

    halves: tuple[int, ...] = (0, 1)
    collections: tuple[int, ...] = (0, 1, 2)


class WeightBench:
    """The collections, indexed once for each value of `title_times`."""

    def __init__(self) -> None:
        self._collections: list[Collection] = [load_named(name) for name in COLLECTIONS]
        self._collections.append(make_known_items(self._collections[0]))
        self._indexes: dict[tuple[int, int], Any] = {}
        self._known: dict[tuple[int, RankingWeights, int], float] = {}

    def mean(self, weights: RankingWeights, part: ScorePart) -> float:
        """Return the mean nDCG of some halves of some collections; all have the same weight."""
        figures = self.figures(weights, part)
        return sum(figures) / len(figures)

    def figures(self, weights: RankingWeights, part: ScorePart) -> list[float]:
        """Return the nDCG of each of some collections over each of some halves of its queries."""
        return [self._figure(at, weights, half) for half in part.halves for at in part.collections]

    def _figure(self, at: int, weights: RankingWeights, half: int) -> float:
        key = (at, weights, half)
        if key not in self._known:
            self._known[key] = self._measured(at, weights, half)
        return self._known[key]

    def _measured(self, at: int, weights: RankingWeights, half: int) -> float:
        place = (at, weights.title_times)
        if place not in self._indexes:
            self._indexes[place] = build_index(self._collections[at], weights)
        index = self._indexes[place]
        index.weights = weights
        return measure_quality(self._collections[at], index, wanted=lambda number: number % 2 == half)


def choose_weights(bench: WeightBench, part: ScorePart, best: RankingWeights = WEIGHTS) -> RankingWeights:
    """Choose weights by some of the queries, starting from the given weights."""
    for _ in range(_ROUNDS):
        before = best
        for name, values in CHOICES.items():
            tried = [msgspec.structs.replace(best, **{name: value}) for value in values]
            means = [bench.mean(one, part) for one in tried]
            lines = (f"{value}: {mean:.4f}" for value, mean in zip(values, means, strict=True))
            print(name, *lines, flush=True)
            serving = [one for one, mean in zip(tried, means, strict=True) if mean >= max(means) - _NOISE]
            best = best if best in serving else serving[0]
        if best == before:
            break
    return best


def main() -> int:
    """Choose weights, and print them with their nDCG."""
    bench = WeightBench()
    for one, other in ((0, 1), (1, 0)):
        best = choose_weights(bench, ScorePart(collections=(one,)), UNCHOSEN)
        names = f"chosen on {COLLECTIONS[one]}, measured on {COLLECTIONS[other]}"
        print(f"{names}: {bench.mean(best, ScorePart(collections=(other,))):.4f} by {best}")
    for half in (0, 1):
        best = choose_weights(bench, ScorePart(halves=(half,)))
        figures = [f"{figure:.4f}" for figure in bench.figures(best, ScorePart(halves=(1 - half,)))]
        print(f"chosen on half of the queries, measured on the other: {' '.join(figures)}")
    best = choose_weights(bench, ScorePart())
    print(f"{best}: {' '.join(f'{figure:.4f}' for figure in bench.figures(best, ScorePart()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
