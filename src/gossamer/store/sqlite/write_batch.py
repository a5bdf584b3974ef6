"""Write one batch into the SQLite file of a web, within a transaction."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import chain

import msgspec

from gossamer.records import Decision, HostNote, Visit
from gossamer.store import record_rows
from gossamer.store.batch import Batch, TaskNote, Widening
from gossamer.store.record_rows import DatabaseRow

_astuple = msgspec.structs.astuple


def quote_columns(columns: Iterable[str]) -> str:
    """Return quoted column names for a query."""
    return ", ".join(f'"{column}"' for column in columns)


def _make_insert(table: str, columns: Sequence[str], verb: str = "insert") -> str:
    return f"{verb} into {table} ({quote_columns(columns)}) values ({', '.join('?' * len(columns))})"


def _make_upsert(table: str, columns: Sequence[str], keep: Container[str] = ()) -> str:
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in columns[1:] if name not in keep)
    return f"{_make_insert(table, columns)} on conflict ({columns[0]}) do update set {changes}"


_REQUEST_COLUMNS = (
    "lot",
    "task",
    "host",
    "rank",
    "number",
    "id",
    "url",
    "depth",
    "parent",
    "type",
    "attempt",
    "hops",
)
_THIS_REQUEST = "where lot = ? and task = ? and host = ? and rank = ? and number = ?"
_PUT_PAGE = _make_upsert("page", record_rows.PAGE_FIELDS)
_PUT_TASK = _make_upsert("task", TaskNote.__struct_fields__, keep={"counts"})
_PUT_HOST = _make_insert("host", HostNote.__struct_fields__, "replace")
_ADD_LINKS = _make_insert("link", ("source", "links", "targets", "kinds", "texts"))
_ADD_VISIT = _make_insert("visit", Visit.__struct_fields__)
_ADD_DECISION = _make_insert("decision", Decision.__struct_fields__)
_PUT_WIDENING = _make_insert("widening", Widening.__struct_fields__, "replace")
_ADD_REQUEST = _make_insert("request", _REQUEST_COLUMNS)
_FINISH = f"delete from request {_THIS_REQUEST}"
_DISMISS = "delete from request where lot = ? and task = ? and host = ?"
_WAIT = (
    "insert into waiting (task, host, requests) values (?, ?, ?) "
    "on conflict (task, host) do update set requests = requests + excluded.requests"
)
_MOVE = f"update request set rank = ? {_THIS_REQUEST}"
_RETRY = f"update request set attempt = ? {_THIS_REQUEST}"

_FORGET_LINKS = "delete from link where source in (select value from json_each(?)) returning links"

LOTS = """
with recursive walk (lot) as (
    select min(lot) from request
    union all
    select (select min(lot) from request where lot > walk.lot) from walk where lot is not null
)
select lot from walk where lot is not null
"""
"""Selects all lots that have requests."""


def write_batch(db: sqlite3.Connection, batch: Batch) -> None:
    """Write a batch within an open transaction."""
    many = db.executemany
    many(_PUT_PAGE, map(record_rows.page_to_row, batch.pages))
    links = _write_links(db, batch)
    many("insert into known (id, url) values (?, ?)", batch.known)
    if batch.known or batch.scheduled:
        keys = record_rows.pack_keys(chain((page_id for page_id, _ in batch.known), batch.scheduled))
        db.execute("insert into seen (keys) values (?)", (keys,))
    _write_requests(db, batch)
    many(_ADD_VISIT, map(_astuple, batch.visits))
    many(_ADD_DECISION, map(_astuple, batch.decisions))
    many(_PUT_HOST, map(_astuple, batch.hosts))
    many("replace into budget (task, host, pages) values (?, ?, ?)", batch.spent)
    many(_PUT_TASK, map(record_rows.task_to_row, batch.tasks))
    for task, more in batch.counted:
        _add_counts(db, task, more)
    many("replace into archive (warc, bytes) values (?, ?)", batch.archive_ends.items())
    sent = ((share, msgspec.msgpack.encode(request)) for share, request in batch.sent)
    many("insert into inbox (share, request) values (?, ?)", sent)
    many("delete from inbox where number = ?", [(number,) for number in batch.received])
    many(_PUT_WIDENING, ((*_astuple(one)[:-1], one.number or None) for one in batch.widenings))
    many("delete from widening where number = ?", [(number,) for number in batch.widened])
    _write_notes(db, batch)
    last = max((request.number for request in batch.requests), default=0)
    last = max(last, batch.last_number)
    db.execute("update total set value = value + ? where name = 'links'", (links,))
    db.execute("update total set value = max(value, ?) where name = 'last_number'", (last,))


def _write_notes(db: sqlite3.Connection, batch: Batch) -> None:
    """Write and delete the notes of other parts of the program."""
    kept = [(room, name, value) for (room, name), value in batch.notes.items() if value is not None]
    forgotten = [place for place, value in batch.notes.items() if value is None]
    db.executemany("replace into note (room, name, value) values (?, ?, ?)", kept)
    db.executemany("delete from note where room = ? and name = ?", forgotten)


def _add_counts(db: sqlite3.Connection, task: int, more: dict[str, int]) -> None:
    """Add one shard's counts to a task; other shards may have added theirs in the meantime."""
    for (packed,) in db.execute("select counts from task where number = ?", (task,)).fetchall():
        sums = record_rows.add_counts(packed, more)
        db.execute("update task set counts = ? where number = ?", (sums, task))


def _write_links(db: sqlite3.Connection, batch: Batch) -> int:
    """Replace the links of pages; return the change in the number of links."""
    # Page 0 is the source of start pages; its links are kept for every task.
    latest = {links.source: links for links in batch.links}
    added = [links for links in batch.links if not links.source or links is latest[links.source]]
    replaced = (latest.keys() | batch.read) - {0}
    older = db.execute(_FORGET_LINKS, (msgspec.json.encode(replaced).decode(),)).fetchall()
    db.executemany(_ADD_LINKS, map(record_rows.links_to_row, added))
    return sum(len(links.targets) for links in added) - sum(map(record_rows.to_count, older))


def _write_requests(db: sqlite3.Connection, batch: Batch) -> None:
    """Insert, move and delete requests, and update the number that wait at each host."""
    change = Counter((request.task, request.host) for request in batch.requests)
    db.executemany(_ADD_REQUEST, sorted(map(record_rows.request_to_row, batch.requests)))
    db.executemany(
        _MOVE, [(-after.priority, *record_rows.request_to_key(before)) for before, after in batch.moved]
    )
    db.executemany(_RETRY, [(one.attempt, *record_rows.request_to_key(one)) for one in batch.retried])
    finished: dict[tuple[int, str], list[DatabaseRow]] = {}
    for one in batch.finished:
        finished.setdefault((one.task, one.host), []).append(record_rows.request_to_key(one))
    for place, keys in finished.items():
        change[place] -= db.executemany(_FINISH, keys).rowcount
    lots = db.execute(LOTS).fetchall() if batch.dismissed else []
    for host, task in batch.dismissed:
        for (lot,) in lots:
            change[task, host] -= db.execute(_DISMISS, (lot, task, host)).rowcount
    changed = sorted((task, host, more) for (task, host), more in change.items() if more)
    db.executemany(_WAIT, changed)
    less = [(task, host) for task, host, more in changed if more < 0]
    db.executemany("delete from waiting where task = ? and host = ? and requests <= 0", less)
