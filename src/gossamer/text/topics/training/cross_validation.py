"""Cross-validation: folds of pages to hold out, and how well the held-out pages were classified."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.model_file import Bin, HeldOutResult

_MAX_FOLDS = 5
_MIN_HOSTS = 2 * _MAX_FOLDS
_BINS = 10
_EVEN = 0.5


class Folds(NamedTuple):
    """Which pages are held out together."""

    number: int
    by_page: NDArray[np.int64]
    """The fold of each page; -1 for the only page of its side, which is never held out."""


def assign_folds(about: NDArray[np.bool_], hosts: Sequence[str]) -> Folds:
    """Assign pages to folds: whole hosts where both sides have enough hosts, otherwise single pages.

    Pages of one host resemble each other in ways that have nothing to do with the topic.
    """
    sides = [np.flatnonzero(about), np.flatnonzero(~about)]
    if all(len({hosts[page] for page in side.tolist()} - {""}) >= _MIN_HOSTS for side in sides):
        fold_of = _assign_hosts(about, hosts)
        return Folds(_MAX_FOLDS, np.array([fold_of[host] for host in hosts]))
    several = [side for side in sides if len(side) > 1]
    number = min([_MAX_FOLDS, *map(len, several)]) if several else 0
    folds = np.full(len(about), -1)
    for side in several:
        folds[side] = np.arange(len(side)) % number
    return Folds(number, folds)


def _assign_hosts(about: NDArray[np.bool_], hosts: Sequence[str]) -> dict[str, int]:
    """Assign each host to the fold with the fewest pages so far, large hosts first."""
    sizes: dict[str, list[int]] = {}
    for host, is_about in zip(hosts, about.tolist(), strict=True):
        sizes.setdefault(host, [0, 0])[is_about] += 1
    held = np.zeros((_MAX_FOLDS, 2))
    total = np.array([(~about).sum(), about.sum()])
    fold_of = {}
    for host, size in sorted(sizes.items(), key=lambda item: (-sum(item[1]), item[0])):
        share = np.array(size) / total
        fold = int(np.argmin(((held + share) ** 2).sum(1) - (held**2).sum(1)))
        held[fold] += share
        fold_of[host] = fold
    return fold_of


def measure_held_out(chances: NDArray[np.float64], about: NDArray[np.bool_], folds: int) -> HeldOutResult:
    """Measure how well held-out pages were classified at even odds."""
    predicted = chances >= _EVEN
    right = int((predicted & about).sum())
    return HeldOutResult(
        pages=len(about),
        folds=folds,
        precision=right / max(1, int(predicted.sum())),
        recall=right / max(1, int(about.sum())),
        accuracy=float((predicted == about).mean()),
        average_precision=_compute_average_precision(chances, about),
        bins=_make_bins(chances, about),
    )


def _compute_average_precision(chances: NDArray[np.float64], about: NDArray[np.bool_]) -> float:
    """Return the mean of the precisions at each page of the topic, most probable pages first."""
    order = np.argsort(-chances, kind="stable")
    hits = about[order]
    precisions = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precisions[hits].mean()) if hits.any() else 0.0


def _make_bins(chances: NDArray[np.float64], about: NDArray[np.bool_]) -> tuple[Bin, ...]:
    place = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    return tuple(
        Bin(float(chances[place == at].mean()), float(about[place == at].mean()), int((place == at).sum()))
        for at in range(_BINS)
        if (place == at).any()
    )
