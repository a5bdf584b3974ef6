"""Rounds of revisits: pages that are due become requests of recrawl tasks, which the crawl runs like any other.

Each crawling task has a recrawl task beside it, which revisits its pages with the same politeness: robots.txt that was
turned off for a host of your own is not turned off for others. Everything that a round needs is in the store before it
begins: the requests wait there like those of every task, and a note says how many visits are left of the day's budget.
So after a kill the next round continues with what the last one left.
"""

import math
import sys
from collections.abc import Sequence

import msgspec

from gossamer import config
from gossamer.config import Limits, Politeness, TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.host_shards import host_of, share_of
from gossamer.crawl.recrawl.revisit_plan import DuePage
from gossamer.errors import make_damage_error
from gossamer.freshness.change_history import DAY_S, ROOM
from gossamer.records import Page, Request
from gossamer.store.batch import Batch, Store, TaskNote

TASK = "recrawl"
"""The name of the first recrawl task, and the prefix of further ones."""
_SPENT = "~spent"
"""The name of the note with the visits given out by the hour; it sorts after those of pages and hosts."""
_TASK = "~task"
"""The name of the note that lists the recrawl tasks by number: a task's name alone does not tell."""
_AT_ONCE = 1e9
"""The value of a visit that a person asks for; that of others is below the days that a copy is old."""
_HOUR_S = 3600.0
_HOURS = 24
_SPENT_HOURS = msgspec.msgpack.Decoder(dict[int, int])


class _RecrawlTask(msgspec.Struct, frozen=True, array_like=True):
    """What the web remembers of a recrawl task."""

    of: int = 0
    """The task whose pages it visits; 0 if not known."""
    counted: int = 0
    """How many of its requests the budget has counted; further ones were found by its last round."""


_ROUNDS = msgspec.msgpack.Decoder(dict[int, _RecrawlTask])


def _read_recrawl_tasks(store: Store) -> dict[int, _RecrawlTask]:
    kept = store.note(ROOM, _TASK)
    if kept is None:
        return {}
    # An older format: one recrawl task, which followed no links.
    try:
        return {int(kept): _RecrawlTask(0, sys.maxsize)} if kept.isdigit() else _ROUNDS.decode(kept)
    except msgspec.MsgspecError:
        raise make_damage_error("the list of recrawl tasks") from None


def list_recrawl_tasks(store: Store) -> list[TaskNote]:
    """Return the recrawl tasks."""
    known = _read_recrawl_tasks(store)
    return [note for note in store.tasks() if note.number in known]


def list_waiting_visits(store: Store) -> set[int]:
    """Return the pages that earlier rounds have scheduled and not visited. Cost: a scan of these requests."""
    found: set[int] = set()
    for note in list_recrawl_tasks(store):
        for host in store.waiting_hosts(note.number):
            most = store.count_waiting(host, note.number)
            found.update(one.id for one in store.requests(host, note.number, most))
        found.update(one.id for _, one in store.inbox(0, 1, most=-1) if one.task == note.number)
    return found


def visit_now(page: int) -> DuePage:
    """Return a visit that a person asks for: it comes before all that are due."""
    return DuePage(page, _AT_ONCE, 0.0, 0.0, 1.0, 1.0, told=False, gone_times=0)


class _PageOwners:
    """Which task the pages of a web belong to: its politeness holds for their revisits."""

    def __init__(self, store: Store) -> None:
        self.rounds = _read_recrawl_tasks(store)
        self._specs = {note.number: read_spec(note) for note in store.tasks()}
        own = [number for number, spec in self._specs.items() if spec.seeds or spec.sitemaps]
        self._own = set(own) - self.rounds.keys()
        self._newest = max(self._own, default=0)

    def find_owner(self, task: int) -> int:
        """Return the task that owns the pages of a task; imported pages belong to the newest crawling task."""
        found = self.rounds[task].of if task in self.rounds else task
        return found if found in self._own else self._newest

    def spec(self, owner: int) -> TaskSpec:
        """Return the options of a task; the defaults if there is none."""
        return self._specs.get(owner, TaskSpec())

    def read_politeness(self) -> dict[int, Politeness]:
        """Return the politeness of revisits by the task that fetched a page."""
        return {task: self.spec(self.find_owner(task)).politeness for task in self._specs}


def read_politeness(store: Store) -> dict[int, Politeness]:
    """Return the politeness of revisits by the task that fetched a page."""
    return _PageOwners(store).read_politeness()


