"""The steps of one transaction that writes a batch: a few statements over whole columns, and COPY for many rows.

All statements are sent at once. A commit takes one round trip; with many new requests, COPY adds two and ends the
pipeline, which makes four.
"""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gossamer.records import Decision, HostNote, Page, Request, Visit
from gossamer.store import record_rows
from gossamer.store.batch import HIGHEST_COUNTS, Batch, Widening
from gossamer.store.postgres.binary_columns import (
    ArrayType,
    Blobs,
    Floats,
    Int2s,
    Int4s,
    Int8s,
    Texts,
    pack_array,
    pack_arrays,
    pack_copy,
)
from gossamer.store.postgres.connect import CopyIn, Statement, Step
from gossamer.store.postgres.share_groups import GROUP_BITS, NO_GROUP, group_of, share_of

_astuple = msgspec.structs.astuple
# COPY costs two round trips and saves 2 µs a row, so fewer rows go into the pipeline.
_COPIED_FROM = 1000

_OF_TYPE: dict[object, ArrayType] = {int: Int8s, bool: Int2s, float: Floats, bytes: Blobs}
_INT4_NAMES = {"task", "depth", "status", "failures", "robots_status", "shard", "shards"}


def _list_columns(kind: type[msgspec.Struct]) -> dict[str, ArrayType]:
    """Return the columns of a record with their types; words from a fixed list are texts."""
    hints = kind.__annotations__
    return {
        name: Int4s if name in _INT4_NAMES else _OF_TYPE.get(hints[name], Texts)
        for name in kind.__struct_fields__
    }


_PAGE = _list_columns(Page) | {"marks": Blobs}
_VISIT = _list_columns(Visit)
_DECISION = _list_columns(Decision)
_HOST = _list_columns(HostNote) | {"robots": Blobs}
_WIDENING = _list_columns(Widening)
_TASK: dict[str, ArrayType] = {
    "number": Int4s,
    "name": Texts,
    "spec": Blobs,
    "state": Texts,
    "reason": Texts,
    "created_s": Floats,
    "ended_s": Floats,
}
_REQUEST: dict[str, ArrayType] = {
    "share": Int4s,
    "task": Int4s,
    "rank": Floats,
    "number": Int8s,
    "id": Int8s,
    "parent": Int8s,
    "depth": Int4s,
    "attempt": Int4s,
    "hops": Int4s,
    "host": Texts,
    "url": Texts,
    "type": Texts,
}
_LINK: dict[str, ArrayType] = {
    "source": Int8s,
    "links": Int4s,
    "targets": Blobs,
    "kinds": Blobs,
    "texts": Blobs,
}


def quote_columns(columns: Iterable[str]) -> str:
    """Return quoted column names for a query."""
    return ", ".join(f'"{column}"' for column in columns)


def _places(count: int) -> str:
    return ", ".join(["%s"] * count)


def _make_select(columns: Sequence[str], numbered: bool) -> str:
    """Return a query for rows that are given as one array for each column."""
    names = quote_columns(columns)
    first = "(select first_number()) + given.place, " if numbered else ""
    return f"select {first}{names} from unnest({_places(len(columns))}) with ordinality as given ({names}, place)"


def _make_insert(table: str, columns: Sequence[str], numbered: bool = False) -> str:
    names = quote_columns(["number", *columns] if numbered else columns)
    return f"insert into {table} ({names}) {_make_select(columns, numbered)}"


def _make_upsert(table: str, columns: Sequence[str], keys: int = 1, numbered: bool = False) -> str:
    """Return an insert that updates existing rows; all writers lock rows in the order of their keys."""
    key = quote_columns(columns[:keys])
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in columns[keys:])
    insert = _make_insert(table, columns, numbered)
    return f"{insert} order by {key} on conflict ({key}) do update set {changes}"


