"""Power law of a tail: its exponent by maximum likelihood, and the value where the tail begins."""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LEAST_TAIL = 50
"""Shorter tails are not fitted: Clauset et al. find their exponents biased (section 3.3)."""
MOST_CANDIDATES = 200
"""Largest number of values tried as the beginning of the tail, spread evenly over all values."""
_EXPONENTS = (1.0001, 12.0)
_GOLDEN = (np.sqrt(5) - 1) / 2
_HALVINGS = 60
_TERMS = 12


class PowerLaw(msgspec.Struct, frozen=True):
    """A power law fitted to a tail of whole numbers: p(x) ~ x^-exponent for x ≥ x_min."""

    exponent: float
    error: float
    """The standard error of the exponent."""
    x_min: int
    tail: int
    """Number of values in the tail."""
    distance: float
    """Largest difference between the distributions of the law and of the tail (Kolmogorov-Smirnov)."""

    def at_least(self, values: NDArray[Any]) -> Numbers:
        """Return the share of the tail that the law expects at or above each value."""
        whole = hurwitz_zeta(np.array(self.exponent), np.array(self.x_min))
        return np.asarray(hurwitz_zeta(np.array(self.exponent), np.asarray(values)) / whole)


def fit_power_law(values: NDArray[Any]) -> PowerLaw | None:
    """Fit a power law to the whole numbers above 0; None if no tail has enough values, and two different ones.

    For each possible beginning of the tail, the exponent is the one with the highest likelihood; the beginning with the
    smallest distance between law and tail is taken. A fit does not prove that the numbers follow a power law.
    Cost: O(n log n + candidates · different values). Source: Clauset, Shalizi and Newman 2009, sections 3.1 and 3.3.
    """
    different, counts = np.unique(values[values > 0], return_counts=True)
    tails = np.cumsum(counts[::-1])[::-1]
    candidates = np.flatnonzero((tails >= LEAST_TAIL) & (different < different[-1:].max(initial=0)))
    if not len(candidates):
        return None
    spread = (
        np.linspace(0, len(candidates) - 1, min(len(candidates), MOST_CANDIDATES)).round().astype(np.int64)
    )
    candidates = candidates[spread]
    log_sums = np.cumsum((counts * np.log(different))[::-1])[::-1]
    exponents = _maximise_likelihood(
        different[candidates].astype(float), log_sums[candidates] / tails[candidates]
    )
    fitted = [
        _measure_fit(different[at:], counts[at:], exponent)
        for at, exponent in zip(candidates.tolist(), exponents.tolist(), strict=True)
    ]
    return min(fitted, key=lambda law: law.distance)


def hurwitz_zeta(exponent: NDArray[Any], start: NDArray[Any]) -> Numbers:
    """Return the sum of (start + k)^-exponent over k = 0, 1, 2 …, to at least 12 digits.

    The first terms are summed, the rest is estimated by the Euler-Maclaurin formula.
    """
    s, q = np.broadcast_arrays(np.asarray(exponent, float), np.asarray(start, float))
    first = sum((np.power(q + k, -s) for k in range(_TERMS)), start=np.zeros(q.shape))
    end = q + _TERMS
    rest = np.power(end, 1 - s) / (s - 1) + np.power(end, -s) / 2 + s * np.power(end, -s - 1) / 12
    rest -= s * (s + 1) * (s + 2) * np.power(end, -s - 3) / 720
    rest += s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * np.power(end, -s - 5) / 30240
    return np.asarray(first + rest)


def _maximise_likelihood(x_mins: Numbers, mean_logs: Numbers) -> Numbers:
    """Return the exponents with the highest likelihood, by golden-section search for all tails at once (one maximum)."""

    def negative_log_likelihood(exponents: Numbers) -> Numbers:
        return np.asarray(np.log(hurwitz_zeta(exponents, x_mins)) + exponents * mean_logs)

    low, high = (np.full(len(x_mins), end) for end in _EXPONENTS)
    for _ in range(_HALVINGS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        is_left = negative_log_likelihood(left) < negative_log_likelihood(right)
        low, high = np.where(is_left, low, left), np.where(is_left, right, high)
    return np.asarray((low + high) / 2)


def _measure_fit(different: NDArray[Any], counts: NDArray[np.int64], exponent: float) -> PowerLaw:
    """Compute the standard error of a tail's exponent, and the distance between tail and law."""
    tail, x_min = int(counts.sum()), int(different[0])
    # Both as P(X ≤ x), which is one minus the share at or above x + 1.
    law = PowerLaw(exponent, 0.0, x_min, tail, 0.0)
    distance = np.abs(np.cumsum(counts) / tail - (1 - law.at_least(different + 1))).max()
    step = 1e-4
    logs = np.log(hurwitz_zeta(exponent + step * np.array([-1.0, 0.0, 1.0]), np.array(x_min)))
    curvature = float(logs[0] - 2 * logs[1] + logs[2]) / step**2
    return PowerLaw(exponent, float(1 / np.sqrt(tail * curvature)), x_min, tail, float(distance))
