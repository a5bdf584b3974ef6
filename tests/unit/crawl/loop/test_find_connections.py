"""The number of connections that is found: against servers whose rate is a function of it."""

from collections.abc import Callable

import pytest

from gossamer.config import Fetching
from gossamer.crawl.loop.find_connections import FIRST, LEAST, ConnectionFinder, Measurement, make_finder

Rate = Callable[[int], float]


def run(finder: ConnectionFinder, rate: Rate, failing: Rate = lambda _: 0.0, full: bool = True) -> list[int]:
    """Let a finder see two minutes of a crawl; return the numbers over time."""
    visits = unanswered = 0.0
    numbers = []
    for second in range(120):
        finder.note_pass(full)
        finder.measure(Measurement(float(second), int(visits), int(unanswered), 0.2 * second))
        visits += rate(finder.number)
        unanswered += rate(finder.number) * failing(finder.number)
        numbers.append(finder.number)
    return numbers


def test_slow_servers_get_as_many_as_are_allowed() -> None:
    numbers = run(ConnectionFinder(256), lambda number: number / 0.5)
    assert numbers[-1] == 256


@pytest.mark.parametrize("best", [80, 150, 300])
def test_the_rate_is_within_a_tenth_of_the_best_where_more_brings_nothing(best: int) -> None:
    def rate(number: int) -> float:
        return float(min(number, best))

    numbers = run(ConnectionFinder(256), rate)
    assert rate(numbers[-1]) >= 0.9 * rate(min(best, 256))


def test_servers_that_fail_under_more_get_no_more() -> None:
    finder = ConnectionFinder(256)
    numbers = run(finder, lambda number: float(number), lambda number: 0.4 if number > 70 else 0.0)
    assert numbers[-1] == FIRST
    assert "not answered" in finder.why


def test_servers_that_begin_to_fail_get_fewer() -> None:
    finder = ConnectionFinder(256)
    for second in range(60):
        finder.note_pass(False)
        failed = 0 if second < 20 else int(0.8 * 100 * (second - 20))
        finder.measure(Measurement(float(second), 100 * second, failed, 0.0))
    assert LEAST <= finder.number < FIRST


def test_hosts_that_are_always_away_are_no_reason_for_fewer() -> None:
    numbers = run(ConnectionFinder(256), lambda number: float(number), lambda _: 0.3)
    assert numbers[-1] == 256


def test_idle_connections_are_not_added_to() -> None:
    finder = ConnectionFinder(256)
    assert set(run(finder, lambda _: 50.0, full=False)) == {FIRST}
    assert "pauses of hosts" in finder.describe()


def test_a_busy_processor_gets_no_more() -> None:
    finder = ConnectionFinder(256)
    for second in range(30):
        finder.note_pass(True)
        finder.measure(Measurement(float(second), 300 * second, 0, 0.99 * second))
    assert finder.number == FIRST
    assert "processor" in finder.why


def test_short_memory_takes_connections_away() -> None:
    finder = ConnectionFinder(256)
    for second in range(5):
        finder.measure(Measurement(float(second), 300 * second, 0, 0.0, is_memory_short=True))
    assert finder.number < FIRST
    assert "memory" in finder.why


def test_a_fixed_number_stays() -> None:
    finder = make_finder([Fetching(connections=20)], 0, 256)
    assert set(run(finder, lambda number: float(number))) == {20}
    assert finder.describe() == "20 connections, as the task says"


def test_the_bound_of_the_task_and_of_the_machine_hold() -> None:
    assert run(make_finder([Fetching(most_connections=90)], 0, 256), lambda number: float(number))[-1] == 90
    assert run(make_finder([Fetching()], 0, 40), lambda number: float(number))[-1] == 40
    assert make_finder([Fetching()], 10, 256).number == 10, "a fetcher has its own number"
