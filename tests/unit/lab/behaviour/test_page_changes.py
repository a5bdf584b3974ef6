"""Pages change, appear and vanish at the requested rates, and all methods of the timetable agree."""

import math
from itertools import pairwise

import pytest

from gossamer.lab.behaviour import page_changes
from gossamer.lab.behaviour.page_changes import DAY_S, Timetable
from gossamer.lab.options import Changes
from gossamer.lab.seeded_random import mix

KEYS = [mix(number, 99) for number in range(400)]


@pytest.mark.parametrize("per_day", [0.02, 1.0, 300.0])
def test_version_is_the_number_of_changes_until_then(per_day: float) -> None:
    timetable = Timetable(Changes(changes_per_day=per_day))
    until_s = 40 / per_day * DAY_S
    for key in KEYS[:20]:
        times = list(timetable.list_changes(key, until_s))
        assert times == sorted(times)
        for now_s in (0.0, until_s / 3, until_s / 2, until_s):
            seen = [time_s for time_s in times if time_s <= math.floor(now_s)]
            assert timetable.find_version(key, now_s) == (len(seen), seen[-1] if seen else -math.inf)


@pytest.mark.slow
def test_the_version_changes_exactly_at_the_listed_times() -> None:
    timetable = Timetable(Changes(changes_per_day=4.0, rate_spread=0))
    for key in KEYS[:10]:
        for time_s in set(timetable.list_changes(key, 20 * DAY_S)):
            version, last_s = timetable.find_version(key, time_s)
            assert last_s == time_s
            assert timetable.find_version(key, time_s - 0.001)[0] < version


def test_changes_come_at_the_mean_rate() -> None:
    timetable = Timetable(Changes(changes_per_day=0.5))
    versions = [timetable.find_version(key, 60 * DAY_S)[0] for key in KEYS]
    assert sum(versions) / len(versions) == pytest.approx(30, rel=0.15)
    # Rates are spread: some pages hardly ever change, others very often.
    assert min(versions) < 5
    assert max(versions) > 90


def test_intervals_are_memoryless() -> None:
    timetable = Timetable(Changes(changes_per_day=2.0, rate_spread=0))
    intervals = [
        later - earlier
        for key in KEYS[:60]
        for earlier, later in pairwise(timetable.list_changes(key, 100 * DAY_S))
    ]
    mean = sum(intervals) / len(intervals)
    assert mean == pytest.approx(DAY_S / 2, rel=0.1)
    # Of an exponential distribution, the share 1/e exceeds the mean.
    assert sum(one > mean for one in intervals) / len(intervals) == pytest.approx(math.exp(-1), abs=0.03)


def test_the_number_of_draws_does_not_grow_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    timetable = Timetable(Changes(changes_per_day=20.0))
    draws: list[int] = []

    def draw_first_half(key: int, number: int) -> int:
        draws.append(key)
        return original(key, number)

    original = page_changes._draw_first_half
    monkeypatch.setattr(page_changes, "_draw_first_half", draw_first_half)
    for now_s in (DAY_S, 365 * 50 * DAY_S):
        for key in KEYS[:40]:
            draws.clear()
            timetable.find_version(key, now_s)
            assert 0 < len(draws) <= 2 * 31


def test_by_default_nothing_changes() -> None:
    timetable = Timetable(Changes())
    assert not timetable.has_changes
    for key in KEYS:
        assert timetable.find_version(key, 1e9) == (0, -math.inf)
        assert timetable.find_lifespan(key, False).includes(0)
        assert timetable.find_lifespan(key, False).includes(1e9)
        assert timetable.find_lie(key) == ""


def test_pages_appear_and_vanish_at_the_requested_rates() -> None:
    timetable = Timetable(Changes(appearing=0.4, appear_days=10, vanishing=0.3, vanish_days=20))
    lives = [timetable.find_lifespan(key, False) for key in KEYS]
    late = [life for life in lives if life.born_s >= 0]
    mortal = [life for life in lives if life.gone_s < math.inf]
    assert len(late) / len(lives) == pytest.approx(0.4, abs=0.08)
    assert len(mortal) / len(lives) == pytest.approx(0.3, abs=0.08)
    assert sum(life.born_s for life in late) / len(late) == pytest.approx(10 * DAY_S, rel=0.3)
    spans = [life.gone_s - max(life.born_s, 0) for life in mortal]
    assert sum(spans) / len(spans) == pytest.approx(20 * DAY_S, rel=0.3)
    assert all(life.born_s < life.gone_s for life in lives)


def test_front_pages_always_exist() -> None:
    timetable = Timetable(Changes(appearing=1, vanishing=1))
    assert all(
        timetable.find_lifespan(key, True).includes(now_s) for key in KEYS[:20] for now_s in (0.0, 1e9)
    )


def test_times_before_the_start_and_after_the_horizon_have_a_version() -> None:
    timetable = Timetable(Changes(changes_per_day=1.0))
    assert timetable.find_version(KEYS[0], -5.0) == (0, -math.inf)
    assert timetable.find_version(KEYS[0], 1e12) == timetable.find_version(KEYS[0], 1e15)


def test_half_of_the_wrong_tags_always_claim_a_change() -> None:
    timetable = Timetable(Changes(lying=0.5))
    lies = [timetable.find_lie(key) for key in KEYS]
    assert lies.count("always new") / len(lies) == pytest.approx(0.25, abs=0.08)
    assert lies.count("never new") / len(lies) == pytest.approx(0.25, abs=0.08)
