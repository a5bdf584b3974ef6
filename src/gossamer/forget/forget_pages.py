"""Forget pages: write a journal, then clean the archive, the state, the files beside it and the index, in this order.

Each step can be repeated: what a killed process has done is found done. The web's lock is held from the first step to the last.
"""

import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import REQUISITE
from gossamer.errors import BadInput, StoreFailed
from gossamer.forget.choose_pages import Chosen, Wish
from gossamer.forget.erase_archive import check_room, erase_archive, remove_empty_files
from gossamer.forget.erase_files import erase_files
from gossamer.forget.erase_index import erase_index
from gossamer.forget.erase_notes import find_notes, find_specs
from gossamer.forget.journal import FileDone, Journal, read_journal, remove_journal, write_journal
from gossamer.forget.needles import Needles
from gossamer.forget.warc.picture_heirs import PictureHeirs
from gossamer.forget.warc.plan_edits import Choice
from gossamer.net import url as urls
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
OnProgress = Callable[[float], None]
_AT_ONCE = 500
_READER_WAIT_S = 20.0
_POLL_S = 0.2
_VISITED = {"fetched", "not modified"}


class ForgetRun(msgspec.Struct, frozen=True):
    """A web of which pages are forgotten, and who is told of the progress."""

    store: SqliteStore
    folder: Path
    on_step: OnStep = lambda _: None
    on_progress: OnProgress = lambda _: None


def check_supported(store: object, what: str) -> SqliteStore:
    """Return the store of a web in a directory; raise BadInput for a web in a database, before anything happens."""
    if not isinstance(store, SqliteStore):
        raise BadInput(
            f"{what} needs a web in a directory: of a web in a database nothing is forgotten yet; copy it with "
            "`gossamer export web` to a directory, and forget there"
        )
    return store


def begin(run: ForgetRun, wish: Wish, chosen: Chosen, reason: str, now_s: float) -> Journal:
    """Write the journal of what is to be forgotten; the caller holds the web's lock."""
    number = max((one.number for one in read_takedowns(run.store)), default=0) + 1
    takedown = Takedown(number, wish.kind, wish.asked, now_s, reason)
    ids = sorted(chosen.urls)
    journal = Journal(
        "forget",
        takedown,
        ids,
        [chosen.urls[one] for one in ids],
        [wish.host] if wish.host else [],
        [wish.pattern] if wish.pattern else [],
        *_find_related(run.store, chosen),
    )
    check_disk(run)
    write_journal(run.folder, journal)
    return journal


def check_disk(run: ForgetRun) -> None:
    """Raise StoreFailed if a WARC file and the state do not fit beside themselves."""
    largest = max([0, *run.store.archive_ends().values(), 2 * run.store.path.stat().st_size])
    check_room(run.folder, largest, shutil.disk_usage(run.folder).free)


def finish(run: ForgetRun, journal: Journal) -> Takedown:
    """Do what the journal says, from where it was left; the caller holds the web's lock."""
    covering = Tombstones(journal.ids, journal.hosts, journal.patterns)
    forgets = journal.mode == "forget"
    needles = Needles(journal.urls if forgets else (), _cover_rules(journal) if forgets else None)

    def covers(url: str) -> bool:
        return covering.covers(find_shown_url(url))

    choice = Choice(needles, covers, PictureHeirs(run.store, journal.ids, covers), journal.offsets)
    run.on_step("archive")
    erase_archive(run.store, run.folder, journal, choice, lambda: write_journal(run.folder, journal))
    run.on_step("state")
    if not journal.has_state:
        _erase_state(run, journal, needles, covering)
        journal.has_state = True
        write_journal(run.folder, journal)
    _compact(run)
    remove_empty_files(run.folder, _list_empty(journal))
    run.on_step("files")
    erase_files(run.folder, needles, covering.covers)
    run.on_step("index")
    erase_index(run.store, run.folder, journal.ids, journal.related, run.on_progress)
    return _end(run, journal)


def finish_left(run: ForgetRun) -> Takedown | None:
    """Finish what a killed process has begun, if there is anything; the caller holds the web's lock."""
    journal = read_journal(run.folder)
    return finish(run, journal) if journal is not None else None


def _find_related(store: SqliteStore, chosen: Chosen) -> tuple[list[int], bool]:
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


def _erase_state(run: ForgetRun, journal: Journal, needles: Needles, covering: Tombstones) -> None:
    """Remove the pages from the state, with a tombstone for each and an entry in the log, in one transaction."""
    store = run.store
    if any(one.number == journal.takedown.number for one in read_takedowns(store)):
        return  # a killed process was here
    if journal.mode == "drop":
        _drop_state(run, journal)
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

    def change(db: sqlite3.Connection) -> None:
        gone = state.erase_pages(db, what)
        state.write_notes(db, _make_notes(journal, gone))

    store.change_forgotten(change)


def _drop_state(run: ForgetRun, journal: Journal) -> None:
    def change(db: sqlite3.Connection) -> None:
        gone = state.drop_pages(db, journal.ids, journal.visits, {}, _list_empty(journal))
        state.write_notes(db, _make_notes(journal, gone))

    run.store.change_forgotten(change)


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


def _compact(run: ForgetRun) -> None:
    """Write the state anew; wait for readers that keep its log from being emptied."""
    until_s = time.monotonic() + _READER_WAIT_S
    while not run.store.compact():
        if time.monotonic() > until_s:
            raise StoreFailed(
                f"another program is reading {run.store.path}, so its log still holds what is to be forgotten: "
                "end that program, and run `gossamer forget` again, which goes on where it was"
            )
        time.sleep(_POLL_S)


def _end(run: ForgetRun, journal: Journal) -> Takedown:
    """Note in the log that everything is done, and remove the journal."""
    number = journal.takedown.number
    entry = next(one for one in read_takedowns(run.store) if one.number == number)
    entry = msgspec.structs.replace(entry, finished_s=entry.finished_s or time.time())
    place, value = pack_takedown(entry)
    run.store.change_forgotten(lambda db: state.write_notes(db, {place: value}))
    remove_journal(run.folder)
    return entry
