"""The failures that only a store of several fetchers can have."""

from collections.abc import Iterable

from gossamer.errors import BadInput, StoreFailed


class LeaseLost(StoreFailed):
    """Another fetcher has taken shares that a batch belongs to; nothing of the batch was written."""

    def __init__(self, groups: Iterable[int]) -> None:
        self.groups = frozenset(groups)
        """The groups of shares that are lost."""
        super().__init__(
            f"the leases of {len(self.groups)} groups of hosts were lost to other fetchers, so this batch was not written"
        )


class ForgettingUnfinished(BadInput):
    """Pages of this web are being forgotten, or that was interrupted: it cannot be opened for writing."""
