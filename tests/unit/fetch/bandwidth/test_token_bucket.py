"""Token buckets: the rate holds on average whatever the pieces, alone and among processes."""

import math
import random
from pathlib import Path

import pytest

from gossamer.crawl.shared_turns import SharedTurns, create_file
from gossamer.errors import BadInput
from gossamer.fetch.bandwidth.rate_table import RateTable
from gossamer.fetch.bandwidth.token_bucket import BURST_S, Bucket, Cell, open_machine_cell

RATE = 100_000.0


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def receive(buckets: list[Bucket], clock: Clock, seconds: float, piece: int, idle: float = 0.0) -> float:
    """Take pieces from the buckets in turn whenever they allow it; return the bytes that were taken."""
    dice, taken, until_s, turn = random.Random(5), 0, clock.now_s + seconds, 0
    while clock.now_s < until_s:
        bucket = buckets[turn % len(buckets)]
        turn += 1
        wait_s = bucket.find_wait_s()
        if wait_s:
            clock.now_s += wait_s
            continue
        size = dice.randint(1, piece)
        bucket.charge(size)
        taken += size
        clock.now_s += dice.random() * idle
    return taken


@pytest.mark.parametrize("piece", [100, 16_384, 300_000])
def test_the_rate_of_a_minute_is_held_within_five_percent(piece: int) -> None:
    clock = Clock()
    taken = receive([Bucket(lambda: RATE, clock=clock)], clock, 60.0, piece)
    assert taken == pytest.approx(60.0 * RATE, rel=0.05 if piece < 200_000 else 0.06)


def test_what_an_idle_bucket_saves_up_is_bounded() -> None:
    clock = Clock()
    bucket = Bucket(lambda: RATE, clock=clock)
    bucket.charge(1)
    clock.now_s += 3_600.0
    assert receive([bucket], clock, 1.0, 1_000) <= RATE * (1.0 + BURST_S) + 1_000


def test_late_wakings_are_made_up_for() -> None:
    clock = Clock()
    taken = receive([Bucket(lambda: RATE, clock=clock)], clock, 60.0, 4_000, idle=0.03)
    assert taken == pytest.approx(60.0 * RATE, rel=0.05)


def test_shards_share_the_rate_of_a_task_by_their_file() -> None:
    clock, file = Clock(), create_file()
    first, second = SharedTurns(file, 0), SharedTurns(file, 1)
    cells: list[Cell] = [first.make_cell(7), second.make_cell(7)]
    buckets = [Bucket(lambda: RATE, cell, clock) for cell in cells]
    assert receive(buckets, clock, 60.0, 10_000) == pytest.approx(60.0 * RATE, rel=0.05)
    assert Bucket(lambda: RATE, second.make_cell(8), clock).find_wait_s() == 0.0, "another task has its own"
    first.close()


def test_programs_share_the_rate_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    clock = Clock()
    buckets = [Bucket(lambda: RATE, open_machine_cell(), clock) for _ in range(2)]
    assert receive(buckets, clock, 60.0, 10_000) == pytest.approx(60.0 * RATE, rel=0.05)
    assert [path.stat().st_mode & 0o077 for path in tmp_path.iterdir()] == [0]


def test_a_debt_from_before_a_restart_of_the_machine_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    open_machine_cell().add(9_000_000.0, 0.0)
    clock = Clock()
    bucket = Bucket(lambda: RATE, open_machine_cell(), clock)
    assert bucket.find_wait_s() == 0.0
    assert receive([bucket], clock, 60.0, 10_000) == pytest.approx(60.0 * RATE, rel=0.05)


def test_without_a_rate_nothing_waits() -> None:
    bucket = Bucket(lambda: math.inf)
    bucket.charge(10**12)
    assert bucket.find_wait_s() == 0.0


def test_hours_go_before_the_usual_rate() -> None:
    noon_s = 1_763_553_600.0  # 2025-11-19 12:00 UTC
    now = [noon_s]
    rates = RateTable(("8MB/s", "08:00-18:00 UTC 1MB/s", "11:00-13:00 UTC 500kB/s"), lambda: now[0])
    found = []
    for hour in (12, 17, 20):
        now[0] = noon_s + (hour - 12) * 3600.0
        found.append(rates.find_rate())
    assert found == [5e5, 1e6, 8e6]


def test_hours_alone_leave_the_rest_of_the_day_free() -> None:
    assert RateTable(("08:00-18:00 UTC 1MB/s",), lambda: 1_763_586_000.0).find_rate() == math.inf


def test_a_host_has_its_own_rate() -> None:
    rates = RateTable(("200kB/s", "slow.example 10kB/s"))
    assert (rates.find_rate("slow.example"), rates.find_rate("other.example")) == (1e4, 2e5)


def test_a_rule_without_a_rate_is_refused() -> None:
    with pytest.raises(BadInput, match="no rate"):
        RateTable(("08:00-18:00",))
