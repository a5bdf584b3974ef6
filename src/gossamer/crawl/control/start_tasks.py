"""Start and resume tasks: their start pages, and the batch that records which tasks run."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.rule_changes import find_widenings
from gossamer.crawl.host_shards import share_of
from gossamer.errors import BadInput, BadUrl
from gossamer.net import url as urls
from gossamer.order import find_order
from gossamer.records import Link, Request
from gossamer.store.batch import Batch, Store, TaskNote
from gossamer.store.tombstones import check_not_forgotten

LEFT = "its process ended"
"""The reason of a task that was running when its process was killed and does not take part in the next run."""
NOT_STARTED = "no crawl has taken it up yet"
"""The reason of a new task that waits for a crawl."""


def list_start_pages(spec: TaskSpec) -> list[str]:
    """Return the start pages of a task in canonical form, from its options and its files."""
    seeds = []
    rules = urls.UrlRules(schemes=(*urls.TYPED_RULES.schemes, *spec.fetching.schemes))
    for url in (*spec.seeds, *spec.sitemaps, *read_seed_files(spec)):
        try:
            seeds.append(urls.canonical(url, rules=rules))
        except BadUrl as error:
            raise BadInput(
                f"{urls.hide_user_info(url)!r} is not a page that can be fetched ({error.reason}); "
                "give it as https://…, http://…, ftp://… or file:///…"
            ) from None
    if not seeds:
        raise BadInput("a crawl needs at least one start page: give a URL, or a task file that names some")
    return list(dict.fromkeys(seeds))


def read_seed_files(spec: TaskSpec) -> list[str]:
    """Return the start pages in a task's files, as they are written there."""
    given: list[str] = []
    for name in spec.seed_files:
        try:
            lines = Path(name).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
            raise BadInput(f"cannot read start pages from {name}: {why}") from None
        given += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return given


def canonical_or_same(url: str) -> str:
    """Return a start page in canonical form; as it is written if it has none."""
    try:
        return urls.canonical(url, rules=urls.TYPED_RULES)
    except BadUrl:
        return url


def embed_seed_files(spec: TaskSpec) -> TaskSpec:
    """Return the task with the start pages of its files among its own: the files may be gone when it is resumed."""
    if not spec.seed_files:
        return spec
    listed = {urls.canonical(url, rules=urls.TYPED_RULES) for url in spec.sitemaps}
    seeds = tuple(url for url in list_start_pages(spec) if url not in listed)
    return msgspec.structs.replace(spec, seeds=seeds, seed_files=())


def make_seed_requests(number: int, spec: TaskSpec, seeds: Iterable[str]) -> list[tuple[int, Request]]:
    """Make requests of start pages, each with the share of its host; no rule refuses them."""
    order = find_order(spec.order)
    made = []
    for url in seeds:
        host = urls.host(url)
        priority = order(Link(url, "seed"), 0)
        made.append((share_of(host), Request(urls.page_id(url), url, host, number, 0, priority, 0, "seed")))
    return made


def start_tasks(
    store: Store,
    again: Sequence[tuple[TaskNote, TaskSpec]],
    new: Sequence[TaskSpec],
    now_s: float,
    others_run: bool = False,
) -> list[TaskNote]:
    """Record which tasks take part in the run that is about to begin: these are "running", and no others.

    With `others_run`, tasks that run go on: fetchers on other machines may work for them.

    The start pages of new tasks go into the inboxes of the shards that own their hosts, in the same transaction.
    """
    known = {note.number: note for note in store.tasks()}
    batch = Batch()
    running = [
        msgspec.structs.replace(
            note, spec=msgspec.json.encode(embed_seed_files(spec)), state="running", reason="", ended_s=0.0
        )
        for note, spec in again
    ]
    for note in running:
        batch.widenings += find_widenings(note.number, read_spec(known[note.number]), read_spec(note))
    for number, spec in enumerate(new, max(known, default=0) + 1):
        running.append(_put_new_task(batch, store, number, spec, now_s))
    numbers = {note.number for note in running}
    left = [] if others_run else [note for note in known.values() if note.state == "running"]
    left = [note for note in left if note.number not in numbers]
    batch.tasks = running + [msgspec.structs.replace(note, state="stopped", reason=LEFT) for note in left]
    batch.known = list(dict(batch.known).items())
    store.commit(batch)
    return running


def add_task(store: Store, spec: TaskSpec, now_s: float) -> TaskNote:
    """Record a new task that waits for a crawl, which may be running; its start pages are in the inboxes."""
    batch = Batch()
    number = max((note.number for note in store.tasks()), default=0) + 1
    note = _put_new_task(batch, store, number, spec, now_s)
    note = msgspec.structs.replace(note, state="stopped", reason=NOT_STARTED)
    batch.tasks = [note]
    store.commit(batch)
    return note


def _put_new_task(batch: Batch, store: Store, number: int, spec: TaskSpec, now_s: float) -> TaskNote:
    """Put the start pages of a new task into a batch, and return its note."""
    spec = embed_seed_files(spec)
    seeds = list_start_pages(spec)
    check_not_forgotten(store, seeds)
    sent = make_seed_requests(number, spec, seeds)
    batch.sent += sent
    known_urls = store.urls(request.id for _, request in sent) if number > 1 else {}
    batch.known += [(one.id, one.url) for _, one in sent if one.id not in known_urls]
    name = spec.name or f"{urls.host(seeds[0])}-{number}"
    return TaskNote(number, name, msgspec.json.encode(spec), created_s=now_s)
