"""The journal of a runner: what was due, started, ended and missed, and what is still to be told.

One process writes runs; others read, and ask for a run. What a moment brings is written in one transaction, so that a kill leaves
all of it or nothing.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gossamer.schedule.journal.journal_records import (
    EntryState,
    JournalEvent,
    MissedRuns,
    NewsItem,
    Notice,
    Run,
)
from gossamer.schedule.journal.open_journal import explain_failures, open_database

FILE_NAME = "journal.db"
_RUN = ", ".join(Run.__struct_fields__)
_MISSED = ", ".join(MissedRuns.__struct_fields__)
_NOTICE = ", ".join(Notice.__struct_fields__)
_ITEMS = msgspec.msgpack.Decoder(tuple[NewsItem, ...])
_KEPT_S = 400 * 86_400.0
_KEPT_EVENTS, _KEPT_NOTICES = 2_000, 2_000
Row = TypeVar("Row", Run, MissedRuns)


class Journal:
    """An open journal."""

    def __init__(self, folder: Path, create: bool = False) -> None:
        self.path = folder / FILE_NAME
        self._database = open_database(self.path, create)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def write(self) -> Iterator[None]:
        """Write what happens in the block as one transaction, or nothing of it; blocks may be nested."""
        if self._database.in_transaction:
            yield
            return
        with explain_failures(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with explain_failures(self.path):
            return self._database.execute(sql, values).fetchall()

    # Entries

    def list_entries(self) -> dict[str, EntryState]:
        """Return how far the due times of each entry have been dealt with."""
        return {row[0]: EntryState(*row) for row in self._run("SELECT name, key, upto_s FROM entry")}

    def put_entry(self, state: EntryState) -> None:
        """Write how far an entry has been dealt with."""
        self._run("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", state.name, state.key, state.upto_s)

    def drop_entry(self, name: str) -> None:
        """Forget an entry that is no longer in the schedule; its runs stay."""
        self._run("DELETE FROM entry WHERE name = ?", name)

    # Runs

    def add_run(self, entry: str, due_s: float, asked_by: str = "") -> None:
        """Write that a run is due; one that is known already stays as it is."""
        self._run(
            "INSERT OR IGNORE INTO run VALUES (NULL, ?, ?, 'waiting', ?, 0, 0, 0, 0, 0, '', 0)",
            entry,
            due_s,
            asked_by,
        )

    def put_run(self, run: Run) -> None:
        """Write a run that has changed."""
        names = ", ".join(f"{name} = ?" for name in Run.__struct_fields__[1:])
        self._run(f"UPDATE run SET {names} WHERE number = ?", *msgspec.structs.astuple(run)[1:], run.number)  # noqa: S608

    def drop_run(self, number: int) -> None:
        """Take back that a run is due: the clock was set back before it began."""
        self._run("DELETE FROM run WHERE number = ?", number)

    def list_open(self) -> list[Run]:
        """Return the runs that wait or are under way, the first due first."""
        sql = f"SELECT {_RUN} FROM run WHERE state IN ('waiting', 'running') ORDER BY due_s, number"  # noqa: S608
        return [Run(*row) for row in self._run(sql)]

    def list_runs(self, entry: str = "", most: int = 100) -> list[Run]:
        """Return the last runs, of one entry or of all, the newest first."""
        return self._list_rows(Run, "run", _RUN, "due_s", entry, most)

    def _list_rows(
        self, kind: type[Row], table: str, columns: str, order: str, entry: str, most: int
    ) -> list[Row]:
        where = "WHERE entry = ?" if entry else ""
        sql = f"SELECT {columns} FROM {table} {where} ORDER BY {order} DESC, number DESC LIMIT ?"  # noqa: S608
        return [kind(*row) for row in self._run(sql, *([entry] if entry else []), most)]

    def list_due_times(self, entry: str, after_s: float, until_s: float) -> set[float]:
        """Return the due times of runs that are known, whatever came of them."""
        sql = "SELECT due_s FROM run WHERE entry = ? AND due_s > ? AND due_s <= ? AND asked_by = ''"
        return {row[0] for row in self._run(sql, entry, after_s, until_s)}

    def count_runs(self) -> dict[str, dict[str, int]]:
        """Return how many runs of each entry are in each state."""
        counts: dict[str, dict[str, int]] = {}
        for entry, state, number in self._run("SELECT entry, state, count(*) FROM run GROUP BY entry, state"):
            counts.setdefault(entry, {})[state] = number
        for entry, number in self._run("SELECT entry, sum(times) FROM missed GROUP BY entry"):
            counts.setdefault(entry, {})["missed"] = number
        return counts

    # Missed runs

    def add_missed(
        self, entry: str, first_s: float, last_s: float, times: int, why: str, now_s: float
    ) -> None:
        """Write that an entry was due and did not run."""
        self._run(
            "INSERT INTO missed VALUES (NULL, ?, ?, ?, ?, ?, ?)", entry, first_s, last_s, times, why, now_s
        )

    def list_missed(self, entry: str = "", most: int = 100) -> list[MissedRuns]:
        """Return the last missed runs, the newest first."""
        return self._list_rows(MissedRuns, "missed", _MISSED, "last_s", entry, most)

    def list_missed_after(self, entry: str, after_s: float) -> list[MissedRuns]:
        """Return the missed runs of an entry of which some were due after a moment."""
        sql = f"SELECT {_MISSED} FROM missed WHERE entry = ? AND last_s > ?"  # noqa: S608
        return [MissedRuns(*row) for row in self._run(sql, entry, after_s)]

    def put_missed(self, missed: MissedRuns) -> None:
        """Write missed runs that have changed; none are left if `times` is 0."""
        if not missed.times:
            self._run("DELETE FROM missed WHERE number = ?", missed.number)
            return
        sql = "UPDATE missed SET first_s = ?, last_s = ?, times = ? WHERE number = ?"
        self._run(sql, missed.first_s, missed.last_s, missed.times, missed.number)

    # Events, wishes and facts

    def add_event(self, when_s: float, text: str) -> None:
        """Write what happened to the runner."""
        self._run("INSERT INTO event VALUES (NULL, ?, ?)", when_s, text)

    def list_events(self, most: int = 100) -> list[JournalEvent]:
        """Return the last events, the newest first."""
        sql = "SELECT when_s, text FROM event ORDER BY number DESC LIMIT ?"
        return [JournalEvent(*row) for row in self._run(sql, most)]

    def add_wish(self, entry: str, asked_by: str, when_s: float) -> None:
        """Ask the runner for a run of an entry now."""
        self._run("INSERT INTO wish VALUES (NULL, ?, ?, ?)", entry, asked_by, when_s)

    def list_wishes(self) -> list[tuple[int, str, str]]:
        """Return the wishes that wait: number, entry, and who asked."""
        return [
            (row[0], row[1], row[2])
            for row in self._run("SELECT number, entry, asked_by FROM wish ORDER BY number")
        ]

    def drop_wish(self, number: int) -> None:
        """Remove a wish that was taken up."""
        self._run("DELETE FROM wish WHERE number = ?", number)

    def read_fact(self, name: str) -> str:
        """Return a small value; "" if there is none."""
        rows = self._run("SELECT value FROM fact WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def put_fact(self, name: str, value: str) -> None:
        """Write a small value."""
        self._run("INSERT OR REPLACE INTO fact VALUES (?, ?)", name, value)

    # News and notices

    def has_seen(self, entry: str) -> bool:
        """Say whether anything that an entry found is remembered."""
        return bool(self._run("SELECT 1 FROM seen WHERE entry = ? LIMIT 1", entry))

    def take_new(self, entry: str, items: Iterable[NewsItem]) -> list[NewsItem]:
        """Remember items; return those that were not known."""
        new = []
        for item in items:
            with explain_failures(self.path):
                cursor = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (entry, item.key))
            if cursor.rowcount:
                new.append(item)
        return new

    def add_notice(self, notice: Notice) -> None:
        """Write something that is to be told."""
        row = (*msgspec.structs.astuple(notice)[1:6], msgspec.msgpack.encode(notice.items))
        rest = (notice.created_s, notice.state, notice.tries, notice.next_s, notice.why)
        self._run("INSERT INTO notice VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row, *rest)

    def put_notice(self, notice: Notice) -> None:
        """Write what came of telling."""
        sql = "UPDATE notice SET state = ?, tries = ?, next_s = ?, why = ? WHERE number = ?"
        self._run(sql, notice.state, notice.tries, notice.next_s, notice.why, notice.number)

    def list_notices(self, state: str = "", channel: str = "", most: int = 1_000) -> list[Notice]:
        """Return notices in a state and of a channel, the oldest first; without a channel, of all."""
        sql = (
            f"SELECT {_NOTICE} FROM notice WHERE (? = '' OR state = ?) AND (? = '' OR channel = ?) "  # noqa: S608
            "ORDER BY number DESC LIMIT ?"
        )
        rows = self._run(sql, state, state, channel, channel, most)
        return [Notice(*(*row[:6], _ITEMS.decode(row[6]), *row[7:])) for row in reversed(rows)]

    def forget_old(self, now_s: float) -> None:
        """Remove what is older than 400 days, and all but the last events and told notices."""
        before_s = now_s - _KEPT_S
        with self.write():
            self._run("DELETE FROM run WHERE state IN ('done', 'failed') AND ended_s < ?", before_s)
            self._run("DELETE FROM missed WHERE last_s < ?", before_s)
            self._run("DELETE FROM event WHERE number <= (SELECT max(number) FROM event) - ?", _KEPT_EVENTS)
            sql = "DELETE FROM notice WHERE state != 'waiting' AND number <= (SELECT max(number) FROM notice) - ?"
            self._run(sql, _KEPT_NOTICES)
