"""Move the passwords of a web that an older version wrote out of it, into the credentials file."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from gossamer.config import TaskSpec, replace_options
from gossamer.crawl.control.command_mailbox import Change, Mailbox, Order, is_running, read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.control.take_credentials import TakenCredentials, bind_credentials
from gossamer.errors import BadInput
from gossamer.fetch.credentials import Credential, parse_logins, save_credentials
from gossamer.net import url as urls
from gossamer.store.batch import TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

_SECRET_OPTIONS = ("auth", "proxy")


def move_old_credentials(store: SqliteStore, folder: Path) -> None:
    """Move all passwords of a web, and erase what is left of them in its files.

    An older version sent a password to the hosts of all start pages, also of those that others had submitted. Now it
    belongs to the origin of the first one, which was certainly given with it.
    """
    notes = store.tasks()
    taken = _take_all(notes)
    specs = {
        note.number: msgspec.json.encode(taken[note.number].spec)
        for note in notes
        if _is_changed(note, taken)
    }
    mailbox, orders = Mailbox(folder), _OrderChanges(taken)
    for order in mailbox.read_new():
        orders.change(order)
    if not specs and not orders.credentials:
        store.finish_erasing()
        return
    try:
        save_credentials(
            folder, [*(one for each in taken.values() for one in each.credentials), *orders.credentials]
        )
    except BadInput:
        return  # they stay where they are until they can be kept elsewhere
    if orders.credentials and not is_running(folder):
        mailbox.rewrite(orders.change)
    store.rewrite_specs(specs)


def hide_passwords(note: TaskNote) -> bytes:
    """Return the stored options of a task without a password that an older version left in them."""
    taken = _take_all([note])
    return msgspec.json.encode(taken[note.number].spec) if _is_changed(note, taken) else note.spec


def take_stored_credentials(note: TaskNote, others: Iterable[TaskNote]) -> TakenCredentials:
    """Take the passwords out of a stored task that could not be moved; `others` are the tasks of its web."""
    return _take_all([*others, note])[note.number]


def _is_changed(note: TaskNote, taken: Mapping[int, TakenCredentials]) -> bool:
    return taken[note.number].spec != read_spec(note)


class _OrderChanges:
    """Takes the passwords out of orders that wait in a mailbox."""

    def __init__(self, tasks: Mapping[int, TakenCredentials]) -> None:
        self._tasks = tasks
        self.credentials: list[Credential] = []

    def change(self, order: Order) -> Order:
        """Return an order without its passwords, which are added to `credentials`."""
        task = self._tasks.get(order.task)
        if not isinstance(order, Change) or task is None or not order.told.keys() & set(_SECRET_OPTIONS):
            return order
        origins = [login.origin for login in parse_logins(task.spec.fetching.auth)]
        told = {name: order.told[name] for name in _SECRET_OPTIONS if name in order.told}
        taken = _take(replace_options(task.spec, **told), origins or _list_first_origin(task.spec))
        self.credentials += taken.credentials
        return Change(order.task, order.told | {name: getattr(taken.spec.fetching, name) for name in told})


def _take_all(notes: Iterable[TaskNote]) -> dict[int, TakenCredentials]:
    """Take the passwords out of all tasks; tasks that revisit pages log in where the crawl did."""
    first: dict[str, list[str]] = {}
    specs = {note.number: read_spec(note) for note in notes}
    for _, spec in sorted(specs.items()):
        first.setdefault(spec.fetching.auth, _list_first_origin(spec))
    return {number: _take(spec, first[spec.fetching.auth]) for number, spec in specs.items()}


def _take(spec: TaskSpec, origins: Iterable[str]) -> TakenCredentials:
    try:
        return bind_credentials(spec, origins)
    except BadInput:  # a task that can no longer run, and holds nothing that could be sent
        return TakenCredentials(spec, ())


def _list_first_origin(spec: TaskSpec) -> list[str]:
    try:
        return [urls.origin(list_start_pages(spec)[0])]
    except BadInput:  # an import has no start pages
        return []
