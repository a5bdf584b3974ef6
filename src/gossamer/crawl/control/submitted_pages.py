"""The pages that people have submitted to the tasks of a web, in which state they are, and which were withdrawn.

A submission waits in the mailbox until a crawl takes it up; from then on a note in the store remembers it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from gossamer.crawl.control.command_mailbox import Submit, Withdraw
from gossamer.crawl.control.reach_crawl import is_crawled, open_mailbox
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import WITHDRAWN
from gossamer.errors import make_damage_error
from gossamer.net import url as urls
from gossamer.records import Request, Visit
from gossamer.store.batch import Store, TaskNote

ROOM = "submitted"
"""The room of the notes; each is named by the number of its task and the URL."""

State = Literal[
    "submitted", "waiting", "under way", "fetched", "redirected", "failed", "refused", "withdrawn"
]
_STATES: dict[str, State] = {"not modified": "fetched", "cache hit": "fetched"}
"""The states that results of visits stand for; others are states themselves."""


class SubmittedPage(msgspec.Struct, frozen=True):
    """A page that a person has submitted to a task, and what has become of it."""

    url: str
    task: str
    number: int
    """Of the task."""
    state: State
    """`submitted` until a crawl takes it up."""
    cause: str = ""
    """Why it failed or was refused, by its name or HTTP status."""
    when_s: float = 0.0
    """When a crawl took it up; 0 before."""


class _Note(msgspec.Struct, frozen=True, array_like=True):
    when_s: float
    withdrawn: bool = False


_DECODER = msgspec.msgpack.Decoder(_Note)
Notes = dict[tuple[str, str], bytes | None]
"""Notes of a batch, by room and name."""


def note_submitted(task: int, pages: Iterable[str], now_s: float, withdrawn: bool = False) -> Notes:
    """Return the notes that remember pages as submitted, or as withdrawn."""
    value = msgspec.msgpack.encode(_Note(now_s, withdrawn))
    return {(ROOM, f"{task} {url}"): value for url in pages}


def read_withdrawn(store: Store, task: int) -> set[str]:
    """Return the pages that were withdrawn from a task."""
    return {url for number, url, note in _read_notes(store) if number == task and note.withdrawn}


def was_passed_over(store: Store, request: Request) -> bool:
    """Say whether the request of a page has ended without being sent, since the page was withdrawn."""
    results = [one for one in store.visits(request.id) if one.task == request.task and one.result != "robots"]
    if not results or results[-1].cause != WITHDRAWN:
        return False
    waiting = store.request(request.id, request.task, request.host)
    return waiting is None or not waiting.number  # in the inbox: not accepted yet


def list_submitted(store: Store, folder: Path, most: int | None = None) -> list[SubmittedPage]:
    """Return the submitted pages of all tasks with their states, those that no crawl has taken up last; at most the newest so many.

    Cost: two look-ups for each page that is returned.
    """
    tasks = {note.number: note for note in store.tasks()}
    running = is_crawled(store, folder)
    known = {(number, url): note for number, url, note in _read_notes(store) if number in tasks}
    waiting = []
    for number, url in list_untaken(store, folder):
        note = known.get((number, url))
        if number in tasks and (note is None or note.withdrawn):  # withdrawn and submitted again
            known.pop((number, url), None)
            waiting.append(SubmittedPage(url, tasks[number].name, number, "submitted"))
    taken = list(known.items())
    if most is not None:
        waiting = waiting[-most:]
        by_time = sorted(taken, key=lambda one: one[1].when_s)
        taken = by_time[max(0, len(taken) + len(waiting) - most) :]
    found = [
        _describe(store, tasks[number], url, note, running and tasks[number].state == "running")
        for (number, url), note in taken
    ]
    return found + waiting


def list_untaken(store: Store, folder: Path) -> list[tuple[int, str]]:
    """Return the submissions in the mailbox that were not withdrawn: numbers of tasks, and pages."""
    found: dict[tuple[int, str], None] = {}
    for order in open_mailbox(store, folder).read_new():
        match order:
            case Submit(task, pages):
                found |= {(task, url): None for url in pages}
            case Withdraw(task, pages):
                for url in pages:
                    found.pop((task, url), None)
    return list(found)


def _read_notes(store: Store) -> Iterator[tuple[int, str, _Note]]:
    for name, value in store.notes(ROOM):
        number, _, url = name.partition(" ")
        try:
            yield int(number), url, _DECODER.decode(value)
        except (ValueError, msgspec.MsgspecError):
            raise make_damage_error("the list of submitted pages") from None


def _describe(store: Store, task: TaskNote, url: str, note: _Note, active: bool) -> SubmittedPage:
    page_id = urls.page_id(url)
    visits = [
        one
        for one in store.visits(page_id)
        if one.task == task.number and one.result != "robots" and one.cause != WITHDRAWN
    ]
    state, cause = _find_state(visits[-1]) if visits else ("under way" if active else "waiting", "")
    if store.request(page_id, task.number, host_of(url)) is not None:
        state = "waiting"
    if note.withdrawn:
        state, cause = "withdrawn", ""
    return SubmittedPage(url, task.name, task.number, state, cause, note.when_s)


def _find_state(last: Visit) -> tuple[State, str]:
    """Return the state of a page after its last visit, and the cause if it is not in the web."""
    state = _STATES.get(last.result) or msgspec.convert(last.result, State)
    return state, last.detail if last.cause == "status" else last.cause
