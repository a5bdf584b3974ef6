"""Priors learnt from hosts and kinds."""

import numpy as np
import pytest

from gossamer.order.fresh_priors import Groups, guessed, learnt, unlearnt
from gossamer.order.fresh_rates import Evidence, Floats, posterior


def visited(rate: Floats, visits: int, gap_days: float, dice: np.random.Generator) -> Evidence:
    """Return what so many visits to each page show."""
    changed = dice.random((visits, len(rate))) < -np.expm1(-rate * gap_days)
    quiet = (~changed).sum(axis=0) * gap_days
    owner = np.nonzero(changed)[1]
    return Evidence(quiet.astype(float), np.zeros(len(rate)), owner, np.full(len(owner), gap_days))


def test_a_page_nobody_has_visited_is_expected_to_change_as_its_host_and_kind_do() -> None:
    dice = np.random.default_rng(1)
    host, kind = np.repeat([0, 1], 400), np.tile([0, 1], 400)
    rate = np.where(host == 0, 0.02, 0.4) * np.where(kind == 0, 1.0, 3.0) * dice.lognormal(0, 0.2, 800)
    evidence = visited(rate, 4, 2.0, dice)
    unseen = np.array([0, 1, 400, 401])
    keep = ~np.isin(evidence.owner, unseen)
    evidence.quiet_days[unseen] = 0.0
    evidence = Evidence(evidence.quiet_days, evidence.dated, evidence.owner[keep], evidence.gap_days[keep])
    prior = learnt(evidence, Groups(host, kind), unlearnt(800), rounds=20)
    assert prior.mean[unseen] == pytest.approx([0.02, 0.06, 0.4, 1.2], rel=0.3)


def test_what_hosts_have_in_common_makes_estimates_better() -> None:
    dice = np.random.default_rng(2)
    host = np.repeat(np.arange(40), 50)
    rate = dice.lognormal(-2, 1.2, 40)[host] * dice.lognormal(0, 0.2, 2000)
    evidence = visited(rate, 3, 5.0, dice)
    flat = unlearnt(2000, float(rate.mean()))
    by_host = learnt(evidence, Groups(host, np.zeros(2000, np.int64)), flat, rounds=15)
    errors = [
        np.median(np.abs(np.log(posterior(evidence, prior).per_day / rate))) for prior in (flat, by_host)
    ]
    assert errors[1] < 0.6 * errors[0]


def test_few_pages_that_seem_alike_are_no_proof_that_all_are() -> None:
    groups = Groups(np.zeros(6, np.int64), np.zeros(6, np.int64))
    seen = Evidence(np.full(6, 9.0), np.full(6, 9.0), np.empty(0, np.int64), np.empty(0))
    assert (learnt(seen, groups, unlearnt(6), rounds=20).shape <= 1.5).all()


def test_hints_teach_nothing_of_other_pages() -> None:
    groups = Groups(np.zeros(4, np.int64), np.zeros(4, np.int64))
    hinted = Evidence(
        np.array([2.0, 100.0, 100.0, 0.0]), np.array([2.0, 0.0, 0.0, 0.0]), np.empty(0, np.int64), np.empty(0)
    )
    visited = np.array([True, False, False, False])
    begin = guessed(hinted, visited)
    assert begin.mean == pytest.approx(3 / 32)
    with_hints = learnt(hinted, groups, begin)
    without = learnt(hinted, groups, begin, visited=visited)
    assert without.mean[3] > 2 * with_hints.mean[3]


def test_where_nothing_was_seen_nothing_is_learnt() -> None:
    nothing = Evidence(np.zeros(3), np.zeros(3), np.empty(0, np.int64), np.empty(0))
    before = unlearnt(3)
    assert learnt(nothing, Groups(np.zeros(3, np.int64), np.zeros(3, np.int64)), before) is before
