"""Remove pages from the SQLite file of a web, with everything that names them; the freed space is overwritten."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from gossamer.store import record_rows
from gossamer.store.sqlite import late_index

_AT_ONCE = 400
LATE_TABLES = ("known", "visit", "decision", "link")
"""Tables whose rows are found by the late index, which must be sorted first."""
_COUNTED = ("page", "known", "visit")


class Erasure(msgspec.Struct, frozen=True):
    """What is to be removed from the state, and what is written instead in the same transaction."""

    ids: frozenset[int]
    """Pages, and addresses that redirect to them."""
    scrub: Callable[[str], str]
    """Takes their URLs out of a text."""
    hosts: Collection[str] = ()
    """Hosts that are forgotten as a whole."""
    request_hosts: Collection[str] = ()
    """Hosts at which requests for the pages may wait."""
    notes: Mapping[tuple[str, str], bytes | None] = {}
    specs: Mapping[int, bytes] = {}
    """Options of tasks without the pages, by the number of the task."""
    empty_files: Collection[str] = ()
    """WARC files in which nothing is left."""


class Erased(msgspec.Struct):
    """How many rows were removed."""

    pages: int = 0
    addresses: int = 0
    visits: int = 0
    links: int = 0
    requests: int = 0


@contextlib.contextmanager
def overwriting(db: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction that overwrites what it deletes."""
    db.execute("pragma secure_delete = on")
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def erase_pages(db: sqlite3.Connection, what: Erasure) -> Erased:
    """Remove pages within an open transaction. Cost: look-ups for each page, and a pass over details of visits and decisions."""
    gone = Erased()
    before = {table: _find_newest(db, table) for table in _COUNTED}
    last_visit = before["visit"]
    gone.links = _remove_links_of(db, what.ids) + _remove_links_to(db, what.ids)
    db.execute("update total set value = value - ? where name = 'links'", (gone.links,))
    gone.requests = _remove_requests(db, what)
    gone.visits = _remove_rows(db, "visit", what.ids, keep=last_visit)
    gone.addresses = _remove_rows(db, "known", what.ids)
    _remove_rows(db, "decision", what.ids)
    gone.pages = _remove_pages(db, what.ids)
    for table in ("visit", "decision"):
        _scrub_details(db, table, what.scrub)
    db.executemany("delete from host where name = ?", [(host,) for host in what.hosts])
    db.executemany("delete from budget where host = ?", [(host,) for host in what.hosts])
    db.executemany(
        "update task set spec = ? where number = ?", [(spec, number) for number, spec in what.specs.items()]
    )
    write_notes(db, what.notes)
    db.executemany("delete from archive where warc = ?", [(name,) for name in what.empty_files])
    removed = {"page": gone.pages, "known": gone.addresses, "visit": gone.visits}
    for table in _COUNTED:
        # Numbers at the end are used again: only gaps are counted.
        gap = removed[table] - (before[table] - _find_newest(db, table))
        db.execute("update total set value = value + ? where name = ?", (gap, f"{table} gaps"))
    for table in ("known", "decision"):
        _drop_runs_beyond(db, table)
    return gone


def drop_pages(
    db: sqlite3.Connection,
    pages: Collection[int],
    visits: Collection[int],
    notes: Mapping[tuple[str, str], bytes | None],
    empty_files: Collection[str],
) -> Erased:
    """Remove pages and the positions of old versions to save room; what is known of their URLs stays."""
    before = _find_newest(db, "page")
    gone = Erased(pages=_remove_pages(db, pages), links=_remove_links_of(db, pages))
    gap = gone.pages - (before - _find_newest(db, "page"))
    db.execute("update total set value = value + ? where name = 'page gaps'", (gap,))
    db.execute("update total set value = value - ? where name = 'links'", (gone.links,))
    db.executemany(
        "update visit set warc = '', warc_offset = 0 where number = ?", [(number,) for number in visits]
    )
    for some in _chunks(pages):
        numbers = list(late_index.find_rows(db, "visit", some))
        db.executemany(
            "update visit set warc = '', warc_offset = 0 where number = ?", [(number,) for number in numbers]
        )
    gone.visits = len(visits)
    write_notes(db, notes)
    db.executemany("delete from archive where warc = ?", [(name,) for name in empty_files])
    return gone


def write_notes(db: sqlite3.Connection, notes: Mapping[tuple[str, str], bytes | None]) -> None:
    """Write and delete notes within an open transaction."""
    kept = [(room, name, value) for (room, name), value in notes.items() if value is not None]
    db.executemany("replace into note (room, name, value) values (?, ?, ?)", kept)
    left = [place for place, value in notes.items() if value is None]
    db.executemany("delete from note where room = ? and name = ?", left)


def compact(db: sqlite3.Connection) -> bool:
    """Write the file anew without free space, which may hold older copies of rows; return whether the log is empty too.

    Cost: writing the whole state once. A reader that is in the middle of a query keeps the log from being emptied.
    """
    db.execute("vacuum")
    busy, _, _ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
    return not busy


def remove_keys(db: sqlite3.Connection, keys: Collection[int]) -> None:
    """Take keys out of the seen set within an open transaction. Cost: a pass over all keys."""
    import numpy as np

    wanted = np.array(list(keys), np.int64)
    for number, packed in db.execute("select number, keys from seen").fetchall():
        held = np.frombuffer(record_rows.check_keys(packed), "<i8")
        is_gone = np.isin(held, wanted)
        if is_gone.any():
            db.execute("update seen set keys = ? where number = ?", (held[~is_gone].tobytes(), number))


