"""How servers are asked for pages that we have."""

import pytest

from gossamer.freshness.change_history import HostLearnt, PageLearnt
from gossamer.freshness.conditional_request import (
    AUDIT_EVERY,
    Known,
    chance_of_change,
    gap_days,
    gap_place,
    head_is_cheaper,
    way,
)

TAGGED = Known(True, 50_000, 1.0)


@pytest.mark.parametrize(
    ("known", "page", "host", "expected"),
    [
        (TAGGED, PageLearnt(), HostLearnt(), "condition"),
        (Known(False, 50_000, 1.0), PageLearnt(), HostLearnt(), "whole"),
        (TAGGED, PageLearnt(lies=True), HostLearnt(), "whole"),
        (TAGGED, PageLearnt(unheard=AUDIT_EVERY), HostLearnt(), "whole"),
        (TAGGED, PageLearnt(unheard=AUDIT_EVERY - 1), HostLearnt(), "condition"),
        (TAGGED, PageLearnt(), HostLearnt(audits=20, lies=5), "whole"),
        (TAGGED, PageLearnt(), HostLearnt(audits=20, lies=2), "condition"),
        (TAGGED, PageLearnt(quiet_days=30), HostLearnt(ignored=3), "head"),
        (TAGGED, PageLearnt(quiet_days=30), HostLearnt(ignored=3, not_modified=4), "condition"),
        (Known(True, 800, 1.0), PageLearnt(quiet_days=30), HostLearnt(ignored=3), "condition"),
        (Known(True, 50_000, 30.0), PageLearnt(gaps={0: 40}), HostLearnt(ignored=3), "condition"),
    ],
)
def test_the_cheapest_way_that_can_be_trusted_is_taken(
    known: Known, page: PageLearnt, host: HostLearnt, expected: str
) -> None:
    assert way(known, page, host) == expected


def test_the_head_is_cheaper_for_large_pages_that_rarely_change() -> None:
    assert head_is_cheaper(10_000, 0.1)
    assert not head_is_cheaper(10_000, 0.9)
    assert not head_is_cheaper(500, 0.0)


def test_what_changed_often_has_probably_changed_again() -> None:
    often, seldom = PageLearnt(gaps={gap_place(1.0): 9}, quiet_days=1.0), PageLearnt(quiet_days=100.0)
    assert chance_of_change(often, 2.0) > 0.7
    assert chance_of_change(seldom, 2.0) < 0.05
    assert chance_of_change(seldom, 0.0) == 0.0


@pytest.mark.parametrize("days", [1e-4, 0.01, 1.0, 7.3, 400.0])
def test_gaps_of_nearly_one_length_share_a_place(days: float) -> None:
    assert gap_days(gap_place(days)) == pytest.approx(days, rel=0.05)
    assert gap_place(days) == gap_place(gap_days(gap_place(days)))
