"""Rounds of revisits: what is due becomes requests of one lasting task, which the crawl runs as any other.

All that a round needs is in the store before it begins: the requests wait there like those of every task, and a note says
how many visits the budget of the day has left. So after a kill the next round goes on with what the last one left.
"""

import math
from collections.abc import Sequence

import msgspec

from gossamer import config
from gossamer.config import Politeness, TaskSpec
from gossamer.crawl.control import spec_of
from gossamer.crawl.naming import host_of
from gossamer.crawl.recrawling_plan import Due
from gossamer.crawl.sharing import share_of
from gossamer.order.fresh_notes import DAY_S, ROOM
from gossamer.records import Request
from gossamer.store.batch import Batch, Store, TaskNote

TASK = "recrawl"
"""The name of the task that visits pages again."""
_SPENT = "~spent"
"""The name of the note of visits that were given out, by the hour; behind those of pages and hosts."""
_TASK = "~task"
"""And that of the number of the task."""
_HOUR_S = 3600.0
_HOURS = 24
_SPENT_HOURS = msgspec.msgpack.Decoder(dict[int, int])


def last_round(store: Store) -> TaskNote | None:
    """Return the task that visits pages again, if there is one yet: by its number, since others may have its name."""
    kept = store.note(ROOM, _TASK)
    number = int(kept) if kept else 0
    return next((note for note in store.tasks() if note.number == number), None)


def spec_for(store: Store, seed: str) -> TaskSpec:
    """Return the task that visits pages again: with the manners of the newest task of the web, and following nothing."""
    like = _newest(store)
    fetching = msgspec.structs.replace(like.fetching, head_only=False, max_age_s=0.0)
    return msgspec.structs.replace(
        config.from_options(name=TASK, seeds=[seed], scope="any", depth=0, traps=False),
        politeness=like.politeness,
        fetching=fetching,
        keeping=like.keeping,
    )


def manners(store: Store) -> Politeness:
    """Return how servers are treated when pages are visited again."""
    return _newest(store).politeness


def _newest(store: Store) -> TaskSpec:
    """Return the newest task of the web that crawls by itself."""
    own = last_round(store)
    specs = [spec_of(note) for note in store.tasks() if own is None or note.number != own.number]
    return next((spec for spec in reversed(specs) if spec.seeds or spec.sitemaps), TaskSpec())


def room(store: Store, per_day: float, now_s: float, evenly: bool) -> int:
    """Return how many visits may be given out now, by a budget a day; `evenly`, no more than its share of this hour."""
    hours = _spent_hours(store, now_s)
    left = per_day - sum(hours.values())
    if evenly:
        left = min(left, math.ceil(per_day / _HOURS) - hours.get(int(now_s // _HOUR_S), 0))
    return max(0, round(left))


def _spent_hours(store: Store, now_s: float) -> dict[int, int]:
    kept = store.note(ROOM, _SPENT)
    hours = _SPENT_HOURS.decode(kept) if kept else {}
    return {hour: visits for hour, visits in hours.items() if hour * _HOUR_S > now_s - DAY_S}


def give_out(store: Store, due: Sequence[Due], now_s: float) -> TaskNote:
    """Make requests of pages that are due, and write them down with all that the next round must know."""
    urls = store.page_urls(one.page for one in due)
    known = last_round(store)
    number = known.number if known else max((note.number for note in store.tasks()), default=0) + 1
    spec = spec_for(store, next(iter(urls.values())))
    note = known or TaskNote(number, TASK, b"", created_s=now_s)
    note = msgspec.structs.replace(note, spec=msgspec.json.encode(spec), state="stopped", counts={})
    wanted = [(one, urls[one.page]) for one in due if one.page in urls]
    hour = int(now_s // _HOUR_S)
    hours = _spent_hours(store, now_s)
    hours[hour] = hours.get(hour, 0) + len(wanted)
    store.commit(
        Batch(
            tasks=[note],
            sent=[(share_of(host_of(url)), _request(one, url, number)) for one, url in wanted],
            notes={(ROOM, _SPENT): msgspec.msgpack.encode(hours), (ROOM, _TASK): str(number).encode()},
        )
    )
    return next(task for task in store.tasks() if task.number == number)


def _request(due: Due, url: str, task: int) -> Request:
    return Request(due.page, url, host_of(url), task, priority=due.value, type="revisit")
