"""Read what the shards of a web say about themselves, from the files in its folder or from its database."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from gossamer.crawl.control.command_mailbox import is_running
from gossamer.crawl.status.status_file import read_files
from gossamer.crawl.status.status_records import ShardStatus
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import DATABASE

SILENT_S = 6.0
"""A shard that has said nothing for so long is silent: what it fetches is not known any more."""
_FORGOTTEN_S = 86_400.0
_UNDECODABLE = (msgspec.MsgspecError, ValueError, RecursionError)


class FetcherReport(msgspec.Struct):
    """The part of what a fetcher says about itself that is the status of its shard."""

    shard: ShardStatus | None = None


class ShardsSeen(msgspec.Struct, frozen=True):
    """What is known of the shards of a web."""

    running: bool
    """Whether any process crawls it."""
    fresh: list[ShardStatus] = []
    """The statuses of those that have said something lately."""
    silent: list[ShardStatus] = []
    """The last statuses of those that live and have said nothing for a while."""


def read_shards(store: Store, folder: Path, now_s: float) -> ShardsSeen:
    """Return what the shards say about themselves."""
    if (folder / DATABASE).exists():
        return _read_fetchers(store)
    if not is_running(folder):
        return ShardsSeen(False)
    return _sort_out(read_files(folder), now_s, True)


def _read_fetchers(store: Store) -> ShardsSeen:
    from gossamer.store.postgres.postgres_store import PostgresStore

    if not isinstance(store, PostgresStore):
        return ShardsSeen(False)
    rows = store.read_fetchers()
    found = []
    for number, name, machine, packed, _ in rows:
        if (status := _decode_report(packed)) is not None:
            found.append(msgspec.structs.replace(status, name=f"{name or number} on {machine}"))
    is_at_work = any(note.state == "running" for note in store.tasks())
    now_s = rows[0][-1] if rows else 0.0
    return _sort_out(found, now_s, bool(rows) and is_at_work)


def _decode_report(packed: bytes) -> ShardStatus | None:
    try:
        return msgspec.json.decode(packed, type=FetcherReport).shard
    except _UNDECODABLE:
        return None


def _sort_out(found: Iterable[ShardStatus], now_s: float, running: bool) -> ShardsSeen:
    fresh: list[ShardStatus] = []
    silent: list[ShardStatus] = []
    for status in found:
        age_s = now_s - status.when_s
        if abs(age_s) <= SILENT_S:
            fresh.append(status)
        elif 0 < age_s < _FORGOTTEN_S:
            silent.append(status)
    return ShardsSeen(running, fresh, silent)


def count_under_way(shards: Iterable[ShardStatus]) -> Counter[int]:
    """Count the visits under way of each task."""
    counted: Counter[int] = Counter()
    for shard in shards:
        counted.update({task: max(0, visits) for task, visits in shard.under_way.items()})
    return counted