_PUT_PAGES = (
    f"with put as ({_make_upsert('page', list(_PAGE), numbered=True)} returning number) "
    "update total set pages = pages + (select count(*) from put where number > (select first_number())) where slot = %s"
)
_FORGET_LINKS = (
    "with gone as (delete from link using unnest(%s) as old (source) where link.source = old.source returning links) "
    "update total set links = links + %s - (select coalesce(sum(links), 0) from gone) where slot = %s"
)
_PUT_TASKS = (
    f"with put as ({_make_upsert('task', list(_TASK))} returning number, xmax = 0 as is_new) "
    "insert into task_count (task, name, slot, value) select task, name, %s, value "
    "from unnest(%s, %s, %s) as given (task, name, value) join put on put.number = task and is_new"
)
_ADD_COUNTS = (
    "insert into task_count (task, name, slot, value) select task, given.name, %s, value "
    "from unnest(%s, %s, %s) as given (task, name, value) join task on task.number = given.task "
    "order by task, given.name on conflict (task, name, slot) do update set value = case when excluded.name = any(%s) "
    "then greatest(task_count.value, excluded.value) else task_count.value + excluded.value end"
)
_THIS_REQUEST = (
    "request.share = given.share and request.task = given.task and request.host = given.host "
    "and request.rank = given.rank and request.number = given.number"
)
_MOVE = (
    "update request set rank = given.better from unnest(%s, %s, %s, %s, %s, %s) "
    f"as given (share, task, host, rank, number, better) where {_THIS_REQUEST}"
)
_RETRY = (
    "update request set attempt = given.tries from unnest(%s, %s, %s, %s, %s, %s) "
    f"as given (share, task, host, rank, number, tries) where {_THIS_REQUEST}"
)
_FINISH = (
    "with gone as (delete from request using unnest(%s, %s, %s, %s, %s) as given (share, task, host, rank, number) "
    f"where {_THIS_REQUEST} returning request.share, request.task, request.host), "
    "dismissed as (delete from request using unnest(%s, %s, %s) as given (share, task, host) "
    "where request.share = given.share and request.task = given.task and request.host = given.host "
    "returning request.share, request.task, request.host), "
    "change (share, task, host, more) as (select * from unnest(%s, %s, %s, %s) "
    "union all select share, task, host, -1 from gone union all select share, task, host, -1 from dismissed) "
    "insert into waiting (share, task, host, requests) select share, task, host, sum(more) from change "
    "group by share, task, host having sum(more) <> 0 order by task, host "
    "on conflict (task, host) do update set requests = waiting.requests + excluded.requests"
)
_FORGET_WAITING = (
    "delete from waiting using unnest(%s, %s) as given (task, host) "
    "where waiting.task = given.task and waiting.host = given.host and waiting.requests <= 0"
)
_PUT_WIDENINGS = (
    _make_upsert("widening", ["number", *list(_WIDENING)[:-1]]),
    _make_insert("widening", list(_WIDENING)[:-1]) + " order by place",
)
_ADD_KNOWN = "select add_known(%s, %s, %s)"
_ADD_TOTALS = "update total set visits = visits + %s, last_number = greatest(last_number, %s) where slot = %s"
_HIGHEST = pack_array(Texts, sorted(HIGHEST_COUNTS))


def plan_batch(batch: Batch, slot: int, key_shares: Sequence[int] = ()) -> list[Step]:
    """Return the steps that write a batch; raise `OverflowError` if a number does not fit into its column.

    `key_shares` has the share of each key in `batch.scheduled`, if the writer knows it.
    """
    steps: list[Step] = []
    if batch.pages:
        latest = {page.id: page for page in batch.pages}
        rows = [record_rows.page_to_row(page) for page in latest.values()]
        steps.append(Statement(_PUT_PAGES, (*pack_arrays([*_PAGE.values()], rows), slot)))
    steps += _plan_links(batch, slot)
    steps += _plan_seen_keys(batch, key_shares)
    steps += _plan_inserts(batch)
    steps += _plan_tasks(batch, slot)
    steps += _plan_notes(batch)
    last = max(batch.last_number, *(request.number for request in batch.requests), 0)
    if batch.visits or last:
        steps.append(Statement(_ADD_TOTALS, (len(batch.visits), last, slot)))
    if batch.known:
        # Fetchers find the same URLs; all write them in the same order, so that they do not wait for each other in a circle.
        steps.append(Statement(_ADD_KNOWN, (*pack_arrays([Int8s, Texts], sorted(batch.known)), slot)))
    # Statements after a COPY are a pipeline of their own, so this comes last.
    steps += _plan_requests(batch)
    return steps


