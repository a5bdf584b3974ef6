"""Forget pages: write a journal, then clean the archive, the state, the files beside it and the index, in this order.

Each step can be repeated: what a killed process has done is found done. The web's lock is held from the first step to the last.
"""

import re
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import REQUISITE
from gossamer.errors import BadInput
from gossamer.forget.choose_pages import Chosen, Wish
from gossamer.forget.erase_archive import erase_archive
from gossamer.forget.erase_files import erase_files
from gossamer.forget.erase_notes import find_notes, find_specs
from gossamer.forget.forget_place import ForgetPlace, OnProgress, find_place
from gossamer.forget.journal import FileDone, Journal
from gossamer.forget.needles import Needles
from gossamer.forget.warc.picture_heirs import PictureHeirs
from gossamer.forget.warc.plan_edits import Choice
from gossamer.net import url as urls
from gossamer.store.batch import Store
from gossamer.store.page_pictures import find_shown_url
from gossamer.store.sqlite import forget_pages as state
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.store.tombstones import (
    DROPPED,
    ROOM,
    Takedown,
    Tombstone,
    Tombstones,
    pack_takedown,
    read_takedowns,
    tombstone_name,
)

OnStep = Callable[[str], None]
_AT_ONCE = 500
_VISITED = {"fetched", "not modified"}


class ForgetRun(msgspec.Struct, frozen=True):
    """A web of which pages are forgotten, and who is told of the progress."""

    place: ForgetPlace
    """The caller holds its locks."""
    on_step: OnStep = lambda _: None
    on_progress: OnProgress = lambda _: None


def check_supported(store: object, what: str) -> SqliteStore:
    """Return the store of a web in a directory; raise BadInput for a web in a database, before anything happens."""
    if not isinstance(store, SqliteStore):
        raise BadInput(
            f"{what} needs a web in a directory: the files of a database cannot be measured from here; use "
            "`gossamer forget --older-than`, or copy the web to a directory with `gossamer export web`"
        )
    return store


def begin(run: ForgetRun, wish: Wish, chosen: Chosen, reason: str, now_s: float) -> Journal:
    """Write the journal of what is to be forgotten."""
    number = max((one.number for one in read_takedowns(run.place.store)), default=0) + 1
    takedown = Takedown(number, wish.kind, wish.asked, now_s, reason)
    ids = sorted(chosen.urls)
    journal = Journal(
        "forget",
        takedown,
        ids,
        [chosen.urls[one] for one in ids],
        [wish.host] if wish.host else [],
        [wish.pattern] if wish.pattern else [],
        *_find_related(run.place.store, chosen),
    )
    run.place.check_disk()
    run.place.write_journal(journal)
    return journal


def finish(run: ForgetRun, journal: Journal) -> Takedown:
    """Do what the journal says, from where it was left."""
    place = run.place
    covering = Tombstones(journal.ids, journal.hosts, journal.patterns)
    forgets = journal.mode == "forget"
    needles = Needles(journal.urls if forgets else (), _cover_rules(journal) if forgets else None)

    def covers(url: str) -> bool:
        return covering.covers(find_shown_url(url))

    choice = Choice(needles, covers, PictureHeirs(place.store, journal.ids, covers), journal.offsets)
    run.on_step("archive")
    erase_archive(place.store, place.open_warcs(), journal, choice, lambda: place.write_journal(journal))
    run.on_step("state")
    if not journal.has_state:
        _erase_state(place, journal, needles, covering)
        journal.has_state = True
        place.write_journal(journal)
    place.write_state_anew(_list_empty(journal))
    run.on_step("files")
    erase_files(place.folder, needles, covering.covers)
    run.on_step("index")
    place.erase_index(journal.ids, journal.related, run.on_progress)
    place.remove_copies()
    return _end(place, journal)


def finish_left(place: ForgetPlace) -> Takedown | None:
    """Finish what a killed process has begun, if there is anything."""
    with place:
        journal = place.read_journal()
        return finish(ForgetRun(place), journal) if journal is not None else None


