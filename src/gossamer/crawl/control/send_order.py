"""Send an order to the crawl that runs, wherever its processes are; if none runs, carry it out in the store."""

import time
from collections.abc import Callable
from pathlib import Path

from gossamer.crawl.control.command_mailbox import Order, apply_at_rest
from gossamer.crawl.control.reach_crawl import is_crawled, open_mailbox
from gossamer.store.batch import Store, TaskNote
from gossamer.store.lock import Lock

_POLL_S = 0.05

IsDone = Callable[[TaskNote], bool]
"""Tells from a stored task whether an order has been carried out."""
AtRest = Callable[[], None]
"""Carries out an order in a web that no crawl works on; its lock is held."""


def send_order(store: Store, folder: Path, order: Order) -> bool:
    """Give an order to the running crawl and return True; if none runs, carry it out and return False."""
    if is_crawled(store, folder):
        open_mailbox(store, folder).append(order)
        return True
    with Lock(folder):
        apply_at_rest(store, open_mailbox(store, folder), order)
    return False


def tell_crawl(store: Store, folder: Path, order: Order, is_done: IsDone, wait_s: float) -> bool | None:
    """Give an order to the running crawl; return whether it was carried out in time, or None if no crawl runs."""
    if not is_crawled(store, folder):
        return None
    open_mailbox(store, folder).append(order)
    until_s = time.monotonic() + wait_s
    while time.monotonic() < until_s:
        if any(is_done(note) for note in store.tasks() if note.number == order.task):
            return True
        if not is_crawled(store, folder):
            return None
        time.sleep(_POLL_S)
    return False


def carry_out_order(
    store: Store, folder: Path, order: Order, is_done: IsDone, wait_s: float, at_rest: AtRest | None = None
) -> bool:
    """Have an order carried out by the running crawl, or in the store; return False if a crawl did not do so in time."""
    done = tell_crawl(store, folder, order, is_done, wait_s)
    if done is None:
        with Lock(folder):
            if at_rest is not None:
                at_rest()
            else:
                apply_at_rest(store, open_mailbox(store, folder), order)
    return done is not False
