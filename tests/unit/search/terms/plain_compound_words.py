"""The compiled splitting of compounds as plain code that can be read."""

import math

from gossamer.search.terms.compound_words import LINKERS
from gossamer.search.terms.word_frequencies import WordCosts, read_word_costs

Split = tuple[int, tuple[tuple[int, int], ...]]


def find_part_spans_plainly(word: str) -> tuple[tuple[int, int], ...]:
    """Return where the smallest parts of a German compound begin and end; () if it is no compound."""
    costs = read_word_costs("de")
    if not 8 <= len(word) <= 60:
        return ()
    splits = [(cost / len(spans), spans) for cost, spans in _find_splits(word, 0, costs, 4) if len(spans) > 1]
    mean, best = min(splits, default=(math.inf, ()), key=lambda one: one[0])
    return best if mean < costs.get(word, math.inf) else ()


def _find_splits(word: str, start: int, costs: WordCosts, most: int) -> list[Split]:
    found: list[Split] = []
    for end in range(start + 4, len(word) + 1):
        part = word[start:end]
        cost = costs.get(part, 0)
        if cost < 290 or (len(part) == 4 and cost > 480):
            continue
        if end == len(word):
            found.append((cost, ((start, end),)))
            continue
        needs_s = part.endswith(("ung", "heit", "keit", "schaft", "ion", "tät"))
        for linker in ("s",) if needs_s else LINKERS["de"]:
            if most > 1 and word.startswith(linker, end):
                rest = _find_splits(word, end + len(linker), costs, most - 1)
                found += [
                    (cost + 100 * bool(linker) + other, ((start, end), *spans)) for other, spans in rest
                ]
    return found
