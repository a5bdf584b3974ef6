"""What a look at a crawl asks a web in PostgreSQL: the work that is left, hosts, and the documents behind a count."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from collections.abc import Iterable

from gossamer.records import Decision, Visit
from gossamer.store import record_rows
from gossamer.store.batch import HostOrder, HostWork, TaskWork
from gossamer.store.postgres.binary_columns import Int8s, escape_nul, pack_array, restore_row
from gossamer.store.postgres.connect import Row
from gossamer.store.postgres.reading import queries
from gossamer.store.postgres.reading.whole_tables import WholeTables

_WORK = """
select task.*, (select coalesce(sum(requests), 0)::bigint from waiting where waiting.task = task.number),
    (select count(*) from inbox where inbox.task = task.number)
from ({tasks}) as task order by task.number
"""
_HOSTS = """
with queue (name, requests) as (select host, sum(requests)::bigint from waiting {these} group by host),
found (name) as ({names})
select found.name, coalesce(requests, 0) as waiting, coalesce(ready_s, 0.0) as ready_s, coalesce(crawl_delay_s, 0.0),
    coalesce(failures, 0) as failures, coalesce(address, '')
from found left join queue on queue.name = found.name left join host on host.name = found.name
order by {order} limit %s
"""
# The longest queues are chosen before their hosts are looked up.
_LONGEST = "select name from queue order by requests desc, name limit %s"
_ORDERS: dict[HostOrder, str] = {
    "waiting": "2 desc, 1",
    "failures": "5 desc, 2 desc, 1",
    "next turn": "3, 2 desc, 1",
    "name": "1",
}
_FETCHERS = (
    "select number, name, machine, status, extract(epoch from clock_timestamp())::float8 "
    "from fetcher where expires > clock_timestamp() order by number"
)
_LEAST_ID = -(1 << 63)


class StatusQueries(WholeTables):
    """The reader of a web, and what a look at a crawl asks it."""

    def work_left(self) -> list[TaskWork]:
        """Return all tasks with the requests that are left for them, in one snapshot."""
        asked = queries.ask_tasks()
        rows = self._reader.query(_WORK.format(tasks=asked.sql), asked.values)
        notes = queries.to_tasks(row[:-2] for row in rows)
        return [TaskWork(note, row[-2], row[-1]) for note, row in zip(notes, rows, strict=True)]

    def hosts_by(self, order: HostOrder, most: int, task: int = 0) -> list[HostWork]:
        """Return hosts in this order: all of them, or those at which requests of a task wait."""
        names = "select name from queue"
        if not task and order != "next turn":
            names += " union select name from host"
        if order == "waiting" and most >= 0:
            found = self._query_hosts(_LONGEST, order, most, task, most)
            if len(found) == most or task:
                return found
        return self._query_hosts(names, order, most, task)

    def _query_hosts(
        self, names: str, order: HostOrder, most: int, task: int, *chosen: int
    ) -> list[HostWork]:
        query = _HOSTS.format(these="where task = %s" if task else "", names=names, order=_ORDERS[order])
        values = (*((task,) if task else ()), *chosen, queries.limit(most))
        rows = self._reader.query(query, values)
        return [record_rows.row_to_record(HostWork, restore_row(row)) for row in rows]

    def deepest_waiting(self) -> dict[int, int]:
        """Return the greatest depth among the waiting requests of each task."""
        return dict(self._reader.query("select task, max(depth) from request group by task"))

    def task_visits(
        self, task: int, result: str, before: int, most: int
    ) -> tuple[list[tuple[int, Visit]], int]:
        """Return the visits of a task with a result, newest first, and the number of the oldest one read."""
        rows, oldest = self._read_back("visit", queries.VISIT_COLUMNS, "result", (task, result), before, most)
        return [(row[0], queries.to_visit(row[1:])) for row in rows], oldest

    def task_decisions(
        self, task: int, rule: str, before: int, most: int
    ) -> tuple[list[tuple[int, Decision]], int]:
        """Return the stored decisions of a task by a rule, newest first."""
        rows, oldest = self._read_back(
            "decision", queries.DECISION_COLUMNS, "rule", (task, escape_nul(rule)), before, most
        )
        return [(row[0], queries.to_decision(row[1:])) for row in rows], oldest

    def visits_of_pages(self, page_ids: Iterable[int]) -> dict[int, list[Visit]]:
        """Return all visits to each of these pages, oldest first; pages without one are left out."""
        these = f"select {queries.VISIT_COLUMNS} from visit where page = any(%s) order by number"
        found: dict[int, list[Visit]] = {}
        for row in self._reader.query(these, (pack_array(Int8s, [*page_ids]),)):
            visit = queries.to_visit(row)
            found.setdefault(visit.page, []).append(visit)
        return found

    def some_known_urls(self, after: int, most: int) -> list[tuple[int, int, str]]:
        """Return the places, ids and URLs of the known pages after a place."""
        # They are sorted by id, which may be negative; a place is not.
        these = "select id, url from known where id >= %s::bigint order by id limit %s"
        found = self._reader.query(these, (min(after + _LEAST_ID, -_LEAST_ID - 1), most))
        return [
            (page_id - _LEAST_ID + 1, page_id, url)
            for page_id, url in found
            if page_id - _LEAST_ID + 1 > after
        ]

    def read_fetchers(self) -> list[tuple[int, str, str, bytes, float]]:
        """Return the fetchers that are present: number, name, machine, what each says about itself, and the time."""
        return [(row[0], *restore_row(row[1:3]), row[3], row[4]) for row in self._reader.query(_FETCHERS)]

    def _read_back(
        self, table: str, columns: str, key: str, wanted: tuple[int, str], before: int, most: int
    ) -> tuple[list[Row], int]:
        """Return the rows of a task among the next ones before a number, and the number of the oldest that was read."""
        these = "where number < %s::bigint " if before else ""
        values = (before, most) if before else (most,)
        query = (
            f"with recent as materialized (select * from {table} {these}order by number desc limit %s) "
            f"select number, {columns}, (select count(*) from recent), (select min(number) from recent) from recent "
            f"where task = %s and {key} = %s order by number desc"
        )
        found = self._reader.query(query, (*values, *wanted))
        if found:
            read, oldest = found[0][-2:]
            return [row[:-2] for row in found], oldest if read == most else 0
        ends = f"select count(*), min(number) from (select number from {table} {these}order by number desc limit %s) as recent"
        read, oldest = self._reader.query(ends, values)[0]
        return [], oldest if read == most else 0
