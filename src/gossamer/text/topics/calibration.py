"""What a score means: a curve from scores to probabilities, fitted to pages that were kept back."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MOST_ROUNDS = 100
_MOST_HALVES = 30
_CLOSE_ENOUGH = 1e-9
_RIDGE = 1e-10
_UNUSUAL = 2.0
# Swept 0.03 to 0.1 on single pages of four classes: with 0.03 a tenth is found, most of it rightly, with 0.1 nothing.
_LEAST_DEVIATION = 0.03
_SLOPE_OF_A_DEVIATION = 1.4


def fitted_curve(
    scores: NDArray[np.float64], about: NDArray[np.bool_], prior: float | None = None
) -> tuple[float, float]:
    """Return slope and offset of 1 / (1 + e^−(slope·score + offset)) that make the pages most probable.

    With a prior, as if that share of the pages were about the topic. Newton's method on the likelihood, with targets a little inside 0 and 1, so that sides that do not overlap give no
    endless slope. Source: Platt 1999; Lin, Lin, Weng 2007.
    """
    yes, no = int(about.sum()), int((~about).sum())
    targets = np.where(about, (yes + 1) / (yes + 2), 1 / (no + 2))
    share = prior if prior is not None else yes / len(about)
    counts = np.where(about, share / yes, (1 - share) / no) * len(about)
    spread, middle = float(scores.std()) or 1.0, float(scores.mean())
    pages = _Pages((scores - middle) / spread, targets, counts)
    slope, offset = _most_probable(pages, (0.0, float(np.log(share / (1 - share)))))
    slope = max(slope, 0.0)  # a score never speaks against itself
    return slope / spread, offset - slope * middle / spread


def unusual_curve(scores: NDArray[np.float64], own: float) -> tuple[float, float]:
    """Return a curve from the scores of pages that are not about a topic, and that of its only example.

    Who stands far above the others is about it: even is two deviations above their mean, where one page in forty stands
    by chance, and at least six hundredths of the way to the example. Half a deviation more or less is worth two to one.
    """
    way = max(own - float(scores.mean()), _RIDGE)
    deviation = max(float(scores.std()), _LEAST_DEVIATION * way)
    slope = _SLOPE_OF_A_DEVIATION / deviation
    return slope, -slope * (float(scores.mean()) + _UNUSUAL * deviation)


def shifted_curve(about: NDArray[np.bool_], prior: float | None) -> tuple[float, float]:
    """Return the curve of scores that are logarithms of odds already, for a web with another share of the topic."""
    if prior is None:
        return 1.0, 0.0
    share = float(about.mean())
    return 1.0, float(np.log(prior / (1 - prior)) - np.log(share / (1 - share)))


class _Pages(NamedTuple):
    along: NDArray[np.float64]
    """Scores, moved and scaled to mean 0 and deviation 1."""
    targets: NDArray[np.float64]
    counts: NDArray[np.float64]
    """For how many pages each stands."""


def _most_probable(pages: _Pages, curve: tuple[float, float]) -> tuple[float, float]:
    """Follow Newton's steps, halved as long as they lead up, until nothing is gained."""
    loss = _loss(pages, *curve)
    for _ in range(_MOST_ROUNDS):
        step = _newton_step(pages, *curve)
        tries = (
            (curve[0] + 0.5**half * step[0], curve[1] + 0.5**half * step[1]) for half in range(_MOST_HALVES)
        )
        better = next((one for one in tries if _loss(pages, *one) <= loss), curve)
        gain, loss, curve = loss - _loss(pages, *better), _loss(pages, *better), better
        if gain < _CLOSE_ENOUGH:
            break
    return curve


def _loss(pages: _Pages, slope: float, offset: float) -> float:
    logits = slope * pages.along + offset
    return float(np.sum(pages.counts * (np.logaddexp(0.0, logits) - pages.targets * logits)))


def _newton_step(pages: _Pages, slope: float, offset: float) -> tuple[float, float]:
    along = pages.along
    chances = probabilities(along, slope, offset)
    errors = pages.counts * (pages.targets - chances)
    curvature = pages.counts * chances * (1.0 - chances)
    mixed = np.sum(curvature * along)
    matrix = np.array([[np.sum(curvature * along * along), mixed], [mixed, np.sum(curvature)]])
    slopes = np.array([np.sum(errors * along), np.sum(errors)])
    step = np.linalg.solve(matrix + _RIDGE * np.eye(2), slopes)
    return float(step[0]), float(step[1])


def probabilities(scores: NDArray[np.float64], slope: float, offset: float) -> NDArray[np.float64]:
    """Return what scores mean by a curve."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(slope * scores + offset, -700, 700))))
