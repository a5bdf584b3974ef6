"""Scores become probabilities that mean what they say."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.text.topics.calibration import fitted_curve, probabilities, shifted_curve, unusual_curve


def drawn(slope: float, offset: float, number: int = 20_000) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    dice = np.random.default_rng(1)
    scores = dice.normal(1.0, 2.0, number)
    return scores, dice.random(number) < probabilities(scores, slope, offset)


def test_a_known_curve_is_found_again() -> None:
    slope, offset = fitted_curve(*drawn(1.5, -0.7))
    assert slope == pytest.approx(1.5, rel=0.05)
    assert offset == pytest.approx(-0.7, abs=0.06)


def test_with_a_prior_the_same_scores_mean_more() -> None:
    scores, about = drawn(1.5, -4.0)
    as_given, as_if_even = fitted_curve(scores, about), fitted_curve(scores, about, prior=0.5)
    share = about.mean()
    assert share < 0.3
    assert as_if_even[1] - as_given[1] == pytest.approx(np.log((1 - share) / share), abs=0.4)


def test_sides_that_do_not_overlap_give_no_certainty() -> None:
    slope, offset = fitted_curve(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    assert 0 < slope < 100
    assert 0.6 < probabilities(np.array([1.5]), slope, offset)[0] < 1


def test_scores_that_say_the_contrary_say_nothing() -> None:
    slope, offset = fitted_curve(np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, True, False, False]))
    assert slope == 0
    assert probabilities(np.array([9.0]), slope, offset)[0] == pytest.approx(0.5, abs=0.1)


def test_equal_scores_have_the_probability_of_their_share() -> None:
    slope, offset = fitted_curve(np.ones(100), np.arange(100) < 20)
    assert probabilities(np.array([1.0]), slope, offset)[0] == pytest.approx(0.2, abs=0.02)


def test_who_stands_far_above_the_others_is_unusual() -> None:
    curve = unusual_curve(np.random.default_rng(1).normal(-1, 0.1, 1000), own=0.0)
    low, even, high = probabilities(np.array([-1.0, -0.8, -0.4]), *curve)
    assert low < 0.1
    assert even == pytest.approx(0.5, abs=0.05)
    assert high > 0.95


def test_others_that_are_all_the_same_make_nobody_unusual() -> None:
    curve = unusual_curve(np.full(50, -1.0), own=1.0)
    near, even, own = probabilities(np.array([-0.95, -0.88, 1.0]), *curve)
    assert near < 0.2
    assert even == pytest.approx(0.5)
    assert own > 0.99


def test_odds_are_shifted_to_another_share() -> None:
    about = np.arange(100) < 20
    assert shifted_curve(about, None) == (1.0, 0.0)
    assert probabilities(np.array([np.log(20 / 80)]), *shifted_curve(about, 0.5))[0] == pytest.approx(0.5)
