"""What iterations have in common: weights that are given, bounds, and how far they have come."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.errors import BadInput

Weights = NDArray[np.float64]
Progress = Callable[[float], None]
"""Is told which share of the work is done."""
MOST_ROUNDS = 1_000
"""Enough for ε = 1e-8 with a damping of 0.98; where rounding keeps a difference above ε, it is the end."""


def check_weights(given: ArrayLike, nodes: int, what: str) -> Weights:
    """Return a weight for each node, and refuse what cannot be one."""
    weights = np.array(given, np.float64)
    if weights.shape != (nodes,):
        raise BadInput(f"{what} needs one weight for each of the {nodes:,} nodes, not {weights.size:,}")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise BadInput(f"{what} needs weights that are numbers and not below 0")
    return weights


def check_bounds(epsilon: float, most_rounds: int) -> None:
    """Refuse bounds by which no iteration could end."""
    if not 0 < epsilon < math.inf:
        raise BadInput(f"epsilon must be a number above 0, not {epsilon:g}")
    if most_rounds < 1:
        raise BadInput(f"an iteration needs one round at least, not {most_rounds}")


class ProgressReporter:
    """Tells how far an iteration is, taking the difference to fall by the same factor in every round."""

    def __init__(self, epsilon: float, progress: Progress | None) -> None:
        self._epsilon = epsilon
        self._progress = progress
        self._largest = epsilon

    def report(self, difference: float) -> None:
        """Tell the share that is done when the last round made this difference."""
        if self._progress is None:
            return
        self._largest = max(self._largest, difference)
        way = math.log(self._largest / self._epsilon)
        left = math.log(max(difference, self._epsilon) / self._epsilon)
        self._progress(1 - left / way if way else 1.0)
