"""Curves turn scores into probabilities that match the observed shares."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.text.topics.training.calibration import (
    fit_curve,
    fit_outlier_curve,
    shift_curve,
    to_probabilities,
)


def draw_scores(
    slope: float, offset: float, number: int = 20_000
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    dice = np.random.default_rng(1)
    scores = dice.normal(1.0, 2.0, number)
    return scores, dice.random(number) < to_probabilities(scores, slope, offset)


def test_a_known_curve_is_recovered() -> None:
    slope, offset = fit_curve(*draw_scores(1.5, -0.7))
    assert slope == pytest.approx(1.5, rel=0.05)
    assert offset == pytest.approx(-0.7, abs=0.06)


def test_a_prior_raises_the_probability_of_the_same_scores() -> None:
    scores, about = draw_scores(1.5, -4.0)
    as_given, as_if_even = fit_curve(scores, about), fit_curve(scores, about, prior=0.5)
    share = about.mean()
    assert share < 0.3
    assert as_if_even[1] - as_given[1] == pytest.approx(np.log((1 - share) / share), abs=0.4)


def test_separable_sides_give_a_finite_slope() -> None:
    slope, offset = fit_curve(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    assert 0 < slope < 100
    assert 0.6 < to_probabilities(np.array([1.5]), slope, offset)[0] < 1


def test_scores_in_reverse_order_get_slope_zero() -> None:
    slope, offset = fit_curve(np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, True, False, False]))
    assert slope == 0
    assert to_probabilities(np.array([9.0]), slope, offset)[0] == pytest.approx(0.5, abs=0.1)


def test_equal_scores_get_the_share_as_probability() -> None:
    slope, offset = fit_curve(np.ones(100), np.arange(100) < 20)
    assert to_probabilities(np.array([1.0]), slope, offset)[0] == pytest.approx(0.2, abs=0.02)


def test_a_score_far_above_the_others_is_probable() -> None:
    curve = fit_outlier_curve(np.random.default_rng(1).normal(-1, 0.1, 1000), own=0.0)
    low, even, high = to_probabilities(np.array([-1.0, -0.8, -0.4]), *curve)
    assert low < 0.1
    assert even == pytest.approx(0.5, abs=0.05)
    assert high > 0.95


def test_equal_scores_against_the_topic_keep_a_minimum_deviation() -> None:
    curve = fit_outlier_curve(np.full(50, -1.0), own=1.0)
    near, even, own = to_probabilities(np.array([-0.95, -0.88, 1.0]), *curve)
    assert near < 0.2
    assert even == pytest.approx(0.5)
    assert own > 0.99


def test_log_odds_are_shifted_to_another_share() -> None:
    about = np.arange(100) < 20
    assert shift_curve(about, None) == (1.0, 0.0)
    assert to_probabilities(np.array([np.log(20 / 80)]), *shift_curve(about, 0.5))[0] == pytest.approx(0.5)
