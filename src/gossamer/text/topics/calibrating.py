"""What a score means: a curve from scores to probabilities, fitted to pages that were kept back."""

import numpy as np
from numpy.typing import NDArray

_MOST_ROUNDS = 100
_CLOSE_ENOUGH = 1e-9
_RIDGE = 1e-10


def fitted_curve(scores: NDArray[np.float64], about: NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and offset of 1 / (1 + e^−(slope·score + offset)) that make the pages most probable.

    Newton's method on the likelihood, with targets a little inside 0 and 1, so that sides that do not overlap give no
    endless slope. Source: Platt 1999; Lin, Lin, Weng 2007.
    """
    yes, no = int(about.sum()), int((~about).sum())
    targets = np.where(about, (yes + 1) / (yes + 2), 1 / (no + 2))
    spread = float(scores.std()) or 1.0
    middle = float(scores.mean())
    along = (scores - middle) / spread
    slope, offset = 0.0, float(np.log((yes + 1) / (no + 1)))
    loss = _loss(along, targets, slope, offset)
    for _ in range(_MOST_ROUNDS):
        step = _newton_step(along, targets, slope, offset)
        size = 1.0
        while size > _CLOSE_ENOUGH:
            tried = slope + size * step[0], offset + size * step[1]
            better = _loss(along, targets, *tried)
            if better <= loss:
                break
            size /= 2
        else:
            break
        (slope, offset), gain, loss = tried, loss - better, better
        if gain < _CLOSE_ENOUGH:
            break
    slope = max(slope, 0.0)  # a score never speaks against itself
    return float(slope / spread), float(offset - slope * middle / spread)


def _loss(along: NDArray[np.float64], targets: NDArray[np.float64], slope: float, offset: float) -> float:
    logits = slope * along + offset
    return float(np.sum(np.logaddexp(0.0, logits) - targets * logits))


def _newton_step(
    along: NDArray[np.float64], targets: NDArray[np.float64], slope: float, offset: float
) -> NDArray[np.float64]:
    chances = 1.0 / (1.0 + np.exp(-np.clip(slope * along + offset, -700, 700)))
    errors = targets - chances
    curvature = chances * (1.0 - chances)
    mixed = np.sum(curvature * along)
    matrix = np.array([[np.sum(curvature * along * along), mixed], [mixed, np.sum(curvature)]])
    step: NDArray[np.float64] = np.linalg.solve(
        matrix + _RIDGE * np.eye(2), np.array([np.sum(errors * along), np.sum(errors)])
    )
    return step
