"""The likeness of texts of one period, by the terms that they share: rare ones count more."""

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable

from gossamer.text.hot.period_counts import PeriodTexts

# Texts of one event share words beyond those that are hot; unrelated news has a cosine of .03 to .06.
_MIN_LIKENESS = 0.1
_MAX_TEXTS = 200
"""So many texts of a group are compared with each other."""


Vectors = dict[str, dict[Hashable, float]]
"""For each text its terms, with the rarity of each."""


def weigh_terms(now: PeriodTexts, ids: Collection[str]) -> Vectors:
    """Return the terms of some texts of a period, with the rarity of each."""
    vectors: Vectors = {id_: {} for id_ in ids}
    for term, carriers in now.carriers.items():
        rarity = measure_rarity(now.counts.texts, len(carriers))
        for id_ in carriers:
            if id_ in vectors:
                vectors[id_][term] = rarity
    return vectors


def measure_rarity(texts: int, with_term: int) -> float:
    """Return the weight of a term that so many of all texts have."""
    return math.log((texts + 1) / with_term)


class TextLikeness:
    """Vectors of texts over their terms, scaled to length 1."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        for vector in self._vectors.values():
            length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
            for term in vector:
                vector[term] /= length

    def keep_alike(self, ids: Iterable[str], sure: Collection[str] = ()) -> list[str]:
        """Leave out the text that is least like the others, until all that are left are alike; keep their order.

        Texts of `sure` are never left out.
        """
        kept = list(ids)[:_MAX_TEXTS]
        total: dict[Hashable, float] = defaultdict(float)
        for id_ in kept:
            for term, weight in self._vectors[id_].items():
                total[term] += weight
        while len(kept) > 1:
            likeness = {id_: self._compare(id_, total, len(kept)) for id_ in kept if id_ not in sure}
            worst = min(reversed(likeness), key=likeness.__getitem__, default=None)
            if worst is None or likeness[worst] >= _MIN_LIKENESS:
                break
            kept.remove(worst)
            for term, weight in self._vectors[worst].items():
                total[term] -= weight
        return kept

    def _compare(self, id_: str, total: dict[Hashable, float], texts: int) -> float:
        """Return the mean cosine of a text with the others of a group, whose vectors have this sum."""
        product = sum(weight * total[term] for term, weight in self._vectors[id_].items())
        return (product - 1.0) / (texts - 1)
