"""The sums of a task hold after every event, in each shard, in the store, and on the page that shows them."""

from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.status.status_records import TaskStatus
from gossamer.crawl.task_counts import RESULTS, Tally, find_gaps
from gossamer.store.batch import TaskNote
from gossamer.ui.console.live.count_sums import make_sums

SHARDS = 3
ENDS = (*RESULTS, "refused:robots", "refused:dns", "failed:404", "failed:timeout", "failed:status")
RULES = ("scope", "depth", "exclude", "trap")


class PageRead(msgspec.Struct, frozen=True):
    """A page whose links were judged."""

    shard: int
    queued: int
    seen: int
    filtered: dict[str, int]


class RequestEnded(msgspec.Struct, frozen=True):
    """A request that ended, if one was left."""

    shard: int
    result: str


class BatchWritten(msgspec.Struct, frozen=True):
    """The counts of a shard reach the store."""

    shard: int


shards = st.integers(0, SHARDS - 1)
few = st.integers(0, 5)
events = st.one_of(
    st.builds(PageRead, shards, few, few, st.dictionaries(st.sampled_from(RULES), few, max_size=3)),
    st.builds(RequestEnded, shards, st.sampled_from(ENDS)),
    st.builds(BatchWritten, shards),
)


def make_status(counts: dict[str, int], left: int, under_way: int) -> TaskStatus:
    note = TaskNote(1, "task", b"{}", counts=counts)
    return TaskStatus(note, True, left - under_way, under_way, 0, 0, 0, 0)


@given(st.lists(events, max_size=60), st.integers(0, 3))
def test_the_sums_hold_after_every_event(sequence: list[object], most_under_way: int) -> None:
    tallies = [Tally() for _ in range(SHARDS)]
    left = [0] * SHARDS
    stored, stored_left, written_left = Counter[str](), 0, [0] * SHARDS
    for event in sequence:
        match event:
            case PageRead(shard, queued, seen, filtered):
                links = queued + seen + sum(filtered.values())
                tallies[shard].count_links(links, queued, Counter(filtered))
                left[shard] += queued
            case RequestEnded(shard, result) if left[shard]:
                tallies[shard].count_result(result, 10)
                left[shard] -= 1
            case BatchWritten(shard):
                stored.update(tallies[shard].take_changes())
                tallies[shard].mark_written()
                stored_left += left[shard] - written_left[shard]
                written_left[shard] = left[shard]
        for tally, own in zip(tallies, left, strict=True):
            assert tally.outstanding == own
            assert find_gaps(tally.as_dict(), own) == []
        assert find_gaps(stored, stored_left) == []
        sums = make_sums([make_status(dict(stored), stored_left, min(stored_left, most_under_way))])
        assert (sums.checked.gap, sums.queued.gap) == (0, 0)
        assert sums.short is None or sums.short.gap == 0


@given(
    st.lists(events, max_size=30),
    st.sampled_from(["queued", "seen", "filtered:scope", "failed:404", "downloaded"]),
)
def test_a_count_that_is_lost_is_noticed(sequence: list[object], name: str) -> None:
    tally, left = Tally(), 0
    for event in sequence:
        if isinstance(event, PageRead):
            links = event.queued + event.seen + sum(event.filtered.values())
            tally.count_links(links, event.queued, Counter(event.filtered))
            left += event.queued
    tally.count(name)  # alone, as if its counterpart had been lost
    assert find_gaps(tally.as_dict(), left)
    sums = make_sums([make_status(tally.as_dict(), left, 0)])
    assert sums.checked.gap or sums.queued.gap
