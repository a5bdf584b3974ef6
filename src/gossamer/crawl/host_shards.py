"""Which shard a host belongs to: the one that alone asks it, and alone decides which of its pages are new.

A host belongs to one share of the web, for ever and on every machine. Shares are dealt to the shards of a run by their
remainder, so that the next run can have another number of them: what waits, waits at hosts and not at shards.
"""

from functools import lru_cache

import msgspec

from gossamer.net import url as urls

SHARES = 1 << 16


@lru_cache(maxsize=65_536)
def share_of(host: str) -> int:
    """Return the share of the web to which a host belongs."""
    return urls.page_id(host) % SHARES


class Territory(msgspec.Struct, frozen=True):
    """One shard of several: which hosts are its own."""

    shard: int = 0
    shards: int = 1

    @property
    def first(self) -> bool:
        """Whether this is the shard that also steers the tasks."""
        return self.shard == 0

    def owns(self, host: str) -> bool:
        """Say whether a host belongs to this shard."""
        return self.shards == 1 or share_of(host) % self.shards == self.shard

    def first_number(self, last: int) -> int:
        """Return the first number after the last one that this shard may give to a request: steps are `shards` wide."""
        return last + 1 + (self.shard - last - 1) % self.shards


WHOLE = Territory()
"""Of the only shard."""
