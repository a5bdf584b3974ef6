# cython: language_level=3
"""Split German compounds into their words: “Donaudampfschiff” contains Donau, Dampf and Schiff.

A word is split where both sides are words of a frequency list, with or without a linking element between them. Of several
splits, the one with the highest geometric mean of frequencies wins; a word that is itself more frequent than that
stays whole (Koehn and Knight 2003). It is compiled since an index splits each new German word.
"""

from functools import lru_cache
from itertools import combinations_with_replacement

from gossamer.search.terms.word_frequencies cimport WordCosts
from gossamer.search.terms.word_frequencies import read_word_costs

LINKERS = {"de": ("", "s", "es", "n", "en", "er", "e")}
"""By language: what may stand between the parts of a compound."""

cdef enum:
    SHORTEST_PART = 4
    SHORTEST_WORD = 2 * SHORTEST_PART
    LONGEST_WORD = 60
    MOST_PARTS = 4
    # Centibels, as in the frequency list. More frequent words are more often prefixes and particles than nouns:
    # “über”, “nach”, “eine”; short ones must be well known.
    COMMON = 290
    RARE_SHORT = 480
    # The cost of a linking element: “Zeitstempel” is not a temple.
    LINKER_COST = 100
    IMPOSSIBLE = -1
# After these endings a linking element is required: “Prüfungsamt” is not velvet.
cdef tuple NEEDS_S = ("ung", "heit", "keit", "schaft", "ion", "tät")
cdef tuple LINKED_BY_S = ("s",)
# Words of queries recur.
_MOST_CACHED = 20_000


def split_compound(str word not None, str language not None):
    """Return the parts of a compound in lower case, and the words that several of them make; () if it is no compound.

    “Donaudampfschiff” gives donau, donaudampf, dampf, dampfschiff, schiff.
    """
    spans = find_part_spans(word, language)
    if not spans:
        return ()
    found = [word[first[0] : last[1]] for first, last in combinations_with_replacement(spans, 2)]
    return tuple([part for part in found if len(part) < len(word)])


@lru_cache(_MOST_CACHED)
def find_part_spans(str word not None, str language not None):
    """Return where the smallest parts of a compound begin and end; () if it is no compound."""
    if language not in LINKERS or not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
        return ()
    cdef WordCosts costs = read_word_costs(language)
    cdef tuple best = ()
    cdef double mean, least = costs.get(word, float("inf"))
    for cost, spans in _find_splits(word, 0, costs, LINKERS[language], MOST_PARTS):
        mean = <double>cost / len(spans)
        if len(spans) > 1 and mean < least:
            least, best = mean, spans
    return best


cdef list _find_splits(str word, Py_ssize_t start, WordCosts costs, tuple linkers, int most):
    """Return all ways to split a word from one place to its end: the costs of all parts and linking elements, and the parts."""
    cdef list found = []
    cdef Py_ssize_t end, length = len(word)
    cdef int cost, extra
    cdef str linker
    for end in range(start + SHORTEST_PART, length + 1):
        cost = _look_up_cost(word[start:end], costs)
        if cost == IMPOSSIBLE:
            continue
        if end == length:
            found.append((cost, ((start, end),)))
        elif most > 1:
            for linker in LINKED_BY_S if word.endswith(NEEDS_S, start, end) else linkers:
                if word.startswith(linker, end):
                    extra = cost + (LINKER_COST if linker else 0)
                    for other, spans in _find_splits(word, end + len(linker), costs, linkers, most - 1):
                        found.append((extra + other, ((start, end), *spans)))
    return found


cdef int _look_up_cost(str part, WordCosts costs) except -2:
    """Return how rare a part is; `IMPOSSIBLE` if it cannot be part of a compound."""
    cdef int cost = costs.find(part)
    if cost < COMMON or (len(part) == SHORTEST_PART and cost > RARE_SHORT):
        return IMPOSSIBLE
    return cost
