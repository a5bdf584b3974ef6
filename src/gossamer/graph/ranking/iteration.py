"""What PageRank and HITS share: checks of weights and bounds, and progress reports."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.errors import BadInput

Weights = NDArray[np.float64]
Progress = Callable[[float], None]
"""Called with the share of the work that is done."""
MOST_ROUNDS = 1_000
"""Enough for ε = 1e-8 with a damping of 0.98; also ends iterations whose rounding errors exceed ε."""


def check_weights(given: ArrayLike, nodes: int, what: str) -> Weights:
    """Return the weights as an array; refuse a wrong number of weights, and weights below 0 or not finite."""
    weights = np.array(given, np.float64)
    if weights.shape != (nodes,):
        raise BadInput(f"{what} needs one weight for each of the {nodes:,} nodes, not {weights.size:,}")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise BadInput(f"{what} needs finite weights of at least 0")
    return weights


def check_bounds(epsilon: float, most_rounds: int) -> None:
    """Refuse bounds with which an iteration would never end."""
    if not 0 < epsilon < math.inf:
        raise BadInput(f"epsilon must be a number above 0, not {epsilon:g}")
    if most_rounds < 1:
        raise BadInput(f"an iteration needs at least one round, not {most_rounds}")


class ProgressReporter:
    """Reports the progress of an iteration, assuming that the difference falls by the same factor in every round."""

    def __init__(self, epsilon: float, progress: Progress | None) -> None:
        self._epsilon = epsilon
        self._progress = progress
        self._largest = epsilon

    def report(self, difference: float) -> None:
        """Report progress after a round that made this difference."""
        if self._progress is None:
            return
        self._largest = max(self._largest, difference)
        way = math.log(self._largest / self._epsilon)
        left = math.log(max(difference, self._epsilon) / self._epsilon)
        self._progress(1 - left / way if way else 1.0)
