"""Priors learnt from hosts and kinds."""

import numpy as np
import pytest

from gossamer.freshness.change_rate import Evidence, Floats, posterior
from gossamer.freshness.rate_priors import Groups, default_rates, guess_rates, learn_priors

NO_GAPS = (np.empty(0, np.int64), np.empty(0), np.empty(0))


def simulate_visits(
    rate: Floats, visits: int, gap_days: float | Floats, dice: np.random.Generator
) -> Evidence:
    """Return the evidence from this many simulated visits to each page."""
    changed = dice.random((visits, len(rate))) < -np.expm1(-rate * gap_days)
    quiet = (~changed).sum(axis=0) * gap_days
    owner = np.nonzero(changed)[1]
    gaps = np.broadcast_to(gap_days, len(rate))[owner]
    return Evidence(quiet.astype(float), np.zeros(len(rate)), owner, gaps, np.ones(len(owner)))


def test_an_unvisited_page_is_expected_to_change_like_its_host_and_kind() -> None:
    dice = np.random.default_rng(1)
    host, kind = np.repeat([0, 1], 400), np.tile([0, 1], 400)
    rate = np.where(host == 0, 0.02, 0.4) * np.where(kind == 0, 1.0, 3.0) * dice.lognormal(0, 0.2, 800)
    evidence = simulate_visits(rate, 10, 2.0, dice)
    unseen = np.array([0, 1, 400, 401])
    keep = ~np.isin(evidence.owner, unseen)
    evidence.quiet_days[unseen] = 0.0
    gaps = (evidence.owner[keep], evidence.gap_days[keep], evidence.times[keep])
    evidence = Evidence(evidence.quiet_days, evidence.dated, *gaps)
    prior = learn_priors(evidence, Groups(host, kind), default_rates(800), rounds=20)
    assert prior.mean[unseen] == pytest.approx([0.02, 0.06, 0.4, 1.2], rel=0.3)


def test_common_rates_of_hosts_improve_estimates() -> None:
    dice = np.random.default_rng(2)
    host = np.repeat(np.arange(40), 50)
    rate = dice.lognormal(-2, 1.2, 40)[host] * dice.lognormal(0, 0.2, 2000)
    evidence = simulate_visits(rate, 3, 5.0, dice)
    flat = default_rates(2000, float(rate.mean()))
    by_host = learn_priors(evidence, Groups(host, np.zeros(2000, np.int64)), flat, rounds=15)
    errors = [
        np.median(np.abs(np.log(posterior(evidence, prior).per_day / rate))) for prior in (flat, by_host)
    ]
    assert errors[1] < 0.6 * errors[0]


def test_a_few_similar_pages_do_not_prove_that_all_are() -> None:
    groups = Groups(np.zeros(6, np.int64), np.zeros(6, np.int64))
    seen = Evidence(np.full(6, 3.0), np.zeros(6), np.arange(6), np.full(6, 3.0), np.ones(6))
    assert (learn_priors(seen, groups, default_rates(6), rounds=20).shape < 2.5).all()


@pytest.mark.slow
def test_rates_of_similar_pages_are_within_a_tenth_after_20_visits() -> None:
    dice = np.random.default_rng(4)
    host = np.repeat(np.arange(30), 40)
    rate = dice.lognormal(-2, 1.0, 30)[host] * dice.lognormal(0, 0.1, 1200)
    seen = simulate_visits(rate, 20, 1.6 / rate, dice)
    prior = learn_priors(seen, Groups(host, np.zeros(1200, np.int64)), default_rates(1200), rounds=16)
    assert np.median(np.abs(posterior(seen, prior).per_day / rate - 1.0)) < 0.1


@pytest.mark.slow
def test_hosts_count_little_where_they_do_not_differ() -> None:
    """A page that changed at every visit says little about the unvisited page of its host."""
    dice = np.random.default_rng(6)
    host = np.append(np.repeat(np.arange(30), 40), [30, 30])
    kinds = np.zeros(len(host), np.int64)

    def estimate_last_page(of_hosts: float) -> float:
        rate = dice.lognormal(-2, of_hosts, 31)[host]
        seen = simulate_visits(rate, 8, 2.0, dice)
        kept = seen.owner < 1200
        seen.quiet_days[1200:] = 0.0
        owner = np.append(seen.owner[kept], [1200] * 8)
        seen = Evidence(seen.quiet_days, seen.dated, owner, np.full(len(owner), 2.0), np.ones(len(owner)))
        return float(learn_priors(seen, Groups(host, kinds), default_rates(len(host)), rounds=16).mean[-1])

    assert estimate_last_page(0.0) < 0.25
    assert estimate_last_page(1.5) > 0.5


def test_hints_teach_nothing_about_other_pages() -> None:
    groups = Groups(np.zeros(4, np.int64), np.zeros(4, np.int64))
    hinted = Evidence(np.array([2.0, 100.0, 100.0, 0.0]), np.array([2.0, 0.0, 0.0, 0.0]), *NO_GAPS)
    visited = np.array([True, False, False, False])
    begin = guess_rates(hinted, visited)
    assert begin.mean == pytest.approx(3 / 32)
    with_hints = learn_priors(hinted, groups, begin)
    without = learn_priors(hinted, groups, begin, visited=visited)
    assert without.mean[3] > 2 * with_hints.mean[3]


def test_without_evidence_the_prior_stays() -> None:
    nothing = Evidence(np.zeros(3), np.zeros(3), *NO_GAPS)
    before = default_rates(3)
    assert learn_priors(nothing, Groups(np.zeros(3, np.int64), np.zeros(3, np.int64)), before) is before
