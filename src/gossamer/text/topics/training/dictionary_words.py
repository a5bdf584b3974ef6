"""The words of a topic dictionary: those that tell pages of the topic best from other pages."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.page_features import Counts, get_field

MAX_WORDS = 500
"""A reader can still survey them."""
_TEXT_AND_TITLE = 2
"""Fields with lower numbers; in the others, words seldom stand near each other."""


def choose_dictionary_words(pages: Sequence[Counts], examples: int) -> NDArray[np.uint32]:
    """Return the hashes of the most telling words and pairs, in ascending order; the first pages are the examples.

    A word is the more telling, the larger its log-likelihood ratio: that of its pages on both sides against the same
    share of pages on both. Words of a single page are left out. Source: Dunning 1993.
    """
    sides = [np.concatenate([ids for ids, _ in side]) for side in (pages[:examples], pages[examples:])]
    ids = np.unique(np.concatenate(sides))
    ids = ids[get_field(ids) < _TEXT_AND_TITLE]
    about, other = (_count_pages(side, ids) for side in sides)
    ratio = _compare_shares(about, examples) + _compare_shares(other, len(pages) - examples)
    ratio -= _compare_shares(about + other, len(pages))
    several = about + other > 1
    ids, ratio = ids[several], ratio[several]
    best = np.argsort(-ratio, kind="stable")[:MAX_WORDS]
    chosen: NDArray[np.uint32] = np.sort(ids[best])
    return chosen


def _count_pages(has: NDArray[np.uint32], ids: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return on how many pages of a side each hash occurs."""
    if not len(has):
        return np.zeros(len(ids))
    known, counts = np.unique(has, return_counts=True)
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[place] == ids, counts[place], 0).astype(np.float64)


def _compare_shares(pages_with: NDArray[np.float64], pages: int) -> NDArray[np.float64]:
    """Return the log-likelihood of a word's pages by the best share."""
    share = np.clip(pages_with / pages, 1e-12, 1 - 1e-12)
    return np.asarray(pages_with * np.log(share) + (pages - pages_with) * np.log(1 - share))
