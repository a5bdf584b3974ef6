"""Rounds of revisits: what is due becomes requests of lasting tasks, which the crawl runs as any other.

Each task that crawls by itself has one beside it, which visits its pages again with its manners: whoever turned off
robots.txt for a host of their own has not done so for others. All that a round needs is in the store before it begins: the
requests wait there like those of every task, and a note says how many visits the budget of the day has left. So after a kill
the next round goes on with what the last one left.
"""

import math
import sys
from collections.abc import Sequence

import msgspec

from gossamer import config
from gossamer.config import Limits, Politeness, TaskSpec
from gossamer.crawl.control.mailbox import read_spec
from gossamer.crawl.host_shards import share_of
from gossamer.crawl.recrawl.revisit_plan import Due
from gossamer.crawl.seen_keys import host_of
from gossamer.freshness.change_history import DAY_S, ROOM
from gossamer.records import Page, Request
from gossamer.store.batch import Batch, Store, TaskNote

TASK = "recrawl"
"""The name of the task that visits pages again; of further ones, how it begins."""
_SPENT = "~spent"
"""The name of the note of visits that were given out, by the hour; behind those of pages and hosts."""
_TASK = "~task"
"""And that of the tasks that visit pages again, by their numbers: others may have such a name."""
_HOUR_S = 3600.0
_HOURS = 24
_SPENT_HOURS = msgspec.msgpack.Decoder(dict[int, int])


class _Round(msgspec.Struct, frozen=True, array_like=True):
    """What is remembered of a task that visits pages again."""

    of: int = 0
    """The task whose pages it visits; 0 if that is not known."""
    counted: int = 0
    """How many of all its requests the budget knows of. Those beyond were found by its last round."""


_ROUNDS = msgspec.msgpack.Decoder(dict[int, _Round])


def _known(store: Store) -> dict[int, _Round]:
    kept = store.note(ROOM, _TASK)
    if kept is None:
        return {}
    # Once there was one such task, which followed nothing.
    return {int(kept): _Round(0, sys.maxsize)} if kept.isdigit() else _ROUNDS.decode(kept)


def rounds(store: Store) -> list[TaskNote]:
    """Return the tasks that visit pages again."""
    known = _known(store)
    return [note for note in store.tasks() if note.number in known]


class _Owners:
    """Which task the pages of a web belong to: whose manners they are visited with."""

    def __init__(self, store: Store) -> None:
        self.rounds = _known(store)
        self._specs = {note.number: read_spec(note) for note in store.tasks()}
        own = [number for number, spec in self._specs.items() if spec.seeds or spec.sitemaps]
        self._own = set(own) - self.rounds.keys()
        self._newest = max(self._own, default=0)

    def of(self, task: int) -> int:
        """Return the task that a page belongs to; what was imported belongs to the newest that crawls by itself."""
        found = self.rounds[task].of if task in self.rounds else task
        return found if found in self._own else self._newest

    def spec(self, owner: int) -> TaskSpec:
        """Return what a task was told; the usual if there is none."""
        return self._specs.get(owner, TaskSpec())

    def manners(self) -> dict[int, Politeness]:
        """Return how servers are treated, by the tasks that pages may be of."""
        return {task: self.spec(self.of(task)).politeness for task in self._specs}


def manners(store: Store) -> dict[int, Politeness]:
    """Return how servers are treated when pages are visited again, by the tasks that pages were fetched for."""
    return _Owners(store).manners()


def _spec(like: TaskSpec, name: str, seed: str, follow: bool) -> TaskSpec:
    """Return the task that visits pages of another again, with its manners; it follows nothing, or what is new there."""
    fetching = msgspec.structs.replace(like.fetching, head_only=False, max_age_s=0.0)
    if follow:
        begun = TaskSpec(
            seeds=like.seeds,
            sitemaps=like.sitemaps,
            scope=like.scope,
            site_rule=like.site_rule,
            limits=Limits(depth=like.limits.depth),
            # A page that says what it said when it was visited last is no copy of another.
            filters=msgspec.structs.replace(like.filters, content_seen=False),
        )
    else:
        begun = config.from_options(seeds=[seed], scope="any", depth=0, traps=False)
    return msgspec.structs.replace(
        begun, name=name, politeness=like.politeness, fetching=fetching, keeping=like.keeping
    )


