"""Learning the weights of a topic: one function for each kind of model."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.page_features import CountTable
from gossamer.text.topics.features.term_weights import compute_rarity, weigh_terms
from gossamer.text.topics.training.linear_separator import separate

_MAX_ROUNDS = 200
_TOLERANCE = 1e-3
# The cost of an error relative to a large weight: swept 0.1 to 10, flat between 0.5 and 2.
_COST = 1.0
_SMOOTHING = 1.0


class LinearWeights(NamedTuple):
    """The scale and weight of each column, and the bias."""

    scales: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: float


def fit_linear(table: CountTable, about: NDArray[np.bool_]) -> LinearWeights:
    """Fit a separating plane (`linear_separator`). The bias is the weight of a column that every page has."""
    width = len(table.ids)
    scales = np.ones(width)
    weighted = weigh_terms("linear", table, scales)
    starts = table.starts + np.arange(table.rows + 1)
    ends = table.starts[1:]
    weights = separate(
        starts=starts,
        columns=np.insert(weighted.columns, ends, width),
        values=np.insert(weighted.values, ends, 1.0),
        signs=np.where(about, 1.0, -1.0),
        costs=np.full(table.rows, _COST),
        width=width + 1,
        most_rounds=_MAX_ROUNDS,
        tolerance=_TOLERANCE,
    )
    return LinearWeights(scales, weights[:-1], float(weights[-1]))


def fit_bayes(table: CountTable, about: NDArray[np.bool_]) -> LinearWeights:
    """Fit multinomial naive Bayes: the weight of a word is the log of the ratio of its frequencies on both sides.

    One count is added to each word. Source: Schmitz 2001, section 3.1.2, equation 3.2.
    """
    of_topic = about[table.list_rows()]
    width = len(table.ids)
    sides = [
        np.bincount(table.columns[side], table.values[side], width) + _SMOOTHING
        for side in (of_topic, ~of_topic)
    ]
    logs = [np.log(counts) - np.log(counts.sum()) for counts in sides]
    bias = np.log(about.sum()) - np.log((~about).sum())
    return LinearWeights(np.ones(width), logs[0] - logs[1], float(bias))


def fit_cosine(table: CountTable, about: NDArray[np.bool_]) -> LinearWeights:
    """Take the centroid of the examples, scaled to length 1: a page scores the cosine of its angle to the centroid."""
    scales = compute_rarity(table)
    weighted = weigh_terms("cosine", table, scales)
    of_topic = about[table.list_rows()]
    centroid = np.bincount(weighted.columns[of_topic], weighted.values[of_topic], len(table.ids))
    return LinearWeights(scales, centroid / max(float(np.linalg.norm(centroid)), 1e-12), 0.0)


FIT_BY_KIND: dict[str, Callable[[CountTable, NDArray[np.bool_]], LinearWeights]] = {
    "linear": fit_linear,
    "bayes": fit_bayes,
    "cosine": fit_cosine,
    "dictionary": fit_linear,
}
