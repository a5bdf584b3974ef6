"""Columns and longer queries of the store, and the records that are made of their rows."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from gossamer.records import Decision, Page, Visit
from gossamer.store import record_rows
from gossamer.store.postgres.binary_columns import restore_row
from gossamer.store.postgres.connect import Row
from gossamer.store.postgres.share_groups import GROUP_BITS
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
