"""List the requests of a task that are left: those that wait, and those under way."""

import time
from pathlib import Path

from gossamer.crawl.status.documents.document_list import DocumentList
from gossamer.crawl.status.read_shards import read_shards
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.net import url as urls
from gossamer.store.batch import Store

_MOST_OF_HOST = 10_000
"""Requests of one host beyond which a list of waiting ones does not go."""


def list_waiting(store: Store, task: int, name: str, after: int, most: int) -> DocumentList:
    """List waiting requests of a host, or of all, host by host, the best of each first; `after` counts those before them."""
    found: list[CountedDocument] = []
    passed, remark = 0, ""
    for host in (one for one in store.hosts_by("name", -1, task) if name in ("", one.name)):
        if len(found) == most:
            break
        skipped = max(0, after - passed)
        passed += host.waiting
        if skipped >= host.waiting:
            continue
        if skipped >= _MOST_OF_HOST:
            after, remark = passed, f"of {host.name}, only the first {_MOST_OF_HOST:,} requests are listed"
            continue
        wanted = skipped + most - len(found)
        for one in store.requests(host.name, task, wanted)[skipped:]:
            detail = f"try {one.attempt + 1}" if one.attempt else ""
            found.append(CountedDocument(one.url, one.id, 0.0, 0, detail))
            after += 1
        else:
            after = max(after, passed) if len(found) < most else after
    else:
        if len(found) < most:
            after = 0
    if not after:
        inbox = store.inbox(0, 1, most=most - len(found))
        sent = [one for _, one in inbox if one.task == task and name in ("", one.host)]
        found += [CountedDocument(one.url, one.id, 0.0, 0, "in an inbox") for one in sent]
    return DocumentList(found, after, remark)


def list_under_way(store: Store, folder: Path, task: int, host: str) -> DocumentList:
    """List the visits under way to a host, or to all."""
    shards = read_shards(store, folder, time.time())
    visits = [
        one for shard in shards.fresh for one in shard.visits if one.task == task and host in ("", one.host)
    ]
    return DocumentList(
        CountedDocument(one.url, urls.page_id(one.url), one.since_s, 0, one.step) for one in visits
    )
