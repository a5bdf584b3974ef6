"""Check the state of a web: SQLite's own check, every row of every table, ids, links, visits and totals."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from gossamer.net import url as urls
from gossamer.records import Request
from gossamer.store.sqlite.open_database import READ_ERRORS
from gossamer.store.verify.check_links import Ids, check_links, report_unknown
from gossamer.store.verify.findings import Findings

OnRows = Callable[[int], None]

TABLES = (
    *("page", "known", "link", "visit", "decision", "task", "host", "request", "inbox", "widening", "budget"),
    *("waiting", "seen", "note", "archive", "run", "sorted", "total"),
)
_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "real": (float,),
    "text": (bytes,),
    "blob": (bytes, type(None)),
}
_ROWS_AT_ONCE = 1000
_MESSAGES = 20
_KEY_BYTES = 8
_INDEX_WORDS = (
    "wrong # of entries in index",
    "missing from index",
    "non-unique entry in index",
    "row not in index",
)


def _check_length(packed: bytes) -> None:
    if len(packed) % _KEY_BYTES:
        raise ValueError("not whole numbers")


_DECODE: dict[tuple[str, str], Callable[[bytes], object]] = {
    ("page", "marks"): msgspec.json.Decoder(dict[str, str]).decode,
    ("task", "spec"): msgspec.json.Decoder(dict[str, Any]).decode,
    ("task", "counts"): msgspec.json.Decoder(dict[str, int]).decode,
    ("inbox", "request"): msgspec.msgpack.Decoder(Request).decode,
    ("seen", "keys"): _check_length,
    ("sorted", "keys"): _check_length,
    ("sorted", "numbers"): _check_length,
}


class StateCheck:
    """Checks an open database; texts come from it as bytes, so that rows with damaged ones can be read.

    Cost: SQLite's check and one more pass over all rows; memory for the ids of all known pages, eight bytes each.
    """

    def __init__(self, db: sqlite3.Connection, findings: Findings) -> None:
        self._db = db
        self._findings = findings

    def count_rows(self) -> int:
        """Count the rows of all tables that can be counted."""
        return sum(self._ask(f"select count(*) from {table}", 0) for table in TABLES)

    def check(self, on_rows: OnRows) -> None:
        """Check everything; `on_rows` receives how many rows were read since its last call."""
        self._check_sqlite()
        for table in TABLES:
            self._check_table(table, on_rows)
        known = self._read_known()
        self._check_links(known)
        self._check_visits(known)
        self._check_totals()
        self._check_late_index()

    def _check_sqlite(self) -> None:
        try:
            said = [
                row[0].decode("utf-8", "replace")
                for row in self._db.execute(f"pragma integrity_check({_MESSAGES})")
            ]
        except READ_ERRORS as error:
            said = [str(error)]
        for message in said:
            if message != "ok":
                in_index = any(words in message for words in _INDEX_WORDS)
                self._findings.add("sqlite index" if in_index else "sqlite", message.splitlines()[-1])

    def _check_table(self, table: str, on_rows: OnRows) -> None:
        """Check that each value of each row has the type of its column, and can be decoded."""
        columns = [
            (row[1].decode(), row[2].decode().lower())
            for row in self._db.execute(f"pragma table_info({table})")
        ]
        types = [_TYPES.get(kind, (bytes, int, float, type(None))) for _, kind in columns]
        texts = [at for at, (_, kind) in enumerate(columns) if kind == "text"]
        decoders = [
            (at, _DECODE[table, name]) for at, (name, _) in enumerate(columns) if (table, name) in _DECODE
        ]
        place = {name: at for at, (name, _) in enumerate(columns)}
        with_url = (place["id"], place["url"]) if table in ("page", "known") else None
        for rows in self._read_pieces(table):
            for row in rows:
                try:
                    if not all(map(isinstance, row, types)):
                        raise TypeError("a value of another type")
                    for at in texts:
                        row[at].decode()
                    for at, decode in decoders:
                        decode(row[at])
                except (ValueError, TypeError, msgspec.MsgspecError) as error:
                    self._findings.add("unreadable row", f"{table} {_name_row(row)}: {error}")
                    continue
                if with_url and urls.page_id(row[with_url[1]].decode()) != row[with_url[0]]:
                    self._findings.add("wrong id", row[with_url[1]].decode())
            self._findings.check(f"rows of {table}", len(rows))
            on_rows(len(rows))

    def _read_pieces(self, table: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a table in pieces; end at the first that cannot be read."""
        try:
            found = self._db.execute(f"select * from {table}")
            while rows := list(islice(found, _ROWS_AT_ONCE)):
                yield rows
        except READ_ERRORS as error:
            self._findings.add("unreadable row", f"{table}: {error}")

    def _read_known(self) -> Ids:
        """Return the ids of all known pages, ascending; 0, the source of start pages, is one of them."""
        found = [np.zeros(1, np.int64)]
        for table in ("page", "known"):
            for rows in self._read_pieces(table):
                at = 1  # both have their number first and their id second
                found.append(np.array([row[at] for row in rows if type(row[at]) is int], np.int64))
        return np.unique(np.concatenate(found))

    def _check_links(self, known: Ids) -> None:
        for rows in self._read_pieces("link"):
            check_links(rows, known, self._findings)

    def _check_visits(self, known: Ids) -> None:
        for table in ("visit",):
            for rows in self._read_pieces(table):
                pages = [row[1] for row in rows if type(row[1]) is int]
                report_unknown("unknown visit", np.array(pages, np.int64), known, self._findings)

    def _check_totals(self) -> None:
        for name, stored, counted in TOTALS:
            right, wrong = self._ask(counted, 0), self._ask(stored, 0)
            if right != wrong:
                self._findings.add("totals", f"{name}: {wrong:,} instead of {right:,}")

    def _check_late_index(self) -> None:
        """Check that runs list exactly the rows up to their ends."""
        for table in LATE_TABLES:
            upto = self._ask(f"select coalesce(max(upto), 0) from run where name = '{table}'", 0)
            keys = self._ask(f"select coalesce(sum(length(keys)), 0) from sorted where name = '{table}'", 0)
            numbers = self._ask(
                f"select coalesce(sum(length(numbers)), 0) from sorted where name = '{table}'", 0
            )
            count = "coalesce(sum(links), 0)" if table == "link" else "count(*)"
            rows = self._ask(f"select {count} from {table} where number <= {int(upto)}", 0)
            # Rows of links are deleted when their page is read again, and all rows of pages that are forgotten; their keys
            # stay until the next sorting.
            fits = keys >= _KEY_BYTES * rows
            if keys != numbers or not fits:
                self._findings.add("late index", table)

    def _ask(self, query: str, otherwise: int) -> int:
        """Return the number that a query selects."""
        try:
            found = self._db.execute(query).fetchone()
        except READ_ERRORS:
            return otherwise
        return found[0] if found and type(found[0]) is int else otherwise


LATE_TABLES = ("known", "visit", "decision", "link")
TOTALS = (
    (
        "links",
        "select value from total where name = 'links'",
        "select coalesce(sum(links), 0) from link",
    ),
    (
        "waiting requests",
        "select coalesce(sum(requests), 0) from waiting",
        "select count(*) from request",
    ),
)
"""Stored totals: name, query of the stored value, query that counts."""


def _name_row(row: tuple[Any, ...]) -> str:
    first = row[0]
    return first.decode("utf-8", "replace")[:100] if isinstance(first, bytes) else str(first)
