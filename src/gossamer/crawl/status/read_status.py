"""Read the status of the crawls of a web from its store and from what its shards publish, wherever they run."""

import time
import weakref
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gossamer.crawl.status.describe_stall import describe_stall
from gossamer.crawl.status.documents.list_documents import list_documents as list_documents
from gossamer.crawl.status.list_hosts import list_hosts as list_hosts
from gossamer.crawl.status.read_history import read_history as read_history
from gossamer.crawl.status.read_shards import ShardsSeen, count_under_way, read_shards
from gossamer.crawl.status.status_records import CrawlStatus, ShardStatus, TaskStatus
from gossamer.crawl.status.task_forecast import forecast_task
from gossamer.crawl.task_counts import sum_prefix
from gossamer.store.batch import Store, TaskWork

# The waiting requests are scanned for their depth for at most a hundredth of the time: 100,000 of them take 20 ms.
_SHARE_OF_TIME = 0.01
_depths: "weakref.WeakKeyDictionary[Store, tuple[float, dict[int, int]]]" = weakref.WeakKeyDictionary()
"""By store: until when the depths that were found are taken, and the depths."""


def read_status(store: Store, folder: Path, now_s: float, with_depths: bool = True) -> CrawlStatus:
    """Return the status of all tasks and shards.

    Counts and what is left of each task come from one snapshot of the store, so that they add up
    (`crawl.task_counts`). How many of the requests that are left are under way comes from the shards, which report once a
    second: at most all that are left. Without depths, no scan of the waiting requests is needed: `deepest` is 0.
    """
    shards = read_shards(store, folder, now_s)
    work = store.work_left()
    under_way = count_under_way(shards.fresh)
    deepest = _read_depths(store, work) if with_depths else {}
    tasks = [
        _describe_task(one, shards, under_way[one.note.number], deepest.get(one.note.number, 0))
        for one in work
    ]
    tasks = [msgspec.structs.replace(one, forecast=forecast_task(store, one)) for one in tasks]
    stall = describe_stall(shards, tasks, now_s)
    return CrawlStatus(now_s, shards.running, stall, tasks, shards.fresh)


def _describe_task(work: TaskWork, shards: ShardsSeen, reported: int, deepest: int) -> TaskStatus:
    note, sent = work.note, work.sent
    counts = dict(note.counts)
    if sent:  # on their way to the shard that counts them
        counts["checked"] = counts.get("checked", 0) + sent
        counts["queued"] = counts.get("queued", 0) + sent
    under_way = min(reported, work.waiting)
    pages_per_s, bytes_per_s = _add_rates(shards.fresh, note.number)
    return TaskStatus(
        note=msgspec.structs.replace(note, counts=counts),
        active=note.state == "running" and shards.running,
        waiting=work.waiting - under_way + sent,
        under_way=under_way,
        failed=sum_prefix(counts, "failed:"),
        refused=sum_prefix(counts, "refused:"),
        filtered=sum_prefix(counts, "filtered:"),
        deepest=deepest,
        pages_per_s=pages_per_s,
        bytes_per_s=bytes_per_s,
        in_inboxes=sent,
    )


def _add_rates(shards: Sequence[ShardStatus], task: int) -> tuple[float, float]:
    rates = [shard.rates[task] for shard in shards if task in shard.rates]
    return sum(pages for pages, _ in rates), sum(body_bytes for _, body_bytes in rates)


def _read_depths(store: Store, work: Sequence[TaskWork]) -> dict[int, int]:
    """Return the greatest depth of the waiting requests of each task; of many it may be some seconds old."""
    if not any(one.waiting for one in work):
        return {}
    until_s, found = _depths.get(store, (0.0, {}))
    began_s = time.monotonic()
    if began_s >= until_s:
        found = store.deepest_waiting()
        ended_s = time.monotonic()
        _depths[store] = ended_s + (ended_s - began_s) / _SHARE_OF_TIME, found
    return found