def _add_rows(table: str, columns: dict[str, ArrayType], rows: Sequence[Sequence[object]]) -> Iterator[Step]:
    """Add rows to a table, by COPY if there are many."""
    if len(rows) >= _COPIED_FROM:
        copy = f"copy {table} ({quote_columns(columns)}) from stdin (format binary)"
        yield CopyIn(copy, pack_copy([*columns.values()], rows))
    elif rows:
        yield Statement(_make_insert(table, list(columns)), tuple(pack_arrays([*columns.values()], rows)))


def _plan_inserts(batch: Batch) -> Iterator[Step]:
    """Plan what is one statement for each table."""
    for table, columns, records in (
        ("visit", _VISIT, batch.visits),
        ("decision", _DECISION, batch.decisions),
    ):
        if records:
            insert = _make_insert(table, list(columns), numbered=True)
            yield Statement(
                insert, tuple(pack_arrays([*columns.values()], [_astuple(one) for one in records]))
            )
    if batch.hosts:
        hosts = {host.name: _astuple(host) for host in batch.hosts}
        yield Statement(
            _make_upsert("host", list(_HOST)), tuple(pack_arrays([*_HOST.values()], [*hosts.values()]))
        )
    if batch.spent:
        spent = {(task, host): (task, host, pages) for task, host, pages in batch.spent}
        values = pack_arrays([Int4s, Texts, Int8s], [*spent.values()])
        yield Statement(_make_upsert("budget", ["task", "host", "pages"], keys=2), tuple(values))
    if batch.archive_ends:
        values = pack_arrays([Texts, Int8s], [*batch.archive_ends.items()])
        yield Statement(_make_upsert("archive", ["warc", "bytes"]), tuple(values))
    if batch.sent:
        rows = [(share, one.task, one.id, msgspec.msgpack.encode(one)) for share, one in batch.sent]
        insert = _make_insert("inbox", ["share", "task", "page", "request"], numbered=True)
        yield Statement(insert, tuple(pack_arrays([Int4s, Int4s, Int8s, Blobs], rows)))
    if batch.received:
        received = pack_array(Int8s, sorted(batch.received))
        yield Statement(
            "delete from inbox using unnest(%s) as done (number) where inbox.number = done.number",
            (received,),
        )


def _plan_tasks(batch: Batch, slot: int) -> Iterator[Step]:
    """Plan new and changed tasks, what was counted, and widenings."""
    if batch.tasks:
        tasks = {task.number: task for task in batch.tasks}
        rows = [_astuple(task)[:-1] for task in tasks.values()]
        counts = [
            (task.number, name, value) for task in tasks.values() for name, value in task.counts.items()
        ]
        first = pack_arrays([Int4s, Texts, Int8s], counts)
        yield Statement(_PUT_TASKS, (*pack_arrays([*_TASK.values()], rows), slot, *first))
    more: dict[tuple[int, str], int] = {}
    for task, counted in batch.counted:
        for name, value in counted.items():
            before = more.get((task, name), 0)
            more[task, name] = max(before, value) if name in HIGHEST_COUNTS else before + value
    if more:
        values = pack_arrays([Int4s, Texts, Int8s], [(*place, value) for place, value in more.items()])
        yield Statement(_ADD_COUNTS, (slot, *values, _HIGHEST))
    new = [_astuple(one)[:-1] for one in batch.widenings if not one.number]
    known = {one.number: (one.number, *_astuple(one)[:-1]) for one in batch.widenings if one.number}
    kinds = [*_WIDENING.values()][:-1]
    if known:
        yield Statement(_PUT_WIDENINGS[0], tuple(pack_arrays([Int8s, *kinds], [*known.values()])))
    if new:
        yield Statement(_PUT_WIDENINGS[1], tuple(pack_arrays(kinds, new)))
    if batch.widened:
        yield Statement("delete from widening where number = any(%s)", (pack_array(Int8s, batch.widened),))


def _plan_notes(batch: Batch) -> Iterator[Step]:
    """Plan the notes of other parts of the program."""
    kept = [(room, name, value) for (room, name), value in batch.notes.items() if value is not None]
    forgotten = [place for place, value in batch.notes.items() if value is None]
    if kept:
        values = pack_arrays([Texts, Texts, Blobs], kept)
        yield Statement(_make_upsert("note", ["room", "name", "value"], keys=2), tuple(values))
    if forgotten:
        gone = "delete from note using unnest(%s, %s) as old (room, name) where note.room = old.room and note.name = old.name"
        yield Statement(gone, tuple(pack_arrays([Texts, Texts], forgotten)))


