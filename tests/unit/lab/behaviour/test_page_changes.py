"""Pages change, appear and vanish at known rates, and every way of asking agrees."""

import math
import time
from itertools import pairwise

import pytest

from gossamer.lab.behaviour.page_changes import DAY_S, Timetable
from gossamer.lab.options import Changes
from gossamer.lab.seeded_random import mix

KEYS = [mix(number, 99) for number in range(400)]


@pytest.mark.parametrize("per_day", [0.02, 1.0, 300.0])
def test_version_is_the_number_of_changes_until_then(per_day: float) -> None:
    timetable = Timetable(Changes(changes_per_day=per_day))
    until_s = 40 / per_day * DAY_S
    for key in KEYS[:20]:
        times = list(timetable.times(key, until_s))
        assert times == sorted(times)
        for now_s in (0.0, until_s / 3, until_s / 2, until_s):
            seen = [time_s for time_s in times if time_s <= math.floor(now_s)]
            assert timetable.version(key, now_s) == (len(seen), seen[-1] if seen else -math.inf)


def test_version_changes_exactly_at_the_times_told() -> None:
    timetable = Timetable(Changes(changes_per_day=4.0, rate_spread=0))
    for key in KEYS[:10]:
        for time_s in set(timetable.times(key, 20 * DAY_S)):
            version, last_s = timetable.version(key, time_s)
            assert last_s == time_s
            assert timetable.version(key, time_s - 0.001)[0] < version


def test_changes_come_at_the_mean_rate() -> None:
    timetable = Timetable(Changes(changes_per_day=0.5))
    versions = [timetable.version(key, 60 * DAY_S)[0] for key in KEYS]
    assert sum(versions) / len(versions) == pytest.approx(30, rel=0.15)
    # Rates are spread: some pages hardly ever change, others all the time.
    assert min(versions) < 5
    assert max(versions) > 90


def test_intervals_are_memoryless() -> None:
    timetable = Timetable(Changes(changes_per_day=2.0, rate_spread=0))
    intervals = [
        later - earlier for key in KEYS[:60] for earlier, later in pairwise(timetable.times(key, 100 * DAY_S))
    ]
    mean = sum(intervals) / len(intervals)
    assert mean == pytest.approx(DAY_S / 2, rel=0.1)
    # Of an exponential distribution, the share 1/e exceeds the mean.
    assert sum(one > mean for one in intervals) / len(intervals) == pytest.approx(math.exp(-1), abs=0.03)


def test_the_cost_does_not_grow_with_time() -> None:
    timetable = Timetable(Changes(changes_per_day=20.0))

    def cost(now_s: float) -> float:
        best = math.inf
        for _ in range(5):
            start = time.perf_counter()
            for key in KEYS[:40]:
                timetable.version(key, now_s)
            best = min(best, time.perf_counter() - start)
        return best

    assert cost(365 * 50 * DAY_S) < 5 * cost(DAY_S)


def test_nothing_moves_unless_ordered() -> None:
    timetable = Timetable(Changes())
    assert not timetable.moves
    for key in KEYS:
        assert timetable.version(key, 1e9) == (0, -math.inf)
        assert timetable.life(key, False).at(0)
        assert timetable.life(key, False).at(1e9)
        assert timetable.lie(key) == ""


def test_pages_appear_and_vanish_at_the_rates_ordered() -> None:
    timetable = Timetable(Changes(appearing=0.4, appear_days=10, vanishing=0.3, vanish_days=20))
    lives = [timetable.life(key, False) for key in KEYS]
    late = [life for life in lives if life.born_s >= 0]
    mortal = [life for life in lives if life.gone_s < math.inf]
    assert len(late) / len(lives) == pytest.approx(0.4, abs=0.08)
    assert len(mortal) / len(lives) == pytest.approx(0.3, abs=0.08)
    assert sum(life.born_s for life in late) / len(late) == pytest.approx(10 * DAY_S, rel=0.3)
    spans = [life.gone_s - max(life.born_s, 0) for life in mortal]
    assert sum(spans) / len(spans) == pytest.approx(20 * DAY_S, rel=0.3)
    assert all(life.born_s < life.gone_s for life in lives)


def test_front_pages_are_always_there() -> None:
    timetable = Timetable(Changes(appearing=1, vanishing=1))
    assert all(timetable.life(key, True).at(now_s) for key in KEYS[:20] for now_s in (0.0, 1e9))


def test_time_before_the_start_and_after_the_horizon_is_told_too() -> None:
    timetable = Timetable(Changes(changes_per_day=1.0))
    assert timetable.version(KEYS[0], -5.0) == (0, -math.inf)
    assert timetable.version(KEYS[0], 1e12) == timetable.version(KEYS[0], 1e15)


def test_half_of_the_liars_say_always_new() -> None:
    timetable = Timetable(Changes(lying=0.5))
    lies = [timetable.lie(key) for key in KEYS]
    assert lies.count("always new") / len(lies) == pytest.approx(0.25, abs=0.08)
    assert lies.count("never new") / len(lies) == pytest.approx(0.25, abs=0.08)
