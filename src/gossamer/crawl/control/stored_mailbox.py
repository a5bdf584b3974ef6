"""The mailbox of a web whose state is in a database: orders are notes of the store, so that any machine can send one."""

import time
import uuid
from collections.abc import Callable

import msgspec

from gossamer.crawl.control.command_mailbox import Order, decode_orders
from gossamer.store.batch import Batch, Store

ROOM = "mailbox"


class StoredMailbox:
    """Orders in the notes of a store, oldest first, as far as the clocks of the machines that sent them agree."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._old = {name for name, _ in store.notes(ROOM)}
        """Orders from before this run."""
        self._read: set[str] = set()

    def append(self, order: Order) -> None:
        """Append an order."""
        name = f"{time.time_ns():020}.{uuid.uuid4().hex}"
        self._store.commit(Batch(notes={(ROOM, name): msgspec.json.encode(order)}))

    def read_old(self) -> list[Order]:
        """Return the orders from before the run began; empty after the first call."""
        return self._take(lambda name: name in self._old)

    def read_new(self) -> list[Order]:
        """Return the orders that came since the last call."""
        return self._take(lambda _: True)

    def forget(self, tasks: set[int]) -> None:
        """Remove the orders for these tasks that were read: they were carried out, and the result is written."""
        done = [
            name
            for name, packed in self._store.notes(ROOM)
            if name in self._read and all(order.task in tasks for order in decode_orders(packed))
        ]
        if done:
            self._store.commit(Batch(notes={(ROOM, name): None for name in done}))

    def _take(self, wanted: Callable[[str], bool]) -> list[Order]:
        # All are read each time: one that was sent by a machine with a slow clock comes before others that are known.
        found = [
            (name, packed)
            for name, packed in self._store.notes(ROOM)
            if name not in self._read and wanted(name)
        ]
        self._read.update(name for name, _ in found)
        return [order for _, packed in found for order in decode_orders(packed)]