def _chunks(ids: Collection[int]) -> Iterator[list[int]]:
    left = iter(sorted(ids))
    while some := list(islice(left, _AT_ONCE)):
        yield some


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _find_newest(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"select coalesce(max(number), 0) from {table}").fetchone()[0])


def _remove_pages(db: sqlite3.Connection, ids: Collection[int]) -> int:
    return sum(
        db.execute(f"delete from page where id in ({_marks(some)})", some).rowcount for some in _chunks(ids)
    )


def _remove_links_of(db: sqlite3.Connection, ids: Collection[int]) -> int:
    """Remove the links on some pages; return how many there were."""
    removed = 0
    for some in _chunks(ids):
        found = db.execute(f"delete from link where source in ({_marks(some)}) returning links", some)
        removed += sum(links for (links,) in found.fetchall())
    return removed


def _remove_links_to(db: sqlite3.Connection, ids: Collection[int]) -> int:
    """Remove the links to some pages from the rows of other pages; return how many there were."""
    numbers = {number for some in _chunks(ids) for number in late_index.find_rows(db, "link", some)}
    removed = 0
    for number in sorted(numbers):
        row = db.execute(
            "select source, targets, kinds, texts from link where number = ?", (number,)
        ).fetchone()
        if row is None:
            continue
        source, targets, kinds, texts = row
        record_rows.check_links((number, *row))
        held, said = record_rows.unpack_keys(targets), record_rows.unpack_link_texts(texts)
        at = [place for place, target in enumerate(held) if target not in ids]
        if len(at) == len(held):
            continue
        # A new number, as when a page is read again: look-ups by target do not find this row for the removed links.
        db.execute("delete from link where number = ?", (number,))
        db.execute(
            "insert into link (source, links, targets, kinds, texts) values (?, ?, ?, ?, ?)",
            (
                source,
                len(at),
                record_rows.pack_keys(held[place] for place in at),
                bytes(kinds[place] for place in at),
                msgspec.msgpack.encode([said[place] for place in at]),
            ),
        )
        removed += len(held) - len(at)
    return removed


def _remove_rows(db: sqlite3.Connection, table: str, ids: Collection[int], keep: int = 0) -> int:
    """Remove the rows of some pages; the row `keep` is emptied instead, so that its number is not used again."""
    removed = 0
    for some in _chunks(ids):
        numbers = list(late_index.find_rows(db, table, some))
        for number in numbers:
            if number == keep:
                db.execute(
                    "update visit set page = 0, task = 0, result = 'refused', status = 0, cause = 'forgotten', "
                    "detail = '', took_s = 0.0, body_bytes = 0, address = '', text_digest = 0, warc = '', "
                    "warc_offset = 0 where number = ?",
                    (number,),
                )
            else:
                removed += db.execute(f"delete from {table} where number = ?", (number,)).rowcount
    return removed


def _remove_requests(db: sqlite3.Connection, what: Erasure) -> int:
    """Remove waiting requests and those in inboxes; the waiting ones count as refused."""
    gone: Counter[tuple[int, str]] = Counter()
    lots = [lot for (lot,) in db.execute("select distinct lot from request").fetchall()]
    tasks = [task for (task,) in db.execute("select number from task").fetchall()]
    for host in {*what.request_hosts, *what.hosts}:
        for lot in lots:
            for task in tasks:
                where = "where lot = ? and task = ? and host = ?"
                found = db.execute(f"select rank, number, id from request {where}", (lot, task, host))
                for rank, number, page in found.fetchall():
                    if page in what.ids or host in what.hosts:
                        key = (lot, task, host, rank, number)
                        db.execute(f"delete from request {where} and rank = ? and number = ?", key)
                        gone[task, host] += 1
    for (task, host), requests in gone.items():
        db.execute(
            "update waiting set requests = requests - ? where task = ? and host = ?", (requests, task, host)
        )
    db.execute("delete from waiting where requests <= 0")
    for task in {task for task, _ in gone}:
        _count_refused(db, task, sum(more for (of, _), more in gone.items() if of == task))
    sent = db.execute("select number, request from inbox").fetchall()
    decoded = ((number, record_rows.decode_request(packed)) for number, packed in sent)
    at = [(number,) for number, one in decoded if one.id in what.ids or one.host in what.hosts]
    db.executemany("delete from inbox where number = ?", at)
    return sum(gone.values()) + len(at)


def _count_refused(db: sqlite3.Connection, task: int, requests: int) -> None:
    for (packed,) in db.execute("select counts from task where number = ?", (task,)).fetchall():
        sums = record_rows.add_counts(packed, {"finished": requests, "refused:forgotten": requests})
        db.execute("update task set counts = ? where number = ?", (sums, task))


def _scrub_details(db: sqlite3.Connection, table: str, scrub: Callable[[str], str]) -> None:
    """Take the URLs out of details of other pages, such as the page that needed an image. Cost: 0.1 µs a row."""
    found = db.execute(f"select number, detail from {table} where instr(detail, ':') > 0")
    changed = [
        (clean, number)
        for number, detail in found
        if isinstance(detail, str) and (clean := scrub(detail)) != detail
    ]
    db.executemany(f"update {table} set detail = ? where number = ?", changed)


def _drop_runs_beyond(db: sqlite3.Connection, table: str) -> None:
    """Drop the runs of the late index that end behind the newest row: its numbers are used again."""
    newest = _find_newest(db, table)
    beyond = db.execute(
        "select min(number) from run where name = ? and upto > ?", (table, newest)
    ).fetchone()[0]
    if beyond is not None:
        db.execute("delete from sorted where name = ? and run >= ?", (table, beyond))
        db.execute("delete from run where name = ? and number >= ?", (table, beyond))
