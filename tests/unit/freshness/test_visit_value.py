"""The value of visits, and how a budget of them is distributed."""

import numpy as np
import pytest

from gossamer.freshness.change_rate import Floats, Rates
from gossamer.freshness.visit_value import compute_freshness, find_visits_at_price, share_visits, value_visits

DICE = np.random.default_rng(4)
RATE = DICE.lognormal(-2.0, 1.5, 300)
WEIGHT = 1.0 + DICE.pareto(1.5, 300)
HOST = DICE.integers(0, 10, 300)
NO_LIMIT = np.full(10, np.inf)


def weighted_freshness(visits: Floats) -> float:
    """Return the weighted freshness of all pages."""
    return float((WEIGHT * compute_freshness(RATE, visits)).sum())


def test_the_value_of_a_known_rate_is_the_derivative_of_freshness() -> None:
    age, step = 3.0, 1e-4
    per_day = 1.0 / age
    rate = np.array([0.05, 0.5, 3.0])
    known = Rates(np.full(3, 1e8), 1e8 / rate)
    slope = (
        compute_freshness(rate, np.full(3, per_day + step))
        - compute_freshness(rate, np.full(3, per_day - step))
    ) / (2 * step)
    assert value_visits(known, np.full(3, age), np.ones(3)) == pytest.approx(slope, rel=1e-3)


def test_the_value_of_an_uncertain_rate_is_the_mean_over_its_distribution() -> None:
    shape, days, age = 1.7, 6.0, 4.0
    drawn = np.random.default_rng(1).gamma(shape, 1 / days, 400_000)
    mean = np.mean((1 - (1 + drawn * age) * np.exp(-drawn * age)) / drawn)
    for one in (shape, 1.0):  # the closed form is not defined at 1
        found = value_visits(Rates(np.array([one]), np.array([days])), np.array([age]), np.ones(1))
        if one == shape:
            assert found[0] == pytest.approx(mean, rel=0.01)
        assert np.isfinite(found[0])


def test_value_grows_with_age_and_weight_and_is_zero_after_a_visit() -> None:
    ages = np.array([0.0, 0.5, 1.0, 10.0, 1000.0])
    rates = Rates(np.full(5, 2.0), np.full(5, 3.0))
    found = value_visits(rates, ages, np.ones(5))
    assert found[0] == 0.0
    assert (np.diff(found) > 0).all()
    assert value_visits(rates, ages, np.full(5, 2.0)) == pytest.approx(2 * found)


def test_shares_spend_the_budget_and_no_shift_between_pages_is_better() -> None:
    found = share_visits(RATE, WEIGHT, HOST, 30.0, NO_LIMIT).visits_per_day
    assert found.sum() == pytest.approx(30.0, rel=1e-4)
    best = weighted_freshness(found)
    for _ in range(200):
        source, target = DICE.integers(0, 300, 2)
        moved = found.copy()
        amount = 0.2 * moved[source]
        moved[source] -= amount
        moved[target] += amount
        assert weighted_freshness(moved) <= best + 1e-9
    assert best > 1.05 * weighted_freshness(np.full(300, 0.1))
    assert best > 1.05 * weighted_freshness(30.0 * RATE / RATE.sum())


def test_no_host_is_visited_more_often_than_its_limit() -> None:
    limits = np.full(10, 2.0)
    free, bound = (
        share_visits(RATE, WEIGHT, HOST, 30.0, NO_LIMIT),
        share_visits(RATE, WEIGHT, HOST, 30.0, limits),
    )
    by_host = np.bincount(HOST, bound.visits_per_day, minlength=10)
    assert (np.bincount(HOST, free.visits_per_day, minlength=10) > 2.0).any()
    assert (by_host <= 2.0 + 1e-6).all()
    assert (bound.host_price[by_host < 1.99] == 0).all()
    assert weighted_freshness(bound.visits_per_day) < weighted_freshness(free.visits_per_day)


def test_a_limit_on_one_host_leaves_more_to_the_others() -> None:
    limits = NO_LIMIT.copy()
    limits[0] = 0.5
    free, bound = (
        share_visits(RATE, WEIGHT, HOST, 30.0, NO_LIMIT),
        share_visits(RATE, WEIGHT, HOST, 30.0, limits),
    )
    assert bound.visits_per_day.sum() == pytest.approx(30.0, rel=1e-4)
    assert bound.price < free.price


def test_pages_that_never_change_are_always_fresh_and_never_visited() -> None:
    still, moving = np.array([0.0, 0.5]), np.ones(2)
    found = share_visits(still, moving, np.zeros(2, np.int64), 1.0, np.array([np.inf]))
    assert found.visits_per_day.tolist() == pytest.approx([0.0, 1.0], rel=1e-4)
    assert compute_freshness(still, np.zeros(2)).tolist() == [1.0, 0.0]


def test_a_price_above_the_highest_value_buys_no_visit() -> None:
    assert find_visits_at_price(np.array([0.5]), np.array([1.0]), np.array([2.1])).tolist() == [0.0]
