"""Hosts belong to the same shares everywhere, and groups divide fairly."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl import host_shards
from gossamer.store.postgres.share_groups import GROUPS, SHARES, group_of, host_of, share_fairly, share_of

HOSTS = [f"www{number}.example:{number}" for number in range(500)]


def test_shares_are_those_of_the_crawl() -> None:
    assert SHARES == host_shards.SHARES
    assert [share_of(host) for host in HOSTS] == [host_shards.share_of(host) for host in HOSTS]
    assert host_of("http://a.example:8/b/c") == host_shards.host_of("http://a.example:8/b/c") == "a.example:8"


def test_groups_are_spread() -> None:
    groups = {group_of(host) for host in HOSTS}
    assert all(0 <= group < GROUPS for group in groups)
    assert len(groups) > 300


@given(st.dictionaries(st.integers(1, 200), st.integers(-1, 1000), min_size=1, max_size=120))
def test_groups_are_divided_by_capacity_without_a_rest(capacities: dict[int, int]) -> None:
    parts = share_fairly(capacities)
    assert sum(parts.values()) == GROUPS
    total = sum(max(1, capacity) for capacity in capacities.values())
    for number, part in parts.items():
        exact = GROUPS * max(1, capacities[number]) / total
        assert exact - 1 < part < exact + 1
