"""Stored pages are requested conditionally, whole or by HEAD."""

import pytest

from gossamer.freshness.change_history import HostHistory, PageHistory
from gossamer.freshness.conditional_request import (
    AUDIT_EVERY,
    StoredCopy,
    bucket_to_days,
    choose_request,
    estimate_change_chance,
    gap_to_bucket,
    head_is_cheaper,
)

TAGGED = StoredCopy(True, 50_000, 1.0)


@pytest.mark.parametrize(
    ("known", "page", "host", "expected"),
    [
        (TAGGED, PageHistory(), HostHistory(), "condition"),
        (StoredCopy(False, 50_000, 1.0), PageHistory(), HostHistory(), "whole"),
        (TAGGED, PageHistory(lies=True), HostHistory(), "whole"),
        (TAGGED, PageHistory(unheard=AUDIT_EVERY), HostHistory(), "whole"),
        (TAGGED, PageHistory(unheard=AUDIT_EVERY - 1), HostHistory(), "condition"),
        (TAGGED, PageHistory(), HostHistory(audits=20, lies=5), "whole"),
        (TAGGED, PageHistory(), HostHistory(audits=20, lies=2), "condition"),
        (TAGGED, PageHistory(quiet_days=30), HostHistory(ignored=3), "head"),
        (TAGGED, PageHistory(quiet_days=30), HostHistory(ignored=3, not_modified=4), "condition"),
        (StoredCopy(True, 800, 1.0), PageHistory(quiet_days=30), HostHistory(ignored=3), "condition"),
        (StoredCopy(True, 50_000, 30.0), PageHistory(gaps={0: 40}), HostHistory(ignored=3), "condition"),
    ],
)
def test_the_cheapest_reliable_request_is_chosen(
    known: StoredCopy, page: PageHistory, host: HostHistory, expected: str
) -> None:
    assert choose_request(known, page, host) == expected


def test_the_head_is_cheaper_for_large_pages_that_rarely_change() -> None:
    assert head_is_cheaper(10_000, 0.1)
    assert not head_is_cheaper(10_000, 0.9)
    assert not head_is_cheaper(500, 0.0)


def test_a_page_that_changed_often_has_probably_changed_again() -> None:
    often, seldom = PageHistory(gaps={gap_to_bucket(1.0): 9}, quiet_days=1.0), PageHistory(quiet_days=100.0)
    assert estimate_change_chance(often, 2.0) > 0.7
    assert estimate_change_chance(seldom, 2.0) < 0.05
    assert estimate_change_chance(seldom, 0.0) == 0.0


@pytest.mark.parametrize("days", [1e-4, 0.01, 1.0, 7.3, 400.0])
def test_gaps_of_similar_length_share_a_bucket(days: float) -> None:
    assert bucket_to_days(gap_to_bucket(days)) == pytest.approx(days, rel=0.05)
    assert gap_to_bucket(days) == gap_to_bucket(bucket_to_days(gap_to_bucket(days)))
