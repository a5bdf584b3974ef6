"""Deliver changes to a command and to a webhook; what could not be delivered is kept and tried again at the next check."""

import subprocess
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from gossamer.fetch.post_message import post_message
from gossamer.store.batch import Batch, Store
from gossamer.watch.change_log import ROOM as CHANGES
from gossamer.watch.change_log import PageChange, to_facts
from gossamer.watch.watch_list import ROOM

_WAITING = "~undelivered"
"""The name of the note that lists changes that are still to be delivered, by their names."""
_COMMAND_TIME_S = 60.0
_MOST_WAITING = 500
_NAMES = msgspec.msgpack.Decoder(dict[str, list[str]])
_CHANGE = msgspec.msgpack.Decoder(PageChange)

Send = Callable[[bytes], str]
"""Sends the facts of one change, in JSON; returns why that failed, or ""."""


class Delivery(NamedTuple):
    """A way to tell of changes."""

    channel: str
    """The name under which undelivered changes are kept: `command` or `webhook`."""
    send: Send


def make_command(argv: list[str]) -> Delivery:
    """Return the delivery to a command: it reads one change in JSON from standard input. No shell sees any of it."""

    def send(facts: bytes) -> str:
        try:
            ran = subprocess.run(  # noqa: S603 - the command is the user's own
                argv, input=facts, timeout=_COMMAND_TIME_S, stdout=subprocess.DEVNULL, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{argv[0]} did not end within {_COMMAND_TIME_S:.0f} seconds"
        except OSError as error:
            return f"{argv[0]} cannot be run: {error.strerror}"
        return f"{argv[0]} ended with exit code {ran.returncode}" if ran.returncode else ""

    return Delivery("command", send)


def make_webhook(url: str, agent: str, allow_private: tuple[str, ...]) -> Delivery:
    """Return the delivery to a web address: one change in JSON is posted at a time."""
    return Delivery("webhook", lambda facts: post_message(url, facts, agent, allow_private))


def deliver(
    store: Store, changes: Iterable[PageChange], deliveries: Iterable[Delivery]
) -> list[tuple[str, str]]:
    """Deliver changes, and those that wait from earlier checks; return the channels that failed, and why.

    A channel that fails gets nothing more in this check. At least once: a kill between delivery and note repeats one.
    """
    waiting = _read_waiting(store)
    new = [one.name for one in changes]
    deliveries = list(deliveries)
    for delivery in deliveries:
        names = dict.fromkeys([*waiting.get(delivery.channel, []), *new])
        waiting[delivery.channel] = list(names)[-_MOST_WAITING:]
    if not any(waiting.get(delivery.channel) for delivery in deliveries):
        return []
    _write_waiting(store, waiting)  # first, so that a kill loses none
    failures = []
    for channel, send in deliveries:
        left, why = _send_all(store, waiting[channel], send)
        waiting[channel] = left
        _write_waiting(store, waiting)
        if why:
            failures.append((channel, why))
    return failures


def _send_all(store: Store, names: list[str], send: Send) -> tuple[list[str], str]:
    """Send changes one by one; return those that are left after a failure, and why it failed."""
    for at, name in enumerate(names):
        data = store.note(CHANGES, name)
        if data is None:
            continue  # deleted since: the log keeps the newest ones only
        why = send(msgspec.json.encode(to_facts(_CHANGE.decode(data))) + b"\n")
        if why:
            return names[at:], why
    return [], ""


def _read_waiting(store: Store) -> dict[str, list[str]]:
    kept = store.note(ROOM, _WAITING)
    try:
        return _NAMES.decode(kept) if kept else {}
    except msgspec.MsgspecError:
        return {}


def _write_waiting(store: Store, waiting: dict[str, list[str]]) -> None:
    store.commit(Batch(notes={(ROOM, _WAITING): msgspec.msgpack.encode(waiting)}))
