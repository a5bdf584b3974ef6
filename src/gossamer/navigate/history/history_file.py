"""The file of a history: SQLite with full-text search, readable by its owner alone, in which what was deleted is overwritten.

It stands in the configuration folder, never in a web: webs are copied, served and shared, and what a person reads is not.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from gossamer.errors import BadInput

_VERSION = 1
_BUSY_S = 30.0
_SCHEMA = """
create table page (
    number integer primary key,
    id integer not null unique,  -- fingerprint of the URL
    url text not null,
    host text not null,
    site text not null,
    title text not null,
    described_s real not null,  -- when title and text were read
    last_s real not null,
    seconds real not null,
    visits integer not null
);
create index page_last on page (last_s);
create index page_site on page (site);
create index page_host on page (host);
create table visit (
    page integer not null,
    opened_s real not null,
    seconds real not null,
    origin integer not null,  -- id of the page from which the reader came; 0 for none
    primary key (page, opened_s)
) without rowid;
create index visit_opened on visit (opened_s);
create index visit_origin on visit (origin);
create virtual table words using fts5 (title, text, address, tokenize = 'porter unicode61 remove_diacritics 2');
create table task (name text primary key);
"""


@contextmanager
def open_history(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Lend a history; None if there is none yet. Raise `BadInput` if it cannot be read or written."""
    if path.exists():
        with make_history(path) as db:
            yield db
    else:
        yield None


@contextmanager
def make_history(path: Path) -> Iterator[sqlite3.Connection]:
    """Lend a history, and make it if there is none. Raise `BadInput` if it cannot be read or written."""
    try:
        _make_private(path)
        with closing(sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)) as db:
            _prepare(db, path)
            yield db
    except sqlite3.DatabaseError as error:
        raise BadInput(
            f"the history in {path} cannot be used: {error}; if it is damaged, remove the file, and import what you exported"
        ) from None
    except OSError as error:
        raise BadInput(f"the history cannot be kept in {path}: {error.strerror}") from None


@contextmanager
def change(db: sqlite3.Connection) -> Iterator[None]:
    """Change a history in one transaction: all of it, or nothing."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def note_erasing(db: sqlite3.Connection) -> None:
    """Note, in the transaction that deletes something, that the file is to be written anew."""
    db.execute("insert or ignore into task values ('erase')")


def finish_erasing(db: sqlite3.Connection) -> None:
    """Write the index and the file anew, without what was deleted; if that is interrupted, the next process that opens it continues.

    Deleted rows are overwritten at once, but the index of words keeps entries until its parts are merged, and pages of the file keep
    remains where rows were moved.
    """
    db.execute("insert into words (words) values ('optimize')")
    db.execute("vacuum")
    db.execute("delete from task where name = 'erase'")


def _make_private(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    # No write-ahead log: it would keep what was forgotten until it is reused.
    db.execute("pragma journal_mode = delete")
    db.execute("pragma secure_delete = on")
    db.execute("pragma temp_store = memory")
    version = db.execute("pragma user_version").fetchone()[0]
    if version > _VERSION:
        raise BadInput(f"{path} was written by a newer version of Gossamer; use that one")
    if not version:
        with change(db):
            if not db.execute("pragma user_version").fetchone()[0]:
                for statement in _SCHEMA.split(";\n"):
                    db.execute(statement)
                db.execute(f"pragma user_version = {_VERSION}")
    if db.execute("select 1 from task where name = 'erase'").fetchone():
        finish_erasing(db)
