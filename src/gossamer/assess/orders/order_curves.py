"""Recall and harvest of walks by pages fetched, and where each order lies between breadth-first and an oracle."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.assess.orders.compare_orders import ORACLE, Walk

Curve = NDArray[np.float64]

# Student's t for 95 %, by the number of walks less one; beyond, the normal distribution is close enough.
_T_95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
_T_MANY = 2.0
QUARTER = 4
"""Mean recall is taken over the first quarter of the reachable pages, where an order makes a difference."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean over several walks, and the half width of its 95 % interval; 0 if there is only one."""

    mean: float
    within: float = 0.0


class OrderSummary(msgspec.Struct, frozen=True):
    """The results of one order."""

    order: str
    pages: int
    failed: Estimate
    harvest: Estimate
    """The share of wanted pages among the fetched ones."""
    recall: Estimate
    """The share of the wanted pages that were fetched in the end."""
    early_recall: Estimate
    """Mean recall over the first quarter of the reachable pages."""
    closes: Estimate | None
    """Where early recall lies between breadth-first (0) and the oracle (1), if both were walked."""


class OrderComparison(msgspec.Struct, frozen=True):
    """Walks of several orders over one ground, or over several similar ones."""

    walks: Mapping[str, Sequence[Walk]]
    """For each order, one walk for each seed, over the grounds in turn."""
    wanted: Sequence[frozenset[str]]
    """The wanted pages of each ground."""
    reachable: Sequence[int]
    """The number of reachable pages of each ground."""


def compute_recall(walk: Walk, wanted: frozenset[str], pages: int) -> Curve:
    """Return the share of the wanted pages that were fetched, after each page; constant after the end of a walk."""
    hits = np.array([url in wanted for url in walk.fetched[:pages]], np.float64)
    curve = np.cumsum(hits) / max(1, len(wanted))
    last = curve[-1] if len(curve) else 0.0
    return np.append(curve, np.full(max(0, pages - len(curve)), last))


def compute_curves(comparison: OrderComparison, order: str, pages: int) -> Curve:
    """Return the recall of all walks of an order, one row for each walk."""
    rows = [
        compute_recall(walk, comparison.wanted[at], pages) for at, walk in enumerate(comparison.walks[order])
    ]
    return np.array(rows)


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean with its 95 % interval (Student)."""
    if len(values) < 2:
        return Estimate(float(np.mean(values)))
    free = len(values) - 1
    factor = _T_95[free - 1] if free <= len(_T_95) else _T_MANY
    return Estimate(float(np.mean(values)), float(factor * np.std(values, ddof=1) / np.sqrt(len(values))))


def compute_early_recall(comparison: OrderComparison, order: str) -> list[float]:
    """Return the mean recall of each walk over the first quarter."""
    return [
        float(compute_recall(walk, wanted, max(1, reachable // QUARTER)).mean())
        for walk, wanted, reachable in zip(
            comparison.walks[order], comparison.wanted, comparison.reachable, strict=True
        )
    ]


def summarize_order(comparison: OrderComparison, order: str) -> OrderSummary:
    """Return the results of an order, averaged over its walks."""
    walks = comparison.walks[order]
    hits = [
        sum(url in wanted for url in walk.fetched)
        for walk, wanted in zip(walks, comparison.wanted, strict=True)
    ]
    pages = [max(1, len(walk.fetched)) for walk in walks]
    return OrderSummary(
        order=order,
        pages=round(sum(pages) / len(pages)),
        failed=estimate_mean([float(walk.failed) for walk in walks]),
        harvest=estimate_mean([one / of for one, of in zip(hits, pages, strict=True)]),
        recall=estimate_mean(
            [one / max(1, len(wanted)) for one, wanted in zip(hits, comparison.wanted, strict=True)]
        ),
        early_recall=estimate_mean(compute_early_recall(comparison, order)),
        closes=_measure_closed_gap(comparison, order),
    )


def _measure_closed_gap(comparison: OrderComparison, order: str) -> Estimate | None:
    """Return the share of the way from breadth-first to the oracle; None if one of these was not walked."""
    if "breadth" not in comparison.walks or ORACLE not in comparison.walks:
        return None
    floor, ceiling = compute_early_recall(comparison, "breadth"), compute_early_recall(comparison, ORACLE)
    shares = [
        (one - low) / (high - low) if high > low else 0.0
        for one, low, high in zip(compute_early_recall(comparison, order), floor, ceiling, strict=True)
    ]
    return estimate_mean(shares)
