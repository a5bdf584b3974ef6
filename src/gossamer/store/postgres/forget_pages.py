"""Remove pages from a web in PostgreSQL, with everything that names them; the tables are written anew without them.

No fetcher may be at work. What is removed is chosen by reading first; then one transaction removes it.
"""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import time
from collections.abc import Callable, Collection, Iterator, Mapping

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store import record_rows
from gossamer.store.batch import Batch, LinkRow
from gossamer.store.postgres.binary_columns import Blobs, Int4s, Int8s, Texts, pack_array, pack_arrays
from gossamer.store.postgres.connect import Row, Session, Statement, Step
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.repair_tables import COUNT_TOTALS
from gossamer.store.postgres.write_batch import plan_batch
from gossamer.store.sqlite.forget_pages import Erased, Erasure

Notes = Mapping[tuple[str, str], bytes | None]
_FEW = 50
"""Of so many pages the links to them are looked up; for more of them, all links are read."""
_MOST_LINKS = 1_000_000
_READER_WAIT_S, _POLL_S = 20.0, 0.2
_TABLES = (
    *("page", "link", "visit", "known", "decision", "request", "inbox", "note", "task", "task_count"),
    *("host", "budget", "waiting", "total"),
)
"""Tables that a forgetting changes: each is written anew."""
_REMOVED = (("page", "id"), ("known", "id"), ("visit", "page"), ("link", "source"), ("decision", "page"))
_COUNT = (
    "select (select count(*) from page where id = any(%s)), (select count(*) from known where id = any(%s)), "
    "(select count(*) from visit where page = any(%s)), "
    "(select coalesce(sum(links), 0)::bigint from link where source = any(%s))"
)
_REMOVE_REQUESTS = (
    "with gone as (delete from request where host = any(%s) and (id = any(%s) or host = any(%s)) returning task), "
    "counted as (insert into task_count (task, name, slot, value) "
    "select task, given.name, 0, count(*) from gone, (values ('finished'), ('refused:forgotten')) as given (name) "
    "group by task, given.name on conflict (task, name, slot) do update set value = task_count.value + excluded.value "
    "returning 1) select count(*) from counted"
)
_ADD_LINKS = (
    "insert into link (number, source, links, targets, kinds, texts) "
    "select (select first_number()) + place, source, links, targets, kinds, texts "
    "from unnest(%s, %s, %s, %s, %s) with ordinality as given (source, links, targets, kinds, texts, place)"
)
_SCRUB = "update {table} set detail = given.detail from unnest(%s, %s) as given (number, detail) where {table}.number = given.number"
_OLDER = (
    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
    "and backend_xmin is not null and age(backend_xmin) >= age(%s::text::xid8::xid)"
)


class _NewLinks(msgspec.Struct, frozen=True):
    """What replaces the rows of links that lead to forgotten pages."""

    numbers: list[int]
    rows: list[tuple[int, int, bytes, bytes, bytes]]
    removed: int


def erase_pages(store: PostgresStore, what: Erasure, make_notes: Callable[[Erased], Notes]) -> Erased:
    """Remove pages in one transaction, with notes that say how much was removed.

    Cost: look-ups for each page, a pass over details of visits, over decisions and inboxes, and counting all rows again.
    """
    links = _find_new_links(store, what.ids)
    gone = _count_erased(store, what, links)
    notes = Batch(notes={**what.notes, **make_notes(gone)})
    counting = [Statement(one.strip()) for one in COUNT_TOTALS.split(";") if one.strip()]
    _transact(store, [*_plan_rows(store, what, links), *plan_batch(notes, 0), *counting])
    return gone


def _transact(store: PostgresStore, steps: list[Step]) -> None:
    session = Session(store.address, setup=True)
    try:
        session.transact(steps)
    finally:
        session.close()


def _read(store: PostgresStore, query: str, *values: object) -> list[Row]:
    session = Session(store.address, read_only=True, setup=True)
    try:
        return session.query(query, values)
    finally:
        session.close()


def _count_erased(store: PostgresStore, what: Erasure, links: _NewLinks) -> Erased:
    ids = pack_array(Int8s, sorted(what.ids))
    [(pages, addresses, visits, on_pages)] = _read(store, _COUNT, ids, ids, ids, ids)
    return Erased(int(pages), int(addresses), int(visits), int(on_pages) + links.removed)


def write_anew(store: PostgresStore) -> None:
    """Write all changed tables anew without what was removed; raise StoreFailed if an older query still needs it.

    Cost: copying these tables. The server's write-ahead log and its own back-ups keep older bytes for as long as it is set up to.
    """
    session = Session(store.address, setup=True)
    try:
        _wait_for_readers(session)
        for table in _TABLES:
            session.execute_alone(f"vacuum (full, analyze) {table}")
        # Samples of values for the planner: their older versions hold URLs, too.
        session.execute_alone("vacuum (full) pg_catalog.pg_statistic")
        if _may_checkpoint(session):
            session.execute_alone("checkpoint")
    finally:
        session.close()


def write_notes(store: PostgresStore, notes: Notes) -> None:
    """Write and delete notes."""
    _transact(store, [*plan_batch(Batch(notes=dict(notes)), 0)])


