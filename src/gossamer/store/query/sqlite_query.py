"""Run a query over the views of a web in SQLite."""

import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from gossamer.errors import BadInput, make_damage_error
from gossamer.store import record_rows
from gossamer.store.sqlite.open_database import READ_ERRORS, explain_failure, open_reader
from gossamer.store.sqlite.views import QUICK_LINKS, UNPACK, VIEWS

_LOOK_EVERY = 10_000
"""Steps of SQLite's machine between two looks at the clock: some tenth of a millisecond."""
_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_UNPACK_FAILED = "user-defined function raised exception"
# They read and write files of the machine.
_FORBIDDEN_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


@contextmanager
def run_sqlite_query(
    path: Path, sql: str, limit_s: float
) -> Iterator[tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]]:
    """Yield the columns and the rows of a query."""
    with closing(open_reader(path)) as db, _Watch(db, limit_s) as watch:
        _prepare(db)
        try:
            cursor = db.execute(sql)
        except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
            raise _explain(path, error, watch) from None
        if cursor.description is None:
            raise BadInput("this is no query: write one that begins with select, with or values")
        yield tuple(column[0] for column in cursor.description), _read_rows(cursor, path, watch)


def _prepare(db: sqlite3.Connection) -> None:
    """Make the views, also in webs of earlier versions, and forbid everything but reading."""
    db.create_function(UNPACK, 3, _unpack_links, deterministic=True)
    db.execute(
        "pragma query_only = off"
    )  # of the file, which is open for reading only; views here are temporary
    db.execute("pragma temp_store = memory")
    for name, query in (VIEWS | {"links": QUICK_LINKS}).items():
        db.execute(f"create temp view {name} as {query}")
    db.execute("pragma query_only = on")
    db.set_authorizer(_authorize)


def _authorize(action: int, _: str | None, name: str | None, *__: str | None) -> int:
    if action not in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and name in _FORBIDDEN_FUNCTIONS):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _unpack_links(targets: bytes, kinds: bytes, texts: bytes) -> bytes | str:
    """Return the links of a page as JSON."""
    columns = zip(record_rows.unpack_keys(targets), kinds, record_rows.unpack_link_texts(texts), strict=True)
    return msgspec.json.encode([*columns]).decode()


def _read_rows(cursor: sqlite3.Cursor, path: Path, watch: "_Watch") -> Iterator[tuple[Any, ...]]:
    try:
        yield from cursor
    except READ_ERRORS as error:
        raise _explain(path, error, watch) from None


def _explain(path: Path, error: Exception, watch: "_Watch") -> BaseException:
    if watch.is_stopped:
        return KeyboardInterrupt()
    if watch.is_late:
        return BadInput(
            f"the query took longer than {watch.limit_s:g} s: narrow it down, or raise --time-limit"
        )
    if isinstance(error, sqlite3.DatabaseError) and error.args[:1] == ("not authorized",):
        return BadInput("a query only reads: write one that begins with select, with or values")
    if isinstance(error, sqlite3.Warning | sqlite3.ProgrammingError):
        return BadInput("write one query at a time")
    if str(error) == _UNPACK_FAILED:
        return make_damage_error("the links of a page")
    if type(error) is sqlite3.OperationalError and error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
        return BadInput(f"this query does not work: {error}")
    if isinstance(error, sqlite3.Error | UnicodeDecodeError):
        return explain_failure(path, error, "read")
    return error


class _Watch:
    """Ends a query that takes too long, or at Ctrl-C: SQLite would otherwise go on to its end."""

    def __init__(self, db: sqlite3.Connection, limit_s: float) -> None:
        self.limit_s = limit_s
        self.is_late = self.is_stopped = False
        self._db = db
        self._until_s = time.monotonic() + limit_s if limit_s else float("inf")
        self._former: Any = None

    def __enter__(self) -> "_Watch":
        if threading.current_thread() is threading.main_thread():
            self._former = signal.signal(signal.SIGINT, self._stop)
        self._db.set_progress_handler(self._must_end, _LOOK_EVERY)
        return self

    def __exit__(self, *error: object) -> None:
        self._db.set_progress_handler(None, 0)
        if self._former is not None:
            signal.signal(signal.SIGINT, self._former)

    def _stop(self, _: int, __: FrameType | None) -> None:
        self.is_stopped = True

    def _must_end(self) -> bool:
        self.is_late = time.monotonic() > self._until_s
        return self.is_late or self.is_stopped
