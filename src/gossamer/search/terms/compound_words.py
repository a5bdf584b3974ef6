"""Split German compounds into their words: “Donaudampfschiff” contains Donau, Dampf and Schiff.

A word is split where both sides are words of a frequency list, with or without a linking element between them. Of several
splits, the one with the highest geometric mean of frequencies wins; a word that is itself more frequent than that
stays whole (Koehn and Knight 2003).
"""

import math
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from gossamer.search.terms.word_frequencies import Costs, read_word_costs

LINKERS = {"de": ("", "s", "es", "n", "en", "er", "e")}
"""By language: what may stand between the parts of a compound."""

_SHORTEST_PART = 4
_SHORTEST_WORD = 2 * _SHORTEST_PART
_LONGEST_WORD = 60
_MOST_PARTS = 4
# Centibels, as in the frequency list. More frequent words are more often prefixes and particles than nouns:
# “über”, “nach”, “eine”; short ones must be well known.
_COMMON = 290
_RARE_SHORT = 480
# The cost of a linking element: “Zeitstempel” is not a temple. After these endings one is required: “Prüfungsamt” is not velvet.
_LINKER_COST = 100
_NEEDS_S = ("ung", "heit", "keit", "schaft", "ion", "tät")
_LINKED_BY_S = ("s",)
# Words of queries recur, and splitting one takes up to a tenth of a millisecond.
_MOST_CACHED = 20_000


Span = tuple[int, int]


def split_compound(word: str, language: str) -> tuple[str, ...]:
    """Return the parts of a compound in lower case, and the words that several of them make; () if it is no compound.

    “Donaudampfschiff” gives donau, donaudampf, dampf, dampfschiff, schiff.
    """
    spans = find_part_spans(word, language)
    found = [word[first[0] : last[1]] for first, last in combinations_with_replacement(spans, 2)]
    return tuple(part for part in found if len(part) < len(word))


@lru_cache(_MOST_CACHED)
def find_part_spans(word: str, language: str) -> tuple[Span, ...]:
    """Return where the smallest parts of a compound begin and end; () if it is no compound."""
    if language not in LINKERS or not _SHORTEST_WORD <= len(word) <= _LONGEST_WORD:
        return ()
    costs = read_word_costs(language)
    splits = _find_splits(word, 0, costs, LINKERS[language])
    best = min((one for one in splits if len(one.spans) > 1), default=None, key=lambda one: one.mean)
    return () if best is None or best.mean >= costs.get(word, math.inf) else best.spans


class _CompoundSplit(NamedTuple):
    """One way to split a word."""

    cost: int
    """The sum over all parts and linking elements."""
    spans: tuple[Span, ...]

    @property
    def mean(self) -> float:
        return self.cost / len(self.spans)


def _find_splits(
    word: str, start: int, costs: Costs, linkers: tuple[str, ...], most: int = _MOST_PARTS
) -> list[_CompoundSplit]:
    """Return all ways to split a word from one place to its end."""
    found = []
    for end in range(start + _SHORTEST_PART, len(word) + 1):
        cost = _look_up_cost(word[start:end], costs)
        if cost is None:
            continue
        if end == len(word):
            found.append(_CompoundSplit(cost, ((start, end),)))
        elif most > 1:
            for linker in _LINKED_BY_S if word.endswith(_NEEDS_S, start, end) else linkers:
                if word.startswith(linker, end):
                    extra = cost + (_LINKER_COST if linker else 0)
                    rest = _find_splits(word, end + len(linker), costs, linkers, most - 1)
                    found += [_CompoundSplit(extra + one.cost, ((start, end), *one.spans)) for one in rest]
    return found


def _look_up_cost(part: str, costs: Costs) -> int | None:
    """Return how rare a part is; None if it cannot be part of a compound."""
    cost = costs.get(part)
    if cost is None or cost < _COMMON or (len(part) == _SHORTEST_PART and cost > _RARE_SHORT):
        return None
    return cost
