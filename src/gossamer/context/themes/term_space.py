"""A space of few dimensions in which pages with words of the same subject are close: latent semantic analysis."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.sparse_rows import Dense, SparseRows, join_rows, normalise

# Swept 30, 60, 120: on WebKB and news 60 is best or within .005 of it.
DIMENSIONS = 64
_MORE = 10
"""Further dimensions while the space is learnt, so that the wanted ones are exact."""
_POWER_ROUNDS = 2
_MOST_TERMS = 30_000
_FEW_PAGES = 1_000
_FEWEST_PAGES, _FEWEST_OF_MANY = 2, 5
"""A term is on at least so many pages of the sample."""
_MOST_SHARE = 0.9
_SATURATION = 1.2
"""A term that is twice on a page counts less than two terms, as in BM25."""
# Swept 0.25, 0.5, 0.7, 1: what kind of page it is, is told by frequent words, which a whole idf makes too light.
_IDF_POWER = 0.5
# Swept 0.7, 0.875, 1 on WebKB and news: the last two are alike, with other thresholds for pages that stand alone.
_SURE_SHARE = 0.875
_SEED = 1997


class TermSpace(msgspec.Struct, frozen=True, eq=False):
    """Terms with their weights, and the place of each term in the space."""

    terms: Mapping[str, int]
    """By term: its number."""
    weights: NDArray[np.float32]
    places: Dense
    sure: float = 0.0
    """How much of its length a page of length 1 keeps in the space, if it says clearly where it belongs; 0 if not known."""

    def weigh(self, counts: Iterable[Mapping[str, int]]) -> SparseRows:
        """Return the weighed terms of pages, each row of length 1."""
        rows = [_select(one, self.terms) for one in counts]
        found = join_rows(rows, len(self.terms))
        values = found.values / (found.values + _SATURATION) * self.weights[found.columns]
        return SparseRows(found.starts, found.columns, values, found.width).scale_to_length_1()

    def place(self, counts: Iterable[Mapping[str, int]]) -> Dense:
        """Return the places of pages in the space; zeros for a page without known terms."""
        return self.place_rows(self.weigh(counts))

    def place_rows(self, rows: SparseRows) -> Dense:
        """Return the places of weighed terms: directions, shorter than 1 for pages that have little in common with others."""
        found = rows.multiply(self.places)
        if not self.sure:
            return normalise(found)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        placed: Dense = found / np.maximum(lengths, np.float32(self.sure))
        return placed


def learn_space(counts: Sequence[Mapping[str, int]]) -> tuple[TermSpace, SparseRows]:
    """Learn the space of some pages, given how often each term is on them; return it with their weighed terms.

    The same pages in the same order give the same space. Cost: O(terms of the pages · dimensions); 5 s for 20,000 pages.
    Source: Deerwester et al. 1990; Halko, Martinsson and Tropp 2011.
    """
    frequencies: Counter[str] = Counter()
    for one in counts:
        frequencies.update(one.keys())
    least = _FEWEST_OF_MANY if len(counts) > _FEW_PAGES else _FEWEST_PAGES
    most = _MOST_SHARE * len(counts)
    usable = [(-times, term) for term, times in frequencies.items() if least <= times <= most]
    chosen = sorted(term for _, term in sorted(usable)[:_MOST_TERMS])
    shares = np.array([frequencies[term] for term in chosen], np.float64) / max(1, len(counts))
    weights = (-np.log(shares)) ** _IDF_POWER
    terms = {term: number for number, term in enumerate(chosen)}
    space = TermSpace(terms, weights.astype(np.float32), np.zeros((len(chosen), 0), np.float32))
    rows = space.weigh(counts)
    places = _find_dimensions(rows)
    lengths = np.linalg.norm(rows.multiply(places), axis=1)
    sure = _SURE_SHARE * float(np.median(lengths[lengths > 0])) if lengths.any() else 0.0
    return msgspec.structs.replace(space, places=places, sure=sure), rows


def _select(counts: Mapping[str, int], terms: Mapping[str, int]) -> tuple[list[int], list[float]]:
    found = sorted((terms[term], float(times)) for term, times in counts.items() if term in terms)
    return [column for column, _ in found], [times for _, times in found]


def _find_dimensions(rows: SparseRows) -> Dense:
    """Return the strongest right singular vectors of the rows, a column for each."""
    wanted = min(DIMENSIONS, rows.width, rows.height)
    if not wanted:
        return np.zeros((rows.width, 0), np.float32)
    turned = rows.turn()
    dice = np.random.default_rng(_SEED)
    range_ = dice.normal(size=(rows.width, min(rows.width, wanted + _MORE))).astype(np.float32)
    for _ in range(_POWER_ROUNDS):
        range_ = turned.multiply(np.linalg.qr(rows.multiply(range_))[0])
    basis = np.linalg.qr(rows.multiply(range_))[0]
    _, _, right = np.linalg.svd(turned.multiply(basis).T, full_matrices=False)
    return np.ascontiguousarray(right[:wanted].T, np.float32)
