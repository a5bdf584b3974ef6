"""Renew the leases of a fetcher in the background, and say whether they are certainly still its own."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from gossamer.errors import StoreFailed
from gossamer.store.postgres.coordination.leases import LEASE_S, Leases, Standing
from gossamer.store.postgres.failures import LeaseLost

RENEWALS = 5
"""How often a lease is renewed before it would expire."""
_MARGIN = 0.8
"""A fetcher stops asking hosts after this part of its lease, if it could not renew it: before others may take its hosts."""


def read_clock() -> float:
    """Return seconds that go on while the machine sleeps; others may take its hosts meanwhile."""
    boot_clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_clock is None else time.clock_gettime(boot_clock)


class Heartbeat:
    """Renews the lease of a fetcher until it is stopped; `on_standing` is told what the fetcher holds and should hold."""

    def __init__(
        self,
        leases: Leases,
        describe: Callable[[], bytes],
        on_standing: Callable[[Standing], None],
        on_trouble: Callable[[StoreFailed], None],
        lease_s: float = LEASE_S,
    ) -> None:
        self._leases = leases
        self._describe = describe
        """Returns what the fetcher says about itself, in JSON."""
        self._on_standing = on_standing
        self._on_trouble = on_trouble
        self._lease_s = lease_s
        self._renewed_s = read_clock()
        self._steady_s = -math.inf
        """Since when every renewal has succeeded."""
        self._needed: Mapping[int, int] = {}
        """The leases on which the crawl under way depends, with their epochs."""
        self._has_lapsed = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop renewing."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def depend_on(self, epochs: Mapping[int, int]) -> None:
        """Begin a part of the crawl that depends on these leases, which were just renewed or taken."""
        self._needed, self._has_lapsed = epochs, False

    def is_alive(self) -> bool:
        """Say whether no other fetcher can have taken this one's hosts or addresses since its part of the crawl began.

        A process that was stopped finds out here.
        """
        if read_clock() - self._renewed_s >= _MARGIN * self._lease_s:
            self._has_lapsed = True
        return not self._has_lapsed

    def reaches_database(self) -> bool:
        """Say whether the last renewal succeeded."""
        return self._steady_s < math.inf

    def may_take(self) -> bool:
        """Say whether a silent fetcher is gone: if this one could not reach the database either, it waits for a lease time."""
        return read_clock() - self._steady_s >= self._lease_s

    def beat(self) -> Standing:
        """Renew the lease now."""
        began_s = read_clock()
        try:
            standing = self._leases.renew(self._describe())
        except StoreFailed:
            self._steady_s = math.inf
            raise
        self._steady_s = min(self._steady_s, began_s)
        self.is_alive()  # notes that the lease had lapsed before this
        if any(standing.epochs.get(group) != epoch for group, epoch in self._needed.items()):
            self._has_lapsed = True
        self._renewed_s = began_s
        return standing

    def _run(self) -> None:
        while not self._stopping.wait(self._lease_s / RENEWALS):
            try:
                self._on_standing(self.beat())
            except LeaseLost as lost:
                self._on_trouble(lost)
                return
            except StoreFailed as failure:
                with suppress(Exception):
                    self._on_trouble(failure)
