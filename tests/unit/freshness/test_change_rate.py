"""Change rates are estimated from irregular visits."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.freshness.change_rate import Evidence, Moments, Rates, log_likelihoods, moments, posterior
from gossamer.freshness.rate_priors import default_rates

GRID = np.linspace(-25.0, 8.0, 200_001)


def one_page(quiet_days: float, dated: float, gaps: list[float]) -> Evidence:
    """Return the evidence for a single page."""
    return Evidence(
        np.array([quiet_days]),
        np.array([dated]),
        np.zeros(len(gaps), np.int64),
        np.array(gaps),
        np.ones(len(gaps)),
    )


def integrate_numerically(evidence: Evidence, shape: float, days: float) -> tuple[float, float]:
    """Return mean and mean logarithm of a rate, by a sum over a fine grid."""
    rate = np.exp(GRID)
    log = (shape + evidence.dated[0]) * GRID - (days + evidence.quiet_days[0]) * rate
    for gap in evidence.gap_days:
        log += np.log(-np.expm1(-gap * rate))
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    return float((weight * rate).sum()), float((weight * GRID).sum())


@pytest.mark.parametrize(
    ("quiet_days", "dated", "gaps"),
    [(0, 0, []), (10, 0, []), (0, 0, [3.0]), (2.5, 1, [0.1, 4.0, 7.5]), (0, 0, [1.0] * 40), (300, 3, [9.0])],
)
@pytest.mark.parametrize("shape", [0.7, 1.0, 6.0])
def test_mean_and_mean_logarithm_match_a_numerical_integral(
    quiet_days: float, dated: float, gaps: list[float], shape: float
) -> None:
    evidence = one_page(quiet_days, dated, gaps)
    found = moments(evidence, Rates(np.array([shape]), np.array([5.0])))
    mean, mean_log = integrate_numerically(evidence, shape, 5.0)
    assert found.mean[0] == pytest.approx(mean, rel=0.01)
    assert found.mean_log[0] == pytest.approx(mean_log, abs=0.04)


@pytest.mark.parametrize("shape", [1.0, 8.0])
def test_log_likelihoods_match_a_numerical_integral(shape: float) -> None:
    evidence, mean = one_page(4.0, 0, [2.0, 5.0]), 0.4
    rate = np.exp(GRID)
    log = shape * GRID - (shape / mean + 4.0) * rate + np.log(-np.expm1(-2.0 * rate) * -np.expm1(-5.0 * rate))
    whole = (
        np.log(np.exp(log).sum() * (GRID[1] - GRID[0])) + shape * np.log(shape / mean) - math.lgamma(shape)
    )
    assert log_likelihoods(evidence, shape, np.array([mean]))[0] == pytest.approx(whole, abs=0.01)


def test_a_gap_of_weight_two_equals_two_gaps() -> None:
    twice = Evidence(np.array([3.0]), np.zeros(1), np.zeros(1, np.int64), np.array([2.0]), np.array([2.0]))
    prior = default_rates(1)
    assert posterior(twice, prior).mean == pytest.approx(posterior(one_page(3.0, 0, [2.0, 2.0]), prior).mean)


def test_regular_visits_give_the_estimate_of_cho_and_garcia_molina() -> None:
    visits, changed, gap_days = 4000, 1500, 2.0
    evidence = one_page((visits - changed) * gap_days, 0, [gap_days] * changed)
    known = -np.log((visits - changed) / visits) / gap_days
    found = posterior(evidence, Rates(np.array([0.5]), np.array([0.5])))
    assert found.per_day[0] == pytest.approx(known, rel=0.005)


def test_a_page_without_evidence_keeps_its_prior() -> None:
    found = posterior(one_page(0, 0, []), Rates(np.array([3.0]), np.array([10.0])))
    assert found.mean[0] == pytest.approx(0.3, rel=0.01)
    assert found.shape[0] == pytest.approx(3.0, rel=0.02)


def test_estimates_from_irregular_visits_are_unbiased() -> None:
    dice = np.random.default_rng(5)
    rate = dice.gamma(1.5, 0.2, 3000)
    quiet, owners, gaps = np.zeros(3000), [], []
    for _ in range(20):
        gap = dice.lognormal(1.5, 1.0, 3000)
        changed = dice.random(3000) < -np.expm1(-rate * gap)
        quiet += np.where(changed, 0.0, gap)
        owners.append(np.flatnonzero(changed))
        gaps.append(gap[changed])
    evidence = Evidence(
        quiet, np.zeros(3000), np.concatenate(owners), np.concatenate(gaps), np.ones(sum(map(len, gaps)))
    )
    found = posterior(evidence, Rates(np.full(3000, 1.5), np.full(3000, 5.0)))
    assert np.median(found.per_day / rate) == pytest.approx(1.0, abs=0.05)
    assert np.median(np.abs(found.per_day / rate - 1.0)) < 0.25
    # The prior raises low rates a little and lowers high ones.
    for part in (rate < np.median(rate), rate >= np.median(rate)):
        assert np.median(found.per_day[part] / rate[part]) == pytest.approx(1.0, abs=0.2)


def test_dated_changes_are_more_informative_than_undated_ones() -> None:
    rate, dice = 0.2, np.random.default_rng(3)
    ago = dice.exponential(1 / rate, 400)
    prior = Rates(np.array([1.0]), np.array([1.0]))
    dated = posterior(one_page(float(np.minimum(ago, 10).sum()), int((ago < 10).sum()), []), prior)
    undated = posterior(one_page(10.0 * int((ago >= 10).sum()), 0, [10.0] * int((ago < 10).sum())), prior)
    assert dated.per_day[0] == pytest.approx(rate, rel=0.15)
    assert dated.shape[0] > undated.shape[0]


def test_estimates_of_some_pages_equal_those_among_all() -> None:
    evidence = Evidence(
        np.array([1.0, 0.0, 4.0]), np.zeros(3), np.array([1, 2, 1]), np.array([2.0, 3.0, 5.0]), np.ones(3)
    )
    prior = default_rates(3)
    places: NDArray[np.int64] = np.array([2, 1])
    assert posterior(evidence.at(places), prior.at(places)).mean == pytest.approx(
        posterior(evidence, prior).mean[places], rel=1e-5
    )
    assert evidence.is_known.tolist() == [True, True, True]


def test_moments_become_a_gamma_with_these_moments() -> None:
    shape, days = 2.3, 7.0
    digamma = 0.6000398803137  # ψ(2.3)
    found = Moments(np.array([shape / days]), np.array([digamma - np.log(days)])).fit_gamma()
    assert found.shape[0] == pytest.approx(shape, rel=0.015)


def test_medians_match_those_of_gamma_samples() -> None:
    dice = np.random.default_rng(8)
    for shape in (0.35, 0.6, 1.0, 5.0, 100.0):
        drawn = dice.gamma(shape, 1.0, 200_000)
        assert Rates(np.array([shape]), np.array([1.0])).per_day[0] == pytest.approx(
            np.median(drawn), rel=0.12
        )