def finish_left_in_database(folder: Path) -> None:
    """Finish what a killed process has begun in a database, unless another program is at it."""
    from gossamer.store.opening.web_location import read_database
    from gossamer.store.postgres.postgres_store import PostgresStore

    store = PostgresStore(read_database(folder), allow_unfinished=True)
    try:
        with suppress(BadInput):
            finish_left(find_place(store, folder))
    finally:
        store.close()


def _find_related(store: Store, chosen: Chosen) -> tuple[list[int], bool]:
    """Return the pages whose records may name the chosen ones, and whether others may too."""
    related: set[int] = set()
    often = False
    ids = list(chosen.urls)
    for page_id in ids:
        related.update(link.target for link in store.links_from(page_id))
    for at in range(0, len(ids), _AT_ONCE):
        for visits in store.visits_of_pages(ids[at : at + _AT_ONCE]).values():
            often = often or sum(one.result in _VISITED for one in visits) > 1
    origins = {url.split("/", 3)[0] + "//" + host_of(url) for url in chosen.urls.values()}
    related |= {urls.page_id(f"{origin}/robots.txt") for origin in origins}
    wanted = set(chosen.urls.values())
    related |= {one.page for one in store.decisions_by_rule(REQUISITE) if one.detail in wanted}
    return sorted(related - chosen.urls.keys()), often


def _cover_rules(journal: Journal) -> Callable[[str], bool] | None:
    if not journal.hosts and not journal.patterns:
        return None
    hosts, patterns = set(journal.hosts), [re.compile(one) for one in journal.patterns]

    def covers(url: str) -> bool:
        parts = url.split("/", 3)
        return (len(parts) > 2 and parts[2] in hosts) or any(one.search(url) for one in patterns)

    return covers


def _list_empty(journal: Journal) -> list[str]:
    return [name for name, done in journal.files.items() if done.is_empty]


def _erase_state(place: ForgetPlace, journal: Journal, needles: Needles, covering: Tombstones) -> None:
    """Remove the pages from the state, with a tombstone for each and an entry in the log, in one transaction."""
    store = place.store
    if any(one.number == journal.takedown.number for one in read_takedowns(store)):
        return  # a killed process was here
    if journal.mode == "drop":
        _drop_state(check_supported(store, "gossamer forget --keep-bytes"), journal)
        return
    what = state.Erasure(
        frozenset(journal.ids),
        needles.scrub,
        journal.hosts,
        {host_of(url) for url in journal.urls},
        find_notes(store, journal.ids, journal.hosts, needles),
        find_specs(store, covering.covers),
        _list_empty(journal),
    )
    place.erase_pages(what, lambda gone: _make_notes(journal, gone))


def _drop_state(store: SqliteStore, journal: Journal) -> None:
    def change(db: sqlite3.Connection) -> None:
        gone = state.drop_pages(db, journal.ids, journal.visits, {}, _list_empty(journal))
        state.write_notes(db, _make_notes(journal, gone))

    store.change_forgotten(change)


def _make_notes(journal: Journal, gone: state.Erased) -> dict[tuple[str, str], bytes | None]:
    """Return the tombstones of the pages, and the entry of the log with what has been removed so far."""
    taken, room = journal.takedown, ROOM if journal.mode == "forget" else DROPPED
    notes: dict[tuple[str, str], bytes | None] = {
        (room, tombstone_name(one)): msgspec.msgpack.encode(
            Tombstone(taken.when_s, taken.number, journal.why.get(one, ""))
        )
        for one in journal.ids
    }
    done: Iterable[FileDone] = journal.files.values()
    entry = msgspec.structs.replace(
        taken,
        pages=gone.pages,
        addresses=gone.addresses,
        visits=gone.visits,
        links=gone.links,
        records=sum(one.records for one in done),
        archive_bytes=sum(one.packed_bytes for one in done),
        files=sum(one.changed for one in done),
    )
    place, value = pack_takedown(entry)
    return notes | {place: value}


def _end(place: ForgetPlace, journal: Journal) -> Takedown:
    """Note in the log that everything is done, and remove the journal."""
    number = journal.takedown.number
    entry = next(one for one in read_takedowns(place.store) if one.number == number)
    entry = msgspec.structs.replace(entry, finished_s=entry.finished_s or time.time())
    name, value = pack_takedown(entry)
    place.write_notes({name: value})
    place.remove_journal()
    return entry
