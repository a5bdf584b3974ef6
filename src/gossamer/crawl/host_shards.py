"""Which shard owns a host: only that shard asks it, and decides which of its pages are new.

A host always belongs to the same one of 65,536 shares, on every machine. On one machine, shares are dealt to the shards of
a run by their remainder, so that the next run can have another number of shards: requests wait at hosts, not at shards.
On several machines, each fetcher leases groups of shares, which move while the crawl goes on.
"""

from functools import lru_cache

import msgspec

from gossamer.net import url as urls

SHARES = 1 << 16
GROUP_BITS = 6
"""Shares are leased in groups of 64 that follow each other: one row for each group is little to renew, and there are enough
of them for hundreds of fetchers."""
GROUPS = SHARES >> GROUP_BITS


def host_of(url: str) -> str:
    """Return the host of a canonical URL: the part between the second and the third slash."""
    return url.split("/", 3)[2]


@lru_cache(maxsize=65_536)
def share_of(host: str) -> int:
    """Return the share that a host belongs to."""
    return urls.page_id(host) % SHARES


class Territory(msgspec.Struct, frozen=True):
    """One shard of several, and the hosts that it owns."""

    shard: int = 0
    """Its number, which no other shard has at the same time."""
    shards: int = 1
    """Above all these numbers."""
    groups: frozenset[int] | None = None
    """The groups of shares that it has leased; None if shares are dealt by their remainder."""

    @property
    def first(self) -> bool:
        """Whether this is the first shard, which also controls the tasks."""
        return self.shard == 0 if self.groups is None else 0 in self.groups

    def owns(self, host: str) -> bool:
        """Say whether a host belongs to this shard."""
        if self.groups is not None:
            return share_of(host) >> GROUP_BITS in self.groups
        return self.shards == 1 or share_of(host) % self.shards == self.shard

    def first_number(self, last: int) -> int:
        """Return the first request number above `last` that this shard may give; it counts in steps of `shards`."""
        return last + 1 + (self.shard - last - 1) % self.shards


WHOLE = Territory()
"""The territory of the only shard."""
