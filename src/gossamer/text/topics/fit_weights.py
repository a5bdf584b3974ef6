"""How weights are learnt: one function for each kind of model."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.linear_separator import separate
from gossamer.text.topics.page_features import Table
from gossamer.text.topics.term_weights import rarity, weighed

_MOST_ROUNDS = 200
_TOLERANCE = 1e-3
# How dear an error is against a large weight: swept 0.1 to 10, flat between 0.5 and 2.
_COST = 1.0
_SMOOTHING = 1.0


class Fitted(NamedTuple):
    """What was learnt of each column."""

    scales: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: float


def fit_linear(table: Table, about: NDArray[np.bool_]) -> Fitted:
    """Separate pages by a plane; see `separating`. The bias is the weight of a column that every page has."""
    width = len(table.ids)
    scales = np.ones(width)
    told = weighed("linear", table, scales)
    starts = table.starts + np.arange(table.rows + 1)
    ends = table.starts[1:]
    weights = separate(
        starts,
        np.insert(told.columns, ends, width),
        np.insert(told.values, ends, 1.0),
        np.where(about, 1.0, -1.0),
        np.full(table.rows, _COST),
        width + 1,
        _MOST_ROUNDS,
        _TOLERANCE,
    )
    return Fitted(scales, weights[:-1], float(weights[-1]))


def fit_bayes(table: Table, about: NDArray[np.bool_]) -> Fitted:
    """Count words of both sides: each says the logarithm of how much more often it stands on one than on the other.

    Multinomial naive Bayes with one count added to each word. Source: seed 002, section 3.1.2, equation 3.2.
    """
    of_topic = about[table.row_of()]
    width = len(table.ids)
    sides = [
        np.bincount(table.columns[side], table.values[side], width) + _SMOOTHING
        for side in (of_topic, ~of_topic)
    ]
    logs = [np.log(counts) - np.log(counts.sum()) for counts in sides]
    bias = np.log(about.sum()) - np.log((~about).sum())
    return Fitted(np.ones(width), logs[0] - logs[1], float(bias))


def fit_cosine(table: Table, about: NDArray[np.bool_]) -> Fitted:
    """Take the centroid of the examples, brought to length 1: the score of a page is the cosine of their angle."""
    scales = rarity(table)
    told = weighed("cosine", table, scales)
    of_topic = about[table.row_of()]
    centroid = np.bincount(told.columns[of_topic], told.values[of_topic], len(table.ids))
    return Fitted(scales, centroid / max(float(np.linalg.norm(centroid)), 1e-12), 0.0)


FITS: dict[str, Callable[[Table, NDArray[np.bool_]], Fitted]] = {
    "linear": fit_linear,
    "bayes": fit_bayes,
    "cosine": fit_cosine,
}
