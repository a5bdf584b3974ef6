"""Which shard a host belongs to, and the numbers that shards give."""

from collections import Counter
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.host_shards import SHARES, WHOLE, Territory, share_of


def test_the_share_of_a_host_is_part_of_the_format() -> None:
    """What waits in inboxes is addressed by it: it must never change."""
    assert [share_of(host) for host in ("www.example.org", "a.example:8080")] == [14930, 44821]


@pytest.mark.parametrize("shards", [1, 2, 3, 8])
def test_every_host_belongs_to_one_shard_and_each_has_its_part(shards: int) -> None:
    hosts = [f"host{number}.example" for number in range(4_000)]
    owned = Counter(shard for shard in range(shards) for host in hosts if Territory(shard, shards).owns(host))
    assert owned.total() == len(hosts)
    assert min(owned.values()) > 0.8 * len(hosts) / shards


def test_a_share_says_who_owns_the_host_however_many_shards_there_are() -> None:
    for host in ("a.example", "b.example:81", "[::1]:8080"):
        assert 0 <= share_of(host) < SHARES
        for shards in range(2, 9):
            assert Territory(share_of(host) % shards, shards).owns(host)


def test_the_only_shard_owns_everything_and_steers() -> None:
    assert WHOLE.owns("anything.example")
    assert WHOLE.first
    assert not Territory(1, 2).first


@given(st.integers(0, 10**9), st.integers(1, 64))
def test_shards_never_give_the_same_number(last: int, shards: int) -> None:
    given_by = [
        set(islice(count(Territory(shard, shards).first_number(last), shards), 20)) for shard in range(shards)
    ]
    assert len(set().union(*given_by)) == 20 * shards
    assert min(min(numbers) for numbers in given_by) == last + 1


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 8), st.data())
def test_nor_does_one_that_begins_again_while_others_go_on(
    last: int, more: int, shards: int, data: st.DataObject
) -> None:
    shard = data.draw(st.integers(0, shards - 1))
    again = Territory(shard, shards).first_number(last + more)
    assert again > last + more
    assert (again - Territory(shard, shards).first_number(last)) % shards == 0