def remove_keys(store: PostgresStore, keys: Collection[int], notes: Notes) -> None:
    """Take keys out of the seen set, and write notes, in one transaction. Cost: a pass over all keys."""
    import numpy as np

    wanted = np.array(list(keys), np.int64)
    change = "update seen set keys = %s where tableoid = %s::bigint::oid and ctid = %s::text::tid"
    steps: list[Step] = []
    for table, place, packed in _read(store, "select tableoid::bigint, ctid::text, keys from seen"):
        held = np.frombuffer(record_rows.check_keys(packed), "<i8")
        is_gone = np.isin(held, wanted)
        if is_gone.any():
            steps.append(Statement(change, (held[~is_gone].tobytes(), table, place)))
    _transact(store, [*steps, *plan_batch(Batch(notes=dict(notes)), 0)])


def _plan_rows(store: PostgresStore, what: Erasure, links: _NewLinks) -> Iterator[Statement]:
    ids = pack_array(Int8s, sorted(what.ids))
    for table, column in _REMOVED:
        yield Statement(f"delete from {table} where {column} = any(%s)", (ids,))
    hosts = pack_array(Texts, sorted(what.hosts))
    asked = pack_array(Texts, sorted({*what.request_hosts, *what.hosts}))
    yield Statement(_REMOVE_REQUESTS, (asked, ids, hosts))
    yield Statement("delete from link where number = any(%s)", (pack_array(Int8s, links.numbers),))
    if links.rows:
        yield Statement(_ADD_LINKS, tuple(pack_arrays([Int8s, Int4s, Blobs, Blobs, Blobs], links.rows)))
    yield Statement("delete from inbox where number = any(%s)", (_find_sent(store, what),))
    for table in ("visit", "decision"):
        if changed := _find_details(store, table, what):
            yield Statement(_SCRUB.format(table=table), tuple(pack_arrays([Int8s, Texts], changed)))
    for table, column in (("host", "name"), ("budget", "host")):
        yield Statement(f"delete from {table} where {column} = any(%s)", (hosts,))
    for number, spec in what.specs.items():
        yield Statement("update task set spec = %s where number = %s", (spec, number))


def _find_new_links(store: PostgresStore, ids: Collection[int]) -> _NewLinks:
    """Find the rows of kept pages that link to some pages, and make them without those links."""
    wanted = frozenset(ids)
    found = _NewLinks([], [], 0)
    removed = 0
    for number, source, targets, kinds, texts in _rows_to(store, wanted):
        if source in wanted:
            continue
        held, said = record_rows.unpack_keys(targets), record_rows.unpack_link_texts(texts)
        at = [place for place, target in enumerate(held) if target not in wanted]
        if len(at) == len(held):
            continue
        removed += len(held) - len(at)
        found.numbers.append(number)
        found.rows.append(
            (
                source,
                len(at),
                record_rows.pack_keys(held[place] for place in at),
                bytes(kinds[place] for place in at),
                msgspec.msgpack.encode([said[place] for place in at]),
            )
        )
    return msgspec.structs.replace(found, removed=removed)


def _rows_to(store: PostgresStore, ids: frozenset[int]) -> Iterator[LinkRow]:
    if len(ids) > _FEW:
        yield from store.link_rows()
        return
    sources = {link.source for one in ids for link in store.links_to(one, _MOST_LINKS)}
    these = "select number, source, targets, kinds, texts from link where source = any(%s)"
    found: list[LinkRow] = _read(store, these, pack_array(Int8s, sorted(sources)))
    yield from found


def _find_sent(store: PostgresStore, what: Erasure) -> object:
    """Return the numbers of requests in inboxes that go."""
    gone = [
        number
        for number, request in store.inbox(0, 1, most=1 << 30)
        if request.id in what.ids or request.host in what.hosts
    ]
    return pack_array(Int8s, gone)


def _find_details(store: PostgresStore, table: str, what: Erasure) -> list[tuple[int, str]]:
    """Return the details of other pages that name forgotten ones, without their URLs."""
    found = _read(store, f"select number, detail from {table} where position('://' in detail) > 0")
    return [(number, clean) for number, detail in found if (clean := what.scrub(detail)) != detail]


def _wait_for_readers(session: Session) -> None:
    """Wait until no query of another connection can see what was removed."""
    mine = session.query("select pg_snapshot_xmax(pg_current_snapshot())::text")[0][0]
    until_s = time.monotonic() + _READER_WAIT_S
    while session.query(_OLDER, (mine,))[0][0]:
        if time.monotonic() > until_s:
            raise StoreFailed(
                f"another program is reading {session.address}, so its tables still hold what is to be forgotten: "
                "end that program, and run `gossamer forget` again, which goes on where it was"
            )
        time.sleep(_POLL_S)


def _may_checkpoint(session: Session) -> bool:
    """Say whether this user may have the server write everything to its files now."""
    return bool(session.query("select rolsuper from pg_roles where rolname = current_user")[0][0])


def _split(script: str) -> list[str]:
    return [one.strip() for one in script.split(";") if one.strip()]
