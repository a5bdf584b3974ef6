"""Forecast the end of a task from what the store has of it: its counts over time, its limits, and its hosts."""

import time
import weakref

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.status.forecast import ForecastSigns, Moment, forecast, thin_out
from gossamer.crawl.status.read_history import Bucket, read_buckets
from gossamer.crawl.status.status_records import Forecast, TaskStatus
from gossamer.frontier.pauses_and_backoff import least_pause_s
from gossamer.store.batch import Store

_MOST_HOSTS = 500
_AGE_S = 2.0
"""A forecast is made anew after this time, however often the status is read."""
_LONGEST_GAP_S = 60.0
"""A longer time without any count is one in which the task did not run."""
_MOST_DEPTH = 100
_MOST_SCANNED = 100_000
"""More waiting requests than this are not scanned for their depth."""
_made: "weakref.WeakKeyDictionary[Store, dict[int, tuple[float, Forecast | None]]]" = (
    weakref.WeakKeyDictionary()
)


def forecast_task(store: Store, task: TaskStatus) -> Forecast | None:
    """Return when a task will have ended; None if it does not run, or if too little is known."""
    if not task.active:
        return None
    known = _made.setdefault(store, {})
    number, now_s = task.note.number, time.monotonic()
    if number not in known or now_s - known[number][0] > _AGE_S:
        known[number] = now_s, forecast(_read_signs(store, task))
    return known[number][1]


def _read_signs(store: Store, task: TaskStatus) -> ForecastSigns:
    spec, left, counts = read_spec(task.note), task.waiting + task.under_way, task.note.counts
    per_host = spec.limits.per_host
    spent = store.pages_by_host(task.note.number) if per_host else {}
    hosts, rooms = [], 0
    for host in store.hosts_by("waiting", _MOST_HOSTS, task.note.number):
        room = max(0, per_host - spent.get(host.name, 0)) if per_host else host.waiting
        rooms += room
        hosts.append((min(host.waiting, room), least_pause_s(host.crawl_delay_s, spec.politeness)))
    return ForecastSigns(
        thin_out(_list_moments(store, task)),
        left,
        hosts,
        _count_by_depth(store, spec, left),
        spec.limits.pages,
        spec.limits.body_bytes,
        spec.limits.time_s,
        counts.get("queued", 0) + counts.get("seen", 0),
        rooms if per_host else 0,
    )


def _list_moments(store: Store, task: TaskStatus) -> list[Moment]:
    """Return the counts of a task after each bucket of its history, backwards from the present ones."""
    counts = task.note.counts
    pages, body_bytes = counts.get("downloaded", 0), counts.get("bytes", 0)
    finished, queued = counts.get("finished", 0), counts.get("queued", 0)
    elapsed_s = counts.get("elapsed_ms", 0) / 1000
    moments = [Moment(elapsed_s, finished, queued, pages, body_bytes)]
    buckets = _join_shards(read_buckets(store, task.note.number, 0.0))
    for at in reversed(range(len(buckets))):
        began_s, width_s, more = buckets[at]
        pages, body_bytes, finished, queued = (
            pages - more[0],
            body_bytes - more[1],
            finished - more[4],
            queued - more[3],
        )
        gap_s = began_s - buckets[at - 1][0] if at else width_s
        elapsed_s -= min(gap_s, max(_LONGEST_GAP_S, width_s))
        moments.append(Moment(max(0.0, elapsed_s), finished, queued, pages, body_bytes))
    return moments[::-1]


def _join_shards(buckets: list[Bucket]) -> list[Bucket]:
    """Return the buckets of all shards, one for each time."""
    joined: dict[int, Bucket] = {}
    for began_s, width_s, counts in sorted(buckets):
        _, widest_s, before = joined.get(began_s, (began_s, width_s, (0, 0, 0, 0, 0)))
        a, b, c, d, e = (one + more for one, more in zip(before, counts, strict=True))
        joined[began_s] = began_s, max(width_s, widest_s), (a, b, c, d, e)
    return list(joined.values())


def _count_by_depth(store: Store, spec: TaskSpec, left: int) -> list[int]:
    """Count the requests that are left at each depth up to the limit; none if there is no limit, or if there are very many.

    Requests of other tasks are counted as well: they share the task's in the same parts.
    """
    if spec.limits.depth < 0 or left > _MOST_SCANNED:
        return []
    found = store.count_waiting_by_depth()
    counts = [found.get(depth, 0) for depth in range(min(spec.limits.depth, _MOST_DEPTH) + 1)]
    own = min(1.0, left / max(1, sum(counts)))
    return [round(own * count) for count in counts]
