"""What a shard believes of the notes of earlier runs; the clock is pretended."""

import math
from itertools import count

import pytest
from tests.unit.crawl.visit.shard import NOON_S, TestShard

from gossamer.crawl.events import Notice
from gossamer.crawl.visit.shard_context import ShardMemory
from gossamer.frontier.pauses_and_backoff import MAX_RETRY_AFTER_S
from gossamer.records import HostNote

HOST = "a.example"
YEAR_S = 365 * 86_400.0


def make_shard(note: HostNote) -> TestShard:
    """Return a shard whose web remembers a host."""
    shard = TestShard(delay_s=2.0)
    notes = {note.name: note}
    memory = ShardMemory(notes.get, None, None, count(1), -math.inf)  # type: ignore[arg-type]
    shard.context._memory = memory
    return shard


def find_ready_s(shard: TestShard) -> float:
    """Return when the first request to the host may be sent."""
    shard.context.register_host(HOST)
    shard.now_s = NOON_S - 1.0
    with pytest.raises(AssertionError):
        shard.take()
    ready_s = shard.context.frontier.next_ready_s()
    assert ready_s is not None
    return ready_s


@pytest.mark.parametrize(
    ("pause_s", "failures", "kept_s"),
    [
        (30.0, 0, 30.0),
        (3600.0, 1, 3600.0),
        (MAX_RETRY_AFTER_S, 1, MAX_RETRY_AFTER_S),
        (3600.0, 0, 2.0),  # nothing but a failure is followed by such a pause
        (YEAR_S, 0, 2.0),
        (YEAR_S, 3, 2.0),
    ],
)
def test_a_pause_that_cannot_be_is_the_usual_one_from_now(
    pause_s: float, failures: int, kept_s: float
) -> None:
    shard = make_shard(HostNote(HOST, NOON_S + pause_s, failures=failures))
    assert find_ready_s(shard) == NOON_S + kept_s
    pace = shard.context.frontier.pace(HOST)
    assert pace is not None
    assert pace.failures == failures
    assert [type(event) for event in shard.events] == [Notice] * (pause_s != kept_s)


def test_a_wrong_clock_is_reported_once_with_both_times() -> None:
    note = HostNote(HOST, NOON_S + YEAR_S, robots=b"", robots_status=200, robots_s=NOON_S + YEAR_S)
    shard = make_shard(note)
    shard.context.register_host(HOST)
    assert shard.context.find_robots(HOST, 86_400.0) is None
    [notice] = shard.events
    assert "2028-01" in notice.text
    assert "2027-01" in notice.text


def test_times_that_are_right_are_believed() -> None:
    note = HostNote(HOST, NOON_S + 1.0, robots=b"", robots_status=200, robots_s=NOON_S - 60.0)
    shard = make_shard(note)
    shard.context.register_host(HOST)
    assert shard.context.find_robots(HOST, 86_400.0) is not None
    assert shard.events == []
