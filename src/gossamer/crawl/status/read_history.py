"""Read the counts of a web over time, as columns for a chart."""

import math
from collections.abc import Iterable

from gossamer.crawl.status.count_history import WIDTHS_S, HistoryNote, NotePlace, read_notes
from gossamer.crawl.status.status_records import CountHistory
from gossamer.store.batch import Store

_WIDEST = len(WIDTHS_S) - 1
Bucket = tuple[int, int, tuple[int, int, int, int, int]]
"""When it begins, how wide it is, and its counts."""


def read_history(
    store: Store, task: int | None, since_s: float, until_s: float, most_points: int = 300
) -> CountHistory:
    """Return the counts of a task, or of all tasks, at moments of equal distance.

    A web that was crawled by an older version has no history of that time; what waited then is derived backwards from the
    present counts.
    """
    buckets = read_buckets(store, task, since_s)
    left = _count_left(store, task)
    first_s = min((began_s for began_s, _, _ in buckets), default=until_s)
    from_s = max(since_s, first_s)
    if not buckets or from_s >= until_s:
        return CountHistory([], [], [], [], [])
    width_s = _choose_width(buckets, from_s, until_s, most_points)
    points = max(1, math.ceil((until_s - from_s) / width_s))
    sums = [[0, 0, 0, 0, 0] for _ in range(points)]
    for began_s, bucket_s, counts in buckets:
        ended_s = min(began_s + bucket_s, until_s) if began_s < until_s else began_s + bucket_s
        if ended_s > until_s:
            left -= counts[3] - counts[4]
        elif ended_s > from_s or began_s >= from_s:
            at = min(points - 1, max(0, math.ceil((ended_s - from_s) / width_s) - 1))
            sums[at] = [a + b for a, b in zip(sums[at], counts, strict=True)]
    waiting = [0] * points
    for at in reversed(range(points)):
        waiting[at] = max(0, left)
        left -= sums[at][3] - sums[at][4]
    when_s = [min(until_s, from_s + (at + 1) * width_s) for at in range(points)]
    pages, body_bytes, failed = ([one[at] for one in sums] for at in range(3))
    return CountHistory(when_s, pages, body_bytes, failed, waiting)


def read_buckets(store: Store, task: int | None, since_s: float) -> list[Bucket]:
    """Return the buckets of a task, or of all tasks, since a time, as narrow as they are kept for all of that time."""
    by_shard: dict[tuple[int, int], list[tuple[NotePlace, HistoryNote]]] = {}
    for place, note in read_notes(store, "" if task is None else f"{task}."):
        by_shard.setdefault((place.task, place.shard), []).append((place, note))
    return [bucket for notes in by_shard.values() for bucket in _select_buckets(notes, since_s)]


def _select_buckets(notes: list[tuple[NotePlace, HistoryNote]], since_s: float) -> Iterable[Bucket]:
    """Yield the buckets of one shard: those that were not added to wider ones, and others of one width."""
    levels: list[list[Bucket]] = [[] for _ in WIDTHS_S]
    for place, note in notes:
        width_s = WIDTHS_S[place.level]
        found = [(place.began_s + at * width_s, width_s, counts) for at, counts in note.buckets.items()]
        if not note.folded:
            yield from found
        else:
            levels[place.level] += found
    starts = [min((began_s for began_s, _, _ in level), default=math.inf) for level in levels]
    needed_s = max(since_s, starts[_WIDEST])
    for level, start_s in zip(levels, starts, strict=True):
        if start_s // WIDTHS_S[_WIDEST] * WIDTHS_S[_WIDEST] <= needed_s:
            yield from level
            return


def _count_left(store: Store, task: int | None) -> int:
    notes = [note for note in store.tasks() if task is None or note.number == task]
    return sum(note.counts.get("queued", 0) - note.counts.get("finished", 0) for note in notes)


def _choose_width(buckets: list[Bucket], from_s: float, until_s: float, most_points: int) -> float:
    """Return the distance of two moments: at least the width of the widest bucket, and not more moments than wanted."""
    widest_s = max(
        (bucket_s for began_s, bucket_s, _ in buckets if from_s <= began_s < until_s), default=WIDTHS_S[0]
    )
    steps = math.ceil((until_s - from_s) / max(1, most_points) / widest_s)
    return float(max(1, steps) * widest_s)
