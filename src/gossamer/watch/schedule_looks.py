"""Schedule looks at pages: requests of a task of its own, which the crawl runs like any other."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.host_shards import share_of
from gossamer.errors import make_damage_error
from gossamer.net import url as urls
from gossamer.records import Request
from gossamer.store.batch import Batch, Store, TaskNote
from gossamer.store.tombstones import check_not_forgotten
from gossamer.watch.watch_list import ROOM

TASK = "watch"
"""The name of the task."""
_TASK = "~task"
"""The name of the note with the task's number: its name alone does not tell."""


def make_spec(store: Store, options: Mapping[str, Any]) -> TaskSpec:
    """Return the options of looks: those of the last looks or else of the newest crawl, with the given ones instead."""
    note = _find_task(store)
    if note is not None:
        like = read_spec(note)
    else:
        like = next((spec for spec in map(read_spec, reversed(store.tasks())) if spec.seeds), TaskSpec())
    plain = config.from_options(scope="any", depth=0, traps=False, nofollow=False)
    fetching = msgspec.structs.replace(like.fetching, head_only=False, max_age_s=0.0)
    made = msgspec.structs.replace(
        plain, name=TASK, politeness=like.politeness, fetching=fetching, rendering=like.rendering
    )
    return config.replace_options(made, **options)


def schedule_looks(store: Store, pages: Sequence[str], spec: TaskSpec, now_s: float) -> TaskNote:
    """Write a request for each page, unless one is waiting; return the task that fetches them."""
    check_not_forgotten(store, pages)
    note = _find_task(store)
    if note is None:
        number = max((one.number for one in store.tasks()), default=0) + 1
        note = TaskNote(number, TASK, b"", created_s=now_s)
    spec = msgspec.structs.replace(spec, seeds=tuple(dict.fromkeys(pages)))
    made = msgspec.structs.replace(note, spec=msgspec.json.encode(spec), state="stopped")
    requests = [_make_request(url, note.number) for url in spec.seeds]
    known = store.urls(one.id for one in requests)
    store.commit(
        Batch(
            tasks=[made],
            known=[(one.id, one.url) for one in requests if one.id not in known],
            sent=[
                (share_of(one.host), one)
                for one in requests
                if store.request(one.id, note.number, one.host) is None
            ],
            notes={(ROOM, _TASK): str(note.number).encode()},
        )
    )
    return next(one for one in store.tasks() if one.number == note.number)


def _make_request(url: str, task: int) -> Request:
    return Request(urls.page_id(url), url, urls.host(url), task, type="revisit")


def _find_task(store: Store) -> TaskNote | None:
    kept = store.note(ROOM, _TASK)
    if kept is None:
        return None
    if not kept.isdigit():
        raise make_damage_error("the number of the task that watches pages")
    return next((note for note in store.tasks() if note.number == int(kept)), None)
