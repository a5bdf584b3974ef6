"""How well a topic can be told: every page is judged once by a model that has not seen it, nor its host if that is possible."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.model_file import Bin, Tried

_MOST_FOLDS = 5
_FEWEST_HOSTS = 2 * _MOST_FOLDS
_BINS = 10
_EVEN = 0.5


class Folds(NamedTuple):
    """Which pages are kept back together."""

    number: int
    of: NDArray[np.int64]
    """The fold of each page; -1 for one that is never kept back, since it is the only one of its side."""


def folds_of(about: NDArray[np.bool_], hosts: Sequence[str]) -> Folds:
    """Deal pages out to folds: hosts as a whole where both sides have enough of them, single pages elsewhere.

    Pages of one host are alike in what has nothing to do with the topic.
    """
    sides = [np.flatnonzero(about), np.flatnonzero(~about)]
    if all(len({hosts[page] for page in side.tolist()} - {""}) >= _FEWEST_HOSTS for side in sides):
        fold_of = _dealt_hosts(about, hosts)
        return Folds(_MOST_FOLDS, np.array([fold_of[host] for host in hosts]))
    several = [side for side in sides if len(side) > 1]
    number = min([_MOST_FOLDS, *map(len, several)]) if several else 0
    dealt = np.full(len(about), -1)
    for side in several:
        dealt[side] = np.arange(len(side)) % number
    return Folds(number, dealt)


def _dealt_hosts(about: NDArray[np.bool_], hosts: Sequence[str]) -> dict[str, int]:
    """Give each host to the fold that has least, large hosts first."""
    sizes: dict[str, list[int]] = {}
    for host, is_about in zip(hosts, about.tolist(), strict=True):
        sizes.setdefault(host, [0, 0])[is_about] += 1
    held = np.zeros((_MOST_FOLDS, 2))
    total = np.array([(~about).sum(), about.sum()])
    fold_of = {}
    for host, size in sorted(sizes.items(), key=lambda item: (-sum(item[1]), item[0])):
        share = np.array(size) / total
        fold = int(np.argmin(((held + share) ** 2).sum(1) - (held**2).sum(1)))
        held[fold] += share
        fold_of[host] = fold
    return fold_of


def tried(chances: NDArray[np.float64], about: NDArray[np.bool_], folds: int) -> Tried:
    """Say how well pages that were kept back were told."""
    said = chances >= _EVEN
    right = int((said & about).sum())
    return Tried(
        pages=len(about),
        folds=folds,
        precision=right / max(1, int(said.sum())),
        recall=right / max(1, int(about.sum())),
        accuracy=float((said == about).mean()),
        average_precision=_average_precision(chances, about),
        bins=_bins(chances, about),
    )


def _average_precision(chances: NDArray[np.float64], about: NDArray[np.bool_]) -> float:
    """Return the mean precision at each page of the topic, the most probable pages first."""
    order = np.argsort(-chances, kind="stable")
    hits = about[order]
    precisions = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precisions[hits].mean()) if hits.any() else 0.0


def _bins(chances: NDArray[np.float64], about: NDArray[np.bool_]) -> tuple[Bin, ...]:
    place = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    return tuple(
        Bin(float(chances[place == at].mean()), float(about[place == at].mean()), int((place == at).sum()))
        for at in range(_BINS)
        if (place == at).any()
    )
