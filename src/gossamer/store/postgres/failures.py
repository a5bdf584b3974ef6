"""Failures that only a store on another machine can have.

StoreFailed
├── StoreAway     the database did not answer; the same call may succeed later
└── LeaseLost     another fetcher has taken shares that a batch belongs to; nothing of the batch was written
"""

from collections.abc import Iterable

from gossamer.errors import StoreFailed


class StoreAway(StoreFailed):
    """The database did not answer. Commit the same batch again: it is written once, even if only the answer was lost."""


class LeaseLost(StoreFailed):
    """Another fetcher has taken shares that a batch belongs to; nothing of the batch was written."""

    def __init__(self, groups: Iterable[int]) -> None:
        self.groups = frozenset(groups)
        """The groups of shares that are lost."""
        super().__init__(
            f"the leases of {len(self.groups)} groups of hosts were lost to other fetchers, so this batch was not written"
        )