def room(store: Store, per_day: float, now_s: float, evenly: bool) -> int:
    """Return how many visits may be given out now, by a budget a day; `evenly`, no more than its share of this hour."""
    hours = _spent_hours(store, now_s)
    left = per_day - sum(hours.values()) - _beyond(store, _known(store))
    if evenly:
        left = min(left, math.ceil(per_day / _HOURS) - hours.get(int(now_s // _HOUR_S), 0))
    return max(0, round(left))


def _spent_hours(store: Store, now_s: float) -> dict[int, int]:
    kept = store.note(ROOM, _SPENT)
    hours = _SPENT_HOURS.decode(kept) if kept else {}
    return {hour: visits for hour, visits in hours.items() if hour * _HOUR_S > now_s - DAY_S}


def _beyond(store: Store, known: dict[int, _Round]) -> int:
    """Return how many new pages the last rounds have found, which nobody has counted yet."""
    return sum(max(0, _queued(note) - known[note.number].counted) for note in rounds(store))


def _queued(note: TaskNote) -> int:
    return note.counts.get("queued", 0)


def give_out(store: Store, due: Sequence[Due], now_s: float, follow: bool = False) -> list[TaskNote]:
    """Make requests of pages that are due, and write them down with all that the next round must know.

    `follow` lets the round follow what is new on these pages, by the rules of the tasks that they belong to.
    """
    owners = _Owners(store)
    wanted: dict[int, list[tuple[Due, Page]]] = {}
    for one in due:
        if (page := store.page(one.page)) is not None:
            wanted.setdefault(owners.of(page.task), []).append((one, page))
    notes = _notes(store, owners, wanted, now_s, follow)
    hour, hours = int(now_s // _HOUR_S), _spent_hours(store, now_s)
    spent = sum(map(len, wanted.values())) + _beyond(store, owners.rounds)
    hours[hour] = hours.get(hour, 0) + spent
    known = {note.number: _Round(owners.of(note.number), _queued(note)) for note in rounds(store)}
    known |= {note.number: _Round(of, _queued(note) + len(wanted[of])) for of, note in notes.items()}
    batch = Batch(
        tasks=list(notes.values()),
        notes={(ROOM, _SPENT): msgspec.msgpack.encode(hours), (ROOM, _TASK): msgspec.msgpack.encode(known)},
    )
    for of, note in notes.items():
        batch.sent += [_sent(one, page, note.number, follow) for one, page in wanted[of]]
    store.commit(batch)
    return [note for note in rounds(store) if note.number in {one.number for one in notes.values()}]


def _notes(
    store: Store,
    owners: _Owners,
    wanted: dict[int, list[tuple[Due, Page]]],
    now_s: float,
    follow: bool,
) -> dict[int, TaskNote]:
    """Return the tasks of a round, by those whose pages they visit; new ones where there are none yet."""
    known = {owners.of(note.number): note for note in rounds(store)}
    names = {note.number: note.name for note in store.tasks()}
    number = max(names, default=0)
    made: dict[int, TaskNote] = {}
    for of, visits in wanted.items():
        if (note := known.get(of)) is None:
            number += 1
            note = TaskNote(number, f"{TASK}-{names[of]}" if known or made else TASK, b"", created_s=now_s)
        spec = _spec(owners.spec(of), note.name, visits[0][1].url, follow)
        made[of] = msgspec.structs.replace(note, spec=msgspec.json.encode(spec), state="stopped")
    return made


def _sent(due: Due, page: Page, task: int, follow: bool) -> tuple[int, Request]:
    host, depth = host_of(page.url), page.depth if follow else 0
    return share_of(host), Request(page.id, page.url, host, task, depth, due.value, type="revisit")