def _plan_links(batch: Batch, slot: int) -> Iterator[Step]:
    """Replace the links of pages; those of page 0, the source of start pages, accumulate."""
    latest = {links.source: links for links in batch.links}
    added = [links for links in batch.links if not links.source or links is latest[links.source]]
    replaced = sorted((latest.keys() | set(batch.read)) - {0})
    if replaced or added:
        more = sum(len(links.targets) for links in added)
        yield Statement(_FORGET_LINKS, (pack_array(Int8s, replaced), more, slot))
    if added:
        rows = [record_rows.links_to_row(links) for links in added]
        yield Statement(
            _make_insert("link", list(_LINK), numbered=True), tuple(pack_arrays([*_LINK.values()], rows))
        )


def _plan_seen_keys(batch: Batch, key_shares: Sequence[int]) -> Iterator[Step]:
    """Pack the keys of the seen set, one row for each group of shares."""
    keys: dict[int, list[int]] = defaultdict(list)
    for page_id, url in batch.known:
        keys[group_of(url.split("/", 3)[2])].append(page_id)
    if key_shares:
        for key, share in zip(batch.scheduled, key_shares, strict=True):
            keys[share >> GROUP_BITS].append(key)
    elif batch.scheduled:
        keys[NO_GROUP] += batch.scheduled
    if keys:
        rows = [(group, record_rows.pack_keys(held)) for group, held in sorted(keys.items())]
        insert = _make_insert("seen", ["share_group", "keys"], numbered=True)
        yield Statement(insert, tuple(pack_arrays([Int2s, Blobs], rows)))


def _plan_requests(batch: Batch) -> Iterator[Step]:
    """Insert, move and delete requests, and update the number that wait at each host."""
    yield from _add_rows("request", _REQUEST, sorted(map(_request_to_row, batch.requests)))
    key: list[ArrayType] = [Int4s, Int4s, Texts, Floats, Int8s]
    if batch.moved:
        yield Statement(_MOVE, tuple(pack_arrays([*key, Floats], _join_moves(batch.moved))))
    if batch.retried:
        tried = {_request_to_key(one): one.attempt for one in batch.retried}
        rows = [(*place, attempt) for place, attempt in sorted(tried.items())]
        yield Statement(_RETRY, tuple(pack_arrays([*key, Int4s], rows)))
    if not (batch.requests or batch.finished or batch.dismissed):
        return
    added = Counter((share_of(one.host), one.task, one.host) for one in batch.requests)
    finished = sorted({_request_to_key(one) for one in batch.finished})
    dismissed = sorted({(share_of(host), task, host) for host, task in batch.dismissed})
    place: list[ArrayType] = [Int4s, Int4s, Texts]
    values = [
        *pack_arrays(key, finished),
        *pack_arrays(place, dismissed),
        *pack_arrays([*place, Int8s], [(*where, more) for where, more in added.items()]),
    ]
    yield Statement(_FINISH, tuple(values))
    left = {(task, host) for _, task, host, *_ in finished} | {(task, host) for _, task, host in dismissed}
    if left:
        yield Statement(_FORGET_WAITING, tuple(pack_arrays([Int4s, Texts], sorted(left))))


def _request_to_key(request: Request) -> tuple[int, int, str, float, int]:
    return share_of(request.host), request.task, request.host, -request.priority, request.number


def _request_to_row(one: Request) -> tuple[object, ...]:
    return (
        *(share_of(one.host), one.task, -one.priority, one.number, one.id, one.parent, one.depth),
        *(one.attempt, one.hops, one.host, one.url, one.type),
    )


def _join_moves(moved: Iterable[tuple[Request, Request]]) -> list[tuple[object, ...]]:
    """Return one move for each request: from where it is in the store to where it was moved last."""
    first: dict[tuple[int, str, int], tuple[int, int, str, float, int]] = {}
    last: dict[tuple[int, str, int], float] = {}
    for before, after in moved:
        place = before.task, before.host, before.number
        first.setdefault(place, _request_to_key(before))
        last[place] = -after.priority
    return sorted((*first[place], last[place]) for place in first)
