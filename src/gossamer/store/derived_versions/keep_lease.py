"""Hold the lease of a writer as long as it works, however long that takes."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from gossamer.errors import StoreFailed
from gossamer.store.derived_versions.writer_lease import LEASE_S, WriterLease
from gossamer.store.shared_archive.object_store import ObjectStore

_RENEWALS = 3
"""A lease is renewed this often in the time that it lasts."""
_RETRY_S = 0.5


class WriterBusy(StoreFailed):
    """Another process holds the lease."""


@contextmanager
def keep_lease(
    store: ObjectStore, kind: str, patience_s: float = 0.0, lease_s: float = LEASE_S
) -> Iterator[WriterLease]:
    """Take the lease of a kind, and renew it until the end of the `with` block; raise WriterBusy if another has it.

    A writer that was killed keeps it for `lease_s` at most; `patience_s` is how long to wait for it.
    """
    lease = WriterLease(store, f"derived/{kind}", f"{socket.gethostname()}, process {os.getpid()}", lease_s)
    _take(lease, kind, patience_s, lease_s)
    ended = threading.Event()
    renewal = threading.Thread(target=_renew, args=(lease, ended, lease_s / _RENEWALS), daemon=True)
    renewal.start()
    try:
        yield lease
    finally:
        ended.set()
        renewal.join()
        with suppress(StoreFailed):  # it ends by itself
            lease.release()


def _take(lease: WriterLease, kind: str, patience_s: float, lease_s: float) -> None:
    deadline_s = time.monotonic() + patience_s
    while not lease.take():
        if time.monotonic() >= deadline_s:
            raise WriterBusy(
                f"the {kind} is being written by another process ({lease.find_holder() or 'which has just ended'}): "
                f"wait until it has finished; if it was killed, wait {lease_s:.0f} seconds"
            )
        time.sleep(_RETRY_S)


def _renew(lease: WriterLease, ended: threading.Event, every_s: float) -> None:
    while not ended.wait(every_s):
        with suppress(StoreFailed):  # the store may come back before the lease ends
            if not lease.renew():
                return
