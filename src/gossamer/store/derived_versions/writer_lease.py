"""A lease in the shared archive: one writer at a time, and another one when it falls silent.

Every renewal creates the next number of a series, so that two writers cannot both succeed. Ages are differences of times
that the store itself noted: the clocks of the machines do not matter.
"""

import os
import threading
import time
from collections.abc import Callable

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store.derived_versions.numbered_objects import NumberedObject, NumberedObjects
from gossamer.store.shared_archive.object_store import ObjectStore

LEASE_S = 60.0


class _Holder(msgspec.Struct, frozen=True):
    owner: str
    lease_s: float
    """0 if the lease was given back."""
    token: str
    """Tells two holders of one name apart, and an attempt whose answer was lost from one of another."""


class WriterLease:
    """The right to write one kind of derived data. It lasts for `lease_s` after each `take` or `renew`."""

    def __init__(
        self,
        store: ObjectStore,
        folder: str,
        owner: str,
        lease_s: float = LEASE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._folder = folder
        self._series = NumberedObjects(store, f"{folder}/lease")
        self._owner = owner
        self._lease_s = lease_s
        self._clock = clock
        self._number = 0
        self._held_until_s = 0.0
        self._token = os.urandom(8).hex()
        self._turn = threading.RLock()
        """A thread may renew the lease while another one works."""

    @property
    def held(self) -> bool:
        """Whether this process holds the lease, as far as it can know without asking."""
        return self._clock() < self._held_until_s

    def take(self) -> bool:
        """Take the lease if it is free; return False otherwise."""
        newest = self._series.find_newest()
        if newest is not None and not self._is_over(newest):
            return False
        return self._write((newest.number if newest else 0) + 1, self._lease_s)

    def renew(self) -> bool:
        """Hold the lease for another `lease_s`; return False if it was lost."""
        with self._turn:
            return self._number > 0 and self._write(self._number + 1, self._lease_s)

    def release(self) -> None:
        """Give the lease back, so that the next writer need not wait."""
        with self._turn:
            if self._number:
                self._write(self._number + 1, 0.0)
            self._number, self._held_until_s = 0, 0.0

    def find_holder(self) -> str:
        """Return the name of the holder; "" if there is none."""
        newest = self._series.find_newest()
        return "" if newest is None or self._is_over(newest) else _decode(newest).owner

    def _write(self, number: int, lease_s: float) -> bool:
        # The lease began when we asked for it, at the latest.
        began_s = self._clock()
        content = msgspec.json.encode(_Holder(self._owner, lease_s, self._token))
        if not self._series.add(number, content):
            self._number, self._held_until_s = 0, 0.0
            return False
        self._number, self._held_until_s = number, began_s + lease_s
        self._series.drop_before(number)
        return True

    def _is_over(self, newest: NumberedObject) -> bool:
        holder = _decode(newest)
        if holder.token == self._token or not holder.lease_s:
            return True
        return self._read_store_clock() - newest.written_s > holder.lease_s

    def _read_store_clock(self) -> float:
        """Return the time of the store: that of an object written now."""
        name = f"{self._folder}/clock-{os.urandom(8).hex()}"
        self._store.create(name, b"")
        found = self._store.find(name)
        self._store.delete([name])
        if found is None:
            raise StoreFailed(f"the archive at {self._store.address} lost an object", full=True)
        return found.written_s


def _decode(newest: NumberedObject) -> _Holder:
    try:
        return msgspec.json.decode(newest.content, type=_Holder)
    except msgspec.MsgspecError:
        return _Holder("", LEASE_S, "")
