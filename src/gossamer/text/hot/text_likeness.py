"""The likeness of texts of one period, by the terms that they share: rare ones count more."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable

from gossamer.text.hot.period_counts import PeriodTexts

# Texts of one event share words beyond those that are hot; unrelated news has a cosine of .03 to .06.
_MIN_LIKENESS = 0.1
_MAX_TEXTS = 200
"""So many texts of a group are compared with each other."""


class TextLikeness:
    """Vectors of texts over their terms, weighted by rarity and scaled to length 1."""

    def __init__(self, now: PeriodTexts, ids: Collection[str]) -> None:
        self._vectors: dict[str, dict[str, float]] = {id_: {} for id_ in ids}
        for term, carriers in now.carriers.items():
            rarity = math.log((now.counts.texts + 1) / len(carriers))
            for id_ in carriers:
                if id_ in self._vectors:
                    self._vectors[id_][term] = rarity
        for vector in self._vectors.values():
            length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
            for term in vector:
                vector[term] /= length

    def keep_alike(self, ids: Iterable[str], sure: Collection[str] = ()) -> list[str]:
        """Leave out the text that is least like the others, until all that are left are alike; keep their order.

        Texts of `sure` are never left out.
        """
        kept = list(ids)[:_MAX_TEXTS]
        total: dict[str, float] = defaultdict(float)
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

    def _compare(self, id_: str, total: dict[str, float], texts: int) -> float:
        """Return the mean cosine of a text with the others of a group, whose vectors have this sum."""
        product = sum(weight * total[term] for term, weight in self._vectors[id_].items())
        return (product - 1.0) / (texts - 1)
