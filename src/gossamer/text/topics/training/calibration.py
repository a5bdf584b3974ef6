"""Calibration: curves that turn scores into probabilities, fitted to held-out pages."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MAX_ROUNDS = 100
_MAX_HALVINGS = 30
_MIN_GAIN = 1e-9
_RIDGE = 1e-10
_OUTLIER_DEVIATIONS = 2.0
# Swept 0.03 to 0.1 on single pages of four classes: 0.03 finds a tenth of the pages, mostly rightly; 0.1 finds none.
_MIN_DEVIATION = 0.03
_SLOPE_OF_A_DEVIATION = 1.4
_MIN_LIKENESS = 0.1
_ODDS_OF_LIKENESS = 4.0


def fit_curve(
    scores: NDArray[np.float64], about: NDArray[np.bool_], prior: float | None = None
) -> tuple[float, float]:
    """Return slope and offset of 1 / (1 + e^−(slope·score + offset)) that maximise the likelihood of the pages.

    With a prior, pages are weighted as if that share of them were about the topic. Newton's method; the targets lie
    a little inside 0 and 1, so that the slope stays finite where the two sides do not overlap.
    Source: Platt 1999; Lin, Lin, Weng 2007.
    """
    yes, no = int(about.sum()), int((~about).sum())
    targets = np.where(about, (yes + 1) / (yes + 2), 1 / (no + 2))
    share = prior if prior is not None else yes / len(about)
    counts = np.where(about, share / yes, (1 - share) / no) * len(about)
    spread, middle = float(scores.std()) or 1.0, float(scores.mean())
    points = _CurvePoints((scores - middle) / spread, targets, counts)
    slope, offset = _maximise_likelihood(points, (0.0, float(np.log(share / (1 - share)))))
    slope = max(slope, 0.0)  # a higher score never means a lower probability
    return slope / spread, offset - slope * middle / spread


def fit_outlier_curve(scores: NDArray[np.float64], own: float) -> tuple[float, float]:
    """Return a curve for a topic with a single example, from its score and those of pages against the topic.

    A page that scores far above the pages against the topic is about it. Even odds lie two deviations above their
    mean, which one page in forty reaches by chance, and at least six hundredths of the distance to the example. Half a
    deviation more or less changes the odds by two to one.
    """
    distance = max(own - float(scores.mean()), _RIDGE)
    deviation = max(float(scores.std()), _MIN_DEVIATION * distance)
    slope = _SLOPE_OF_A_DEVIATION / deviation
    return slope, -slope * (float(scores.mean()) + _OUTLIER_DEVIATIONS * deviation)


def fit_likeness_curve(own: NDArray[np.float64], held_out: NDArray[np.float64]) -> tuple[float, float]:
    """Return a curve for a topic without real pages against it, from scores of its examples.

    `own` are their scores by the model, `held_out` those by models that have not seen them. Against invented texts every
    real page scores high, so even odds are where the examples themselves are. Where an example is that the model has not
    seen, the odds are four to one against the topic: any page of the same kind of prose would score as much.
    """
    middle = float(own.mean())
    distance = max(middle - float(held_out.mean()), _MIN_LIKENESS * abs(middle), _RIDGE)
    slope = float(np.log(_ODDS_OF_LIKENESS)) / distance
    return slope, -slope * middle


def shift_curve(about: NDArray[np.bool_], prior: float | None) -> tuple[float, float]:
    """Return the curve that adapts scores that are log-odds to a web with another share of the topic."""
    if prior is None:
        return 1.0, 0.0
    share = float(about.mean())
    return 1.0, float(np.log(prior / (1 - prior)) - np.log(share / (1 - share)))


class _CurvePoints(NamedTuple):
    """The held-out pages that a curve is fitted to."""

    scaled: NDArray[np.float64]
    """Scores, moved and scaled to mean 0 and deviation 1."""
    targets: NDArray[np.float64]
    counts: NDArray[np.float64]
    """The weight of each page."""


def _maximise_likelihood(points: _CurvePoints, curve: tuple[float, float]) -> tuple[float, float]:
    """Take Newton steps, halved while they increase the loss, until the gain is negligible."""
    loss = _compute_loss(points, *curve)
    for _ in range(_MAX_ROUNDS):
        step = _compute_newton_step(points, *curve)
        attempts = (
            (curve[0] + 0.5**half * step[0], curve[1] + 0.5**half * step[1]) for half in range(_MAX_HALVINGS)
        )
        better = next((one for one in attempts if _compute_loss(points, *one) <= loss), curve)
        gain, loss, curve = loss - _compute_loss(points, *better), _compute_loss(points, *better), better
        if gain < _MIN_GAIN:
            break
    return curve


def _compute_loss(points: _CurvePoints, slope: float, offset: float) -> float:
    logits = slope * points.scaled + offset
    return float(np.sum(points.counts * (np.logaddexp(0.0, logits) - points.targets * logits)))


def _compute_newton_step(points: _CurvePoints, slope: float, offset: float) -> tuple[float, float]:
    scaled = points.scaled
    chances = to_probabilities(scaled, slope, offset)
    errors = points.counts * (points.targets - chances)
    curvature = points.counts * chances * (1.0 - chances)
    mixed = np.sum(curvature * scaled)
    matrix = np.array([[np.sum(curvature * scaled * scaled), mixed], [mixed, np.sum(curvature)]])
    slopes = np.array([np.sum(errors * scaled), np.sum(errors)])
    step = np.linalg.solve(matrix + _RIDGE * np.eye(2), slopes)
    return float(step[0]), float(step[1])


def to_probabilities(scores: NDArray[np.float64], slope: float, offset: float) -> NDArray[np.float64]:
    """Return the probabilities of scores by a curve."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(slope * scores + offset, -700, 700))))
