"""Columns and longer queries of the store, and the records that are made of their rows."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from collections.abc import Sequence

from gossamer.records import Decision, Page, Request, Visit
from gossamer.store import record_rows
from gossamer.store.postgres.binary_columns import Int4s, Texts, pack_arrays, restore_row
from gossamer.store.postgres.connect import Row, Session
from gossamer.store.postgres.share_groups import GROUP_BITS, share_of
from gossamer.store.postgres.write_batch import quote_columns

PAGE_COLUMNS = ", ".join(f'page."{name}"' for name in record_rows.PAGE_FIELDS)
VISIT_COLUMNS = quote_columns(Visit.__struct_fields__)
DECISION_COLUMNS = quote_columns(Decision.__struct_fields__)
LINK_COLUMNS = "source, targets, kinds, texts"
REQUEST_COLUMNS = "id, url, host, task, depth, -rank, parent, type, attempt, number, hops"
COUNTS = """
select coalesce(sum(pages), 0)::bigint, coalesce(sum(links), 0)::bigint, coalesce(sum(known), 0)::bigint,
    (select coalesce(sum(requests), 0)::bigint from waiting), coalesce(sum(visits), 0)::bigint,
    (select count(*) from host)
from total
"""
TASKS = """
select number, name, spec, state, reason, created_s, ended_s,
    coalesce((select json_object_agg(name, value)::text from (
        select name, case when name = any(%s) then max(value) else sum(value)::bigint end as value
        from task_count where task = number group by name) as counted), '{}')
from task order by number
"""
REMAINING = """
select (select coalesce(sum(case name when 'queued' then value else -value end), 0)::bigint
        from task_count where task = %s and name in ('queued', 'finished') and exists (select from task where number = %s))
    + (select count(*) from inbox where task = %s) + (select count(*) from widening where task = %s)
"""
INBOX_OF_GROUPS = f"""
select found.number, found.request from unnest(%s) as held (share_group) cross join lateral (
    select number, request from inbox where (share >> {GROUP_BITS}) = held.share_group and number > %s and number < horizon()
    order by number limit %s) as found
order by found.number limit %s
"""
_BEST = """
select given.place, best.id, best.url, best.host, best.task, best.depth, -best.rank, best.parent, best.type, best.attempt,
    best.number, best.hops
from unnest(%s, %s, %s, %s) with ordinality as given (share, host, task, most, place) cross join lateral (
    select * from request where share = given.share and task = given.task and host = given.host
    order by rank, number limit given.most) as best
order by given.place, best.rank, best.number
"""
Place = tuple[str, int, int]
"""A host, a task, and how many requests are wanted."""


def limit(most: int) -> int | None:
    """Return a limit for a query; none for -1."""
    return None if most < 0 else most


def to_page(row: Row) -> Page:
    """Return the page of a row."""
    return record_rows.row_to_page(restore_row(row))


def to_visit(row: Row) -> Visit:
    """Return the visit of a row."""
    return record_rows.row_to_record(Visit, restore_row(row))


def to_decision(row: Row) -> Decision:
    """Return the decision of a row."""
    return record_rows.row_to_record(Decision, restore_row(row))


def read_requests(session: Session, places: Sequence[Place]) -> list[list[Request]]:
    """Return for each place its best requests, best first."""
    rows = [(share_of(host), host, task, most) for host, task, most in places]
    found: list[list[Request]] = [[] for _ in places]
    for place, *fields in session.query(_BEST, pack_arrays([Int4s, Texts, Int4s, Int4s], rows)):
        found[place - 1].append(Request(*fields))
    return found
