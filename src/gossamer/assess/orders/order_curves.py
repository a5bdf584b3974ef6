"""What walks over the same web show: recall and harvest by pages fetched, and how far each order gets from breadth-first
to an oracle."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.assess.orders.compare_orders import ORACLE, Walked

Curve = NDArray[np.float64]

# Student's t for 95 %, by the number of walks less one; beyond, the normal law is near enough.
_T_95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
_T_MANY = 2.0
QUARTER = 4
"""Mean recall is taken over the first quarter of what can be reached: the part that an order can make a difference to."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean over several walks, and the half width of its 95 % interval; 0 if there is only one."""

    mean: float
    within: float = 0.0


class Shown(msgspec.Struct, frozen=True):
    """What one order has shown."""

    order: str
    pages: int
    failed: Estimate
    harvest: Estimate
    """Share of wanted pages among all that were fetched."""
    recall: Estimate
    """Share of the wanted pages that were fetched, in the end."""
    early_recall: Estimate
    """Mean recall over the first quarter of the reachable pages."""
    closes: Estimate | None
    """Where early recall lies between breadth-first (0) and the oracle (1), if both were walked."""


class Race(msgspec.Struct, frozen=True):
    """Walks of several orders over one ground, or over several of a kind."""

    walks: Mapping[str, Sequence[Walked]]
    """By order, a walk for each seed, over the grounds in turn."""
    wanted: Sequence[frozenset[str]]
    """What was wanted, on each ground."""
    reachable: Sequence[int]
    """How many pages can be reached, on each ground."""


def recall_of(walk: Walked, wanted: frozenset[str], pages: int) -> Curve:
    """Return the share of the wanted pages that were fetched, after each page; a walk that ended early stays there."""
    hits = np.array([url in wanted for url in walk.fetched[:pages]], np.float64)
    curve = np.cumsum(hits) / max(1, len(wanted))
    last = curve[-1] if len(curve) else 0.0
    return np.append(curve, np.full(max(0, pages - len(curve)), last))


def curves(race: Race, order: str, pages: int) -> Curve:
    """Return the recall of all walks of an order, a row for each."""
    rows = [recall_of(walk, race.wanted[at], pages) for at, walk in enumerate(race.walks[order])]
    return np.array(rows)


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean with its 95 % interval (Student)."""
    if len(values) < 2:
        return Estimate(float(np.mean(values)))
    free = len(values) - 1
    factor = _T_95[free - 1] if free <= len(_T_95) else _T_MANY
    return Estimate(float(np.mean(values)), float(factor * np.std(values, ddof=1) / np.sqrt(len(values))))


def early_recall(race: Race, order: str) -> list[float]:
    """Return the mean recall over the first quarter, of each walk."""
    return [
        float(recall_of(walk, wanted, max(1, reachable // QUARTER)).mean())
        for walk, wanted, reachable in zip(race.walks[order], race.wanted, race.reachable, strict=True)
    ]


def shown(race: Race, order: str) -> Shown:
    """Return what an order has shown."""
    walks = race.walks[order]
    hits = [
        sum(url in wanted for url in walk.fetched) for walk, wanted in zip(walks, race.wanted, strict=True)
    ]
    pages = [max(1, len(walk.fetched)) for walk in walks]
    return Shown(
        order,
        round(sum(pages) / len(pages)),
        estimate([float(walk.failed) for walk in walks]),
        estimate([one / of for one, of in zip(hits, pages, strict=True)]),
        estimate([one / max(1, len(wanted)) for one, wanted in zip(hits, race.wanted, strict=True)]),
        estimate(early_recall(race, order)),
        _closes(race, order),
    )


def _closes(race: Race, order: str) -> Estimate | None:
    if "breadth" not in race.walks or ORACLE not in race.walks:
        return None
    floor, ceiling = early_recall(race, "breadth"), early_recall(race, ORACLE)
    shares = [
        (one - low) / (high - low) if high > low else 0.0
        for one, low, high in zip(early_recall(race, order), floor, ceiling, strict=True)
    ]
    return estimate(shares)
