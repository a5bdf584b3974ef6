"""Choose the weights of `search/weights.py` on the collections at hand.

    python bench/search_weights.py

One weight after the other is set to what serves the queries of all collections best (their mean nDCG), until none moves. The
third collection asks for one known document each, by its title, which is not in its text: feedback leads away from what is
known, and must not do so much. Weights of fields that the collections do not have (links, addresses, menus) stay as they are. What the choice is worth shows
where one half of the queries chooses and the other is measured; in the end, all of them choose.
"""

import sys
from typing import Any

import msgspec

from gossamer.search.weights import WEIGHTS, Weights
from search_quality import COLLECTIONS, Collection, built, named, quality

CHOICES: dict[str, tuple[Any, ...]] = {
    "title_times": (1, 3, 4, 5),
    "near": (0.0, 0.1, 0.2, 0.3),
    "feedback_pages": (3, 5, 8, 12),
    "feedback_terms": (10, 20, 30, 40),
    "feedback_share": (0.3, 0.4, 0.5, 0.7),
    "feedback_most": (0.1, 0.2, 0.3),
}
_ROUNDS = 3
_KNOWN = 200
_SHORTEST_TITLE = 3
# A weight moves only if that gains more than this: 455 queries cannot tell less.
_NOISE = 0.003


def known_items(collection: Collection) -> Collection:
    """Return a collection whose queries are titles, each for its own document, which is without."""
    documents, queries = [], []
    for one in collection.documents:
        title, text = one["title"].strip(), one["text"]
        documents.append({"id": one["id"], "title": "", "text": text.removeprefix(title)})
        if len(title.split()) > _SHORTEST_TITLE:
            queries.append({"id": one["id"], "text": title})
    chosen = queries[:: max(1, len(queries) // _KNOWN)]
    return Collection(documents, chosen, {query["id"]: {query["id"]: 1} for query in chosen})


class Bench:
    """The collections, indexed once for each number of times that titles count."""

    def __init__(self) -> None:
        self._collections: list[Collection] = [named(name) for name in COLLECTIONS]
        self._collections.append(known_items(self._collections[0]))
        self._indexes: dict[tuple[int, int], Any] = {}
        self._known: dict[tuple[Weights, int], list[float]] = {}

    def mean(self, weights: Weights, remainder: int) -> float:
        """Return the mean nDCG of half of the queries of all collections: each collection has one voice, however large."""
        figures = self.figures(weights, remainder)
        return sum(figures) / len(figures)

    def figures(self, weights: Weights, remainder: int) -> list[float]:
        """Return the nDCG of each collection over half of its queries."""
        key = (weights, remainder)
        if key not in self._known:
            self._known[key] = [self._figure(at, weights, remainder) for at in range(len(self._collections))]
        return self._known[key]

    def _figure(self, at: int, weights: Weights, remainder: int) -> float:
        place = (at, weights.title_times)
        if place not in self._indexes:
            self._indexes[place] = built(self._collections[at], weights)
        index = self._indexes[place]
        index.weights = weights
        return quality(self._collections[at], index, wanted=lambda number: number % 2 == remainder)


def chosen(bench: Bench, halves: tuple[int, ...]) -> Weights:
    """Choose by some of the queries: those whose number has such a remainder by two."""
    best = WEIGHTS
    for _ in range(_ROUNDS):
        before = best
        for name, values in CHOICES.items():
            tried = [msgspec.structs.replace(best, **{name: value}) for value in values]
            means = [sum(bench.mean(one, half) for half in halves) / len(halves) for one in tried]
            told = (f"{value}: {mean:.4f}" for value, mean in zip(values, means, strict=True))
            print(name, *told, flush=True)
            serving = [one for one, mean in zip(tried, means, strict=True) if mean >= max(means) - _NOISE]
            best = best if best in serving else serving[0]
        if best == before:
            break
    return best


def main() -> int:
    """Choose, and print what was chosen and what it is worth."""
    bench = Bench()
    for half in (0, 1):
        told = [f"{figure:.4f}" for figure in bench.figures(chosen(bench, (half,)), 1 - half)]
        print(f"chosen on half of the queries, measured on the other: {' '.join(told)}")
    best = chosen(bench, (0, 1))
    told = [f"{figure:.4f}" for half in (0, 1) for figure in bench.figures(best, half)]
    print(f"{best}: {' '.join(told)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
