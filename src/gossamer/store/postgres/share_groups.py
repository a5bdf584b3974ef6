"""Shares of the web and the groups in which they are leased: the same numbers on every machine.

A host belongs to one of 65,536 shares, as `crawl.host_shards` says. Shares are leased in 1,024 groups of 64: a
thousand rows are enough to divide the work among a hundred fetchers within 10 %, and few enough to read all of them
at each heartbeat.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from gossamer.net import url as urls
from gossamer.store.batch import Batch

SHARES = 1 << 16
GROUP_BITS = 6
"""A group holds 64 shares that follow each other."""
GROUPS = SHARES >> GROUP_BITS
NO_GROUP = -1
"""The group of seen keys whose share is not known; every reader gets them."""


@lru_cache(maxsize=65_536)
def share_of(host: str) -> int:
    """Return the share that a host belongs to."""
    return urls.page_id(host) % SHARES


@lru_cache(maxsize=65_536)
def group_of(host: str) -> int:
    """Return the group of shares that a host belongs to."""
    return share_of(host) >> GROUP_BITS


def host_of(url: str) -> str:
    """Return the host of a canonical URL: the part between the second and the third slash."""
    return url.split("/", 3)[2]


def list_written_groups(batch: Batch) -> set[int]:
    """Return the groups whose requests and pages a batch changes: its writer must hold them."""
    hosts: set[str] = {page.host for page in batch.pages}
    for requests in (batch.requests, batch.finished, batch.retried, (after for _, after in batch.moved)):
        hosts.update(request.host for request in requests)
    hosts.update(host for host, _ in batch.dismissed)
    hosts.update(host for _, host, _ in batch.spent)
    return groups_of(hosts)


def groups_of(hosts: Iterable[str]) -> set[int]:
    """Return the groups of some hosts."""
    return {group_of(host) for host in hosts}


def share_fairly(capacities: Mapping[int, int], groups: int = GROUPS) -> dict[int, int]:
    """Divide groups among fetchers by capacity; what rounding leaves goes to the largest remainders."""
    weights = {number: max(1, capacity) for number, capacity in capacities.items()}
    total = sum(weights.values())
    if not total:
        return {}
    parts = {number: groups * weight // total for number, weight in weights.items()}
    left = groups - sum(parts.values())
    by_remainder = sorted(weights, key=lambda number: (-(groups * weights[number] % total), number))
    return parts | {number: parts[number] + 1 for number in by_remainder[:left]}
