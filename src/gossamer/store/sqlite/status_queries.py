"""What a look at a crawl asks a web in SQLite: the work that is left, hosts, and the documents behind a count."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from collections import Counter

from gossamer.errors import make_damage_error
from gossamer.records import Decision, Visit
from gossamer.store import record_rows
from gossamer.store.batch import HostOrder, HostWork, TaskNote, TaskWork
from gossamer.store.record_rows import DatabaseRow
from gossamer.store.sqlite.scan_tables import DECISION_COLUMNS, TableScans
from gossamer.store.sqlite.write_batch import quote_columns

_TASK_COLUMNS = ", ".join(TaskNote.__struct_fields__)
_NO_TASK = ", ".join(["null"] * len(TaskNote.__struct_fields__))
# One statement sees one state.
_WORK = (
    f"select {_TASK_COLUMNS}, (select coalesce(sum(requests), 0) from waiting where task = number), null from task "
    f"union all select {_NO_TASK}, null, request from inbox"
)
_HOSTS = """
with queue (name, requests) as (select host, sum(requests) from waiting {these} group by host),
found (name) as ({names})
select found.name, coalesce(requests, 0) as waiting, coalesce(ready_s, 0.0) as ready_s, coalesce(crawl_delay_s, 0.0),
    coalesce(failures, 0) as failures, coalesce(address, '')
from found left join queue on queue.name = found.name left join host on host.name = found.name
order by {order} limit :most
"""
# The longest queues are chosen before their hosts are looked up.
_LONGEST = "select name from queue order by requests desc, name limit :most"
_ORDERS: dict[HostOrder, str] = {
    "waiting": "waiting desc, found.name",
    "failures": "failures desc, waiting desc, found.name",
    "next turn": "ready_s, waiting desc, found.name",
    "name": "found.name",
}
VISIT_COLUMNS = quote_columns(Visit.__struct_fields__)


class StatusQueries(TableScans):
    """The reader of a web, and what a look at a crawl asks it."""

    def work_left(self) -> list[TaskWork]:
        """Return all tasks with the requests that are left for them, in one snapshot."""
        rows = self._query(_WORK)
        sent = Counter(record_rows.decode_request(row[-1]).task for row in rows if row[-1] is not None)
        tasks = [(record_rows.row_to_task(row[:-2]), row[-2]) for row in rows if row[-1] is None]
        return sorted(
            (TaskWork(note, waiting, sent[note.number]) for note, waiting in tasks),
            key=lambda one: one.note.number,
        )

    def hosts_by(self, order: HostOrder, most: int, task: int = 0) -> list[HostWork]:
        """Return hosts in this order: all of them, or those at which requests of a task wait."""
        names = "select name from queue"
        if not task and order != "next turn":
            names += " union select name from host"
        if order == "waiting" and most >= 0:
            found = self._query_hosts(_LONGEST, order, most, task)
            if len(found) == most or task:
                return found
        return self._query_hosts(names, order, most, task)

    def _query_hosts(self, names: str, order: HostOrder, most: int, task: int) -> list[HostWork]:
        these = "where task = :task" if task else ""
        query = _HOSTS.format(these=these, names=names, order=_ORDERS[order])
        values = {"most": most, "task": task} if task else {"most": most}
        return [record_rows.row_to_record(HostWork, row) for row in self._query(query, values)]

    def deepest_waiting(self) -> dict[int, int]:
        """Return the greatest depth among the waiting requests of each task."""
        return dict(self._query("select task, max(depth) from request group by task"))

    def task_visits(
        self, task: int, result: str, before: int, most: int
    ) -> tuple[list[tuple[int, Visit]], int]:
        """Return the visits of a task with a result, newest first, and the number of the oldest one read."""
        rows, oldest = self._read_back("visit", VISIT_COLUMNS, "result", (task, result), before, most)
        return [(row[0], record_rows.row_to_record(Visit, row[1:])) for row in rows], oldest

    def task_decisions(
        self, task: int, rule: str, before: int, most: int
    ) -> tuple[list[tuple[int, Decision]], int]:
        """Return the stored decisions of a task by a rule, newest first."""
        rows, oldest = self._read_back("decision", DECISION_COLUMNS, "rule", (task, rule), before, most)
        return [(row[0], record_rows.row_to_record(Decision, row[1:])) for row in rows], oldest

    def some_known_urls(self, after: int, most: int) -> list[tuple[int, int, str]]:
        """Return the places, ids and URLs of the known pages after a place."""
        found = self._query(
            "select number, id, url from known where number > ? order by number limit ?", (after, most)
        )
        if not all(type(page_id) is int and type(url) is str for _, page_id, url in found):
            raise make_damage_error("the URL of a page")
        return [(number, page_id, url) for number, page_id, url in found]

    def _read_back(
        self, table: str, columns: str, key: str, wanted: tuple[int, str], before: int, most: int
    ) -> tuple[list[DatabaseRow], int]:
        """Return the rows of a task among the next ones before a number, and the number of the oldest that was read."""
        newest = f"select coalesce(max(number), 0) + 1 from {table}"
        upto = before or record_rows.to_count(self._query_one(newest))
        oldest = max(1, upto - most)  # numbers have no gaps
        these = (
            f"select number, {columns} from {table} where number >= ? and number < ? and task = ? and {key} = ? "
            "order by number desc"
        )
        return self._query(these, (oldest, upto, *wanted)), oldest if oldest > 1 else 0
