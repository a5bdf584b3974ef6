"""Open the file of a journal: its tables, and what its errors mean."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gossamer.errors import BadInput, StoreFailed

VERSION = 1
_BUSY_S = 10.0
_SCHEMA = """
CREATE TABLE entry (name TEXT PRIMARY KEY, key TEXT NOT NULL, upto_s REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE run (
    number INTEGER PRIMARY KEY, entry TEXT NOT NULL, due_s REAL NOT NULL, state TEXT NOT NULL, asked_by TEXT NOT NULL,
    tries INTEGER NOT NULL, began_s REAL NOT NULL, ended_s REAL NOT NULL, not_before_s REAL NOT NULL, code INTEGER NOT NULL,
    why TEXT NOT NULL, news INTEGER NOT NULL);
CREATE UNIQUE INDEX run_once ON run (entry, due_s, asked_by);
CREATE INDEX run_open ON run (state) WHERE state IN ('waiting', 'running');
CREATE TABLE missed (
    number INTEGER PRIMARY KEY, entry TEXT NOT NULL, first_s REAL NOT NULL, last_s REAL NOT NULL, times INTEGER NOT NULL,
    why TEXT NOT NULL, told_s REAL NOT NULL);
CREATE INDEX missed_entry ON missed (entry, last_s);
CREATE TABLE event (number INTEGER PRIMARY KEY, when_s REAL NOT NULL, text TEXT NOT NULL);
CREATE TABLE wish (number INTEGER PRIMARY KEY, entry TEXT NOT NULL, asked_by TEXT NOT NULL, when_s REAL NOT NULL);
CREATE TABLE seen (entry TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (entry, key)) WITHOUT ROWID;
CREATE TABLE notice (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, channel TEXT NOT NULL, entry TEXT NOT NULL, subject TEXT NOT NULL,
    text TEXT NOT NULL, items BLOB NOT NULL, created_s REAL NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
    next_s REAL NOT NULL, why TEXT NOT NULL);
CREATE INDEX notice_open ON notice (state) WHERE state = 'waiting';
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def open_database(path: Path, create: bool) -> sqlite3.Connection:
    """Open the database of a journal, and make its tables if it is new."""
    if not create and not path.exists():
        raise BadInput(f"there is no journal {path} yet; `gossamer run` writes it")
    with explain_failures(path):
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0 and create:
                connection.executescript(
                    f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
                )
            elif version == 0:
                raise BadInput(f"there is no journal {path} yet; `gossamer run` writes it")
            elif version != VERSION:
                raise BadInput(
                    f"{path} is in format {version} and this Gossamer reads format {VERSION}: update Gossamer"
                )
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def explain_failures(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        full = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        what = "the disk is full" if "full" in str(error) else str(error)
        raise StoreFailed(f"the journal {path} cannot be written or read: {what}", full) from None
