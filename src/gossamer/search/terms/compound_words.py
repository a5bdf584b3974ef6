"""The words that compounds are made of: “Donaudampfschiff” says Donau, Dampf and Schiff.

A word is cut where both sides are words of a frequency list, with or without a linking element between them. Of several
ways to cut it the one with the highest geometric mean of frequencies is taken; a word that is itself more frequent than that
stays whole (Koehn and Knight 2003).
"""

import math
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from gossamer.search.terms.word_frequencies import Costs, costs_of

LINKERS = {"de": ("", "s", "es", "n", "en", "er", "e")}
"""By language: what may stand between the parts of a compound."""

_SHORTEST_PART = 4
_SHORTEST_WORD = 2 * _SHORTEST_PART
_LONGEST_WORD = 60
_MOST_PARTS = 4
# Centibels below certainty, as the list has them. More frequent words are prefixes and particles more often than nouns:
# “über”, “nach”, “eine”; short ones must be well known.
_COMMON = 290
_RARE_SHORT = 480
# A link that is none: “Zeitstempel” is no temple. After these endings there is one: “Prüfungsamt” is no velvet.
_LINKER_COST = 100
_NEEDS_S = ("ung", "heit", "keit", "schaft", "ion", "tät")
_LINKED_BY_S = ("s",)
# Words of queries come again and again, and cutting one takes up to a tenth of a millisecond.
_REMEMBERED = 20_000


Span = tuple[int, int]


def parts(word: str, language: str) -> tuple[str, ...]:
    """Return the words that a compound in lower case is made of, and those that several of them make; none if it is none.

    “Donaudampfschiff” gives donau, donaudampf, dampf, dampfschiff, schiff.
    """
    spans = spans_of(word, language)
    found = [word[first[0] : last[1]] for first, last in combinations_with_replacement(spans, 2)]
    return tuple(part for part in found if len(part) < len(word))


@lru_cache(_REMEMBERED)
def spans_of(word: str, language: str) -> tuple[Span, ...]:
    """Return where the smallest parts of a compound begin and end; none if it is no compound."""
    if language not in LINKERS or not _SHORTEST_WORD <= len(word) <= _LONGEST_WORD:
        return ()
    costs = costs_of(language)
    ways = _ways(word, 0, costs, LINKERS[language])
    best = min((way for way in ways if len(way.spans) > 1), default=None, key=lambda way: way.mean)
    return () if best is None or best.mean >= costs.get(word, math.inf) else best.spans


class _Way(NamedTuple):
    """A way to read a word."""

    cost: int
    """Of all its parts and of what links them."""
    spans: tuple[Span, ...]

    @property
    def mean(self) -> float:
        return self.cost / len(self.spans)


def _ways(
    word: str, start: int, costs: Costs, linkers: tuple[str, ...], most: int = _MOST_PARTS
) -> list[_Way]:
    """Return all ways to read a word from one place to its end."""
    found = []
    for end in range(start + _SHORTEST_PART, len(word) + 1):
        cost = _cost(word[start:end], costs)
        if cost is None:
            continue
        if end == len(word):
            found.append(_Way(cost, ((start, end),)))
        elif most > 1:
            for linker in _LINKED_BY_S if word.endswith(_NEEDS_S, start, end) else linkers:
                if word.startswith(linker, end):
                    extra = cost + (_LINKER_COST if linker else 0)
                    rest = _ways(word, end + len(linker), costs, linkers, most - 1)
                    found += [_Way(extra + way.cost, ((start, end), *way.spans)) for way in rest]
    return found


def _cost(part: str, costs: Costs) -> int | None:
    """Return how rare a part is; None if it is none."""
    cost = costs.get(part)
    if cost is None or cost < _COMMON or (len(part) == _SHORTEST_PART and cost > _RARE_SHORT):
        return None
    return cost
