"""Pauses, back-off and the circuit breaker of one host."""

import pytest

from gossamer.config import Politeness
from gossamer.frontier.pauses_and_backoff import (
    CLOCK_SLACK_S,
    DEAD_AFTER,
    MAX_RETRY_AFTER_S,
    Pace,
    begin_request,
    is_possible,
    least_pause_s,
    record_answer,
    record_failure,
)

NOON_S = 1_800_000_000.0
POLITENESS = Politeness(delay_s=1.0, max_delay_s=30.0, adaptive=2.0, back_off_s=5.0)


@pytest.mark.parametrize(("crawl_delay_s", "pause_s"), [(0.0, 1.0), (0.5, 1.0), (10.0, 10.0), (99.0, 30.0)])
def test_the_pause_is_the_delay_or_the_bounded_crawl_delay(crawl_delay_s: float, pause_s: float) -> None:
    assert least_pause_s(crawl_delay_s, POLITENESS) == pause_s


@pytest.mark.parametrize(("took_s", "pause_s"), [(0.1, 1.0), (4.0, 8.0), (60.0, 30.0)])
def test_a_slow_answer_is_followed_by_a_longer_pause(took_s: float, pause_s: float) -> None:
    pace = Pace()
    begin_request(pace, 100.0)
    assert pace.busy
    record_answer(pace, POLITENESS, 100.0 + took_s)
    assert not pace.busy
    assert pace.ready_s == pytest.approx(100.0 + took_s + pause_s)


def test_a_delay_of_zero_turns_adaptive_pauses_off() -> None:
    pace = Pace()
    begin_request(pace, 0.0)
    record_answer(pace, Politeness(delay_s=0.0, adaptive=2.0), 9.0)
    assert pace.ready_s == 9.0


def test_failures_of_requests_that_began_before_the_back_off_count_once() -> None:
    pace = Pace()
    begin_request(pace, 1.0)
    for now_s in (2.0, 2.5, 3.0):
        record_failure(pace, POLITENESS, now_s)
    assert pace.failures == 1


def test_a_host_is_dead_after_enough_failures_until_it_answers() -> None:
    pace = Pace()
    for now_s in range(1, DEAD_AFTER + 1):
        assert not pace.dead
        begin_request(pace, now_s * 1000.0)
        record_failure(pace, POLITENESS, now_s * 1000.0 + 1)
    assert pace.dead
    record_answer(pace, POLITENESS, 9_000.0)
    assert not pace.dead


@pytest.mark.parametrize(
    ("ahead_s", "failures", "possible"),
    [
        (60.0, 0, True),
        (60.0 + CLOCK_SLACK_S, 0, True),
        (61.0 + CLOCK_SLACK_S, 0, False),
        (MAX_RETRY_AFTER_S, 1, True),
        (365 * 86_400.0, 1, False),
        (-1e9, 0, True),
    ],
)
def test_no_pause_lasts_longer_than_one_can(ahead_s: float, failures: int, possible: bool) -> None:
    assert is_possible(NOON_S + ahead_s, failures, usual_s=60.0, now_s=NOON_S) is possible