def _make_spec(like: TaskSpec, name: str, seed: str, follow: bool) -> TaskSpec:
    """Return the options of a recrawl task with the politeness of another; it follows no links, or only new ones."""
    fetching = msgspec.structs.replace(like.fetching, head_only=False, max_age_s=0.0)
    if follow:
        begun = TaskSpec(
            seeds=like.seeds,
            sitemaps=like.sitemaps,
            scope=like.scope,
            site_rule=like.site_rule,
            limits=Limits(depth=like.limits.depth),
            # A page with the text of its last visit is not a copy of another page.
            filters=msgspec.structs.replace(like.filters, content_seen=False),
        )
    else:
        begun = config.from_options(seeds=[seed], scope="any", depth=0, traps=False)
    return msgspec.structs.replace(
        begun,
        name=name,
        politeness=like.politeness,
        fetching=fetching,
        keeping=like.keeping,
        rendering=like.rendering,  # else what its server sends would replace what a browser showed
    )


def count_visits_left(store: Store, per_day: float, now_s: float, evenly: bool) -> int:
    """Return how many visits a daily budget leaves now; with `evenly`, no more than the share of this hour."""
    hours = _read_spent_hours(store, now_s)
    left = per_day - sum(hours.values()) - _count_uncounted(store, _read_recrawl_tasks(store))
    if evenly:
        left = min(left, math.ceil(per_day / _HOURS) - hours.get(int(now_s // _HOUR_S), 0))
    return max(0, round(left))


def _read_spent_hours(store: Store, now_s: float) -> dict[int, int]:
    kept = store.note(ROOM, _SPENT)
    try:
        hours = _SPENT_HOURS.decode(kept) if kept else {}
    except msgspec.MsgspecError:
        raise make_damage_error("the budget that was spent on recrawls") from None
    # An hour that is still to come was counted by a wrong clock, and would count against the budget until it has passed.
    return {hour: visits for hour, visits in hours.items() if now_s - DAY_S < hour * _HOUR_S <= now_s}


def _count_uncounted(store: Store, known: dict[int, _RecrawlTask]) -> int:
    """Return how many new pages the last rounds have found that the budget has not counted yet."""
    return sum(max(0, _count_queued(note) - known[note.number].counted) for note in list_recrawl_tasks(store))


def _count_queued(note: TaskNote) -> int:
    return note.counts.get("queued", 0)


def schedule_visits(
    store: Store, due: Sequence[DuePage], now_s: float, follow: bool = False
) -> list[TaskNote]:
    """Write requests for pages that are due, with everything that the next round must know.

    With `follow` the round follows links that are new on these pages, by the rules of the tasks that own them.
    """
    owners = _PageOwners(store)
    wanted: dict[int, list[tuple[DuePage, Page]]] = {}
    for one in due:
        if (page := store.page(one.page)) is not None:
            wanted.setdefault(owners.find_owner(page.task), []).append((one, page))
    notes = _make_tasks(store, owners, wanted, now_s, follow)
    hour, hours = int(now_s // _HOUR_S), _read_spent_hours(store, now_s)
    spent = sum(map(len, wanted.values())) + _count_uncounted(store, owners.rounds)
    hours[hour] = hours.get(hour, 0) + spent
    known = {
        note.number: _RecrawlTask(owners.find_owner(note.number), _count_queued(note))
        for note in list_recrawl_tasks(store)
    }
    known |= {
        note.number: _RecrawlTask(of, _count_queued(note) + len(wanted[of])) for of, note in notes.items()
    }
    batch = Batch(
        tasks=list(notes.values()),
        notes={(ROOM, _SPENT): msgspec.msgpack.encode(hours), (ROOM, _TASK): msgspec.msgpack.encode(known)},
    )
    for of, note in notes.items():
        batch.sent += [_make_request(one, page, note.number, follow) for one, page in wanted[of]]
    store.commit(batch)
    return [
        note for note in list_recrawl_tasks(store) if note.number in {one.number for one in notes.values()}
    ]


def _make_tasks(
    store: Store,
    owners: _PageOwners,
    wanted: dict[int, list[tuple[DuePage, Page]]],
    now_s: float,
    follow: bool,
) -> dict[int, TaskNote]:
    """Return the recrawl tasks of a round by the tasks whose pages they visit; create missing ones."""
    known = {owners.find_owner(note.number): note for note in list_recrawl_tasks(store)}
    names = {note.number: note.name for note in store.tasks()}
    number = max(names, default=0)
    made: dict[int, TaskNote] = {}
    for of, visits in wanted.items():
        if (note := known.get(of)) is None:
            number += 1
            note = TaskNote(number, f"{TASK}-{names[of]}" if known or made else TASK, b"", created_s=now_s)
        spec = _make_spec(owners.spec(of), note.name, visits[0][1].url, follow)
        made[of] = msgspec.structs.replace(note, spec=msgspec.json.encode(spec), state="stopped")
    return made


def _make_request(due: DuePage, page: Page, task: int, follow: bool) -> tuple[int, Request]:
    host, depth = host_of(page.url), page.depth if follow else 0
    return share_of(host), Request(page.id, page.url, host, task, depth, due.value, type="revisit")
