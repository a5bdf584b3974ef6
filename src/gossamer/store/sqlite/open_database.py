"""Open the SQLite file of a web, and explain in one sentence why it cannot be opened, read or written."""

import os
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.store.sqlite.schema import APPLICATION, TABLES, UPGRADES, VERSION
from gossamer.store.sqlite.views import drop_views, make_views, read_writer

# A check reads the whole file, 0.2 s at this size. Damage in larger files shows when they are read.
_CHECKED_UP_TO_BYTES = 1 << 26
# Readers that add to the late index lock the file for milliseconds, other shards for a commit.
WAIT_FOR_OTHERS_S = 60.0
_FULL_BELOW_BYTES = 1 << 16
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
READ_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading may raise: the second if a message of SQLite itself quotes damaged text."""

_WRITER = (
    "journal_mode = wal",
    "synchronous = normal",
    "cache_size = -131072",
    "wal_autocheckpoint = 4000",
    "journal_size_limit = 67108864",
)
_READER = ("query_only = on", "cache_size = -32768")


def open_writer(path: Path, create: bool) -> sqlite3.Connection:
    """Open a web for writing; with `create`, make it if it does not exist. Files that are not webs stay unchanged."""
    return _open(path, "rwc" if create else "rw", create, _WRITER)


def open_reader(path: Path, checked: bool = False) -> sqlite3.Connection:
    """Open a web for reading, also in a read-only folder; `checked` skips the check for damage."""
    return _open(path, _choose_reader_mode(path), False, _READER, checked)


def open_unchecked(path: Path, write: bool = False) -> sqlite3.Connection:
    """Open a web that may be damaged, to check or repair it; texts come as bytes, whatever they hold."""
    try:
        _check_path(path, create=False)
        db = _connect(path, "rw" if write else _choose_reader_mode(path))
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from None
    except READ_ERRORS as error:
        raise _explain_open_failure(path, error) from None
    try:
        _check_application(db, path, create=False)
    except BaseException as error:
        db.close()
        if isinstance(error, READ_ERRORS):
            raise _explain_open_failure(path, error) from None
        raise
    db.text_factory = bytes
    return db


def make_reader_uri(path: Path) -> str:
    """Return the URI with which SQLite opens a web for reading."""
    return _make_uri(path, _choose_reader_mode(path))


def _choose_reader_mode(path: Path) -> str:
    # Without a write-ahead log, and in a folder where none can be created, the file cannot change.
    frozen = not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()
    return "ro&immutable=1" if frozen else "ro"


def _make_uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _open(
    path: Path, mode: str, create: bool, settings: tuple[str, ...], checked: bool = False
) -> sqlite3.Connection:
    try:
        _check_path(path, create)
        if create and not path.exists():
            # SQLite would create it without write permission for the group, whatever the umask is.
            with suppress(OSError):  # SQLite explains why
                path.touch(mode=0o666)
        db = _connect(path, mode)
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from None
    except READ_ERRORS as error:
        raise _explain_open_failure(path, error) from None
    try:
        _check_application(db, path, create)
        if settings is _WRITER:
            _upgrade(db)
        check_version(db, path)
        if not checked and path.stat().st_size <= _CHECKED_UP_TO_BYTES:
            _check_for_damage(db, path)
        for setting in settings:
            db.execute(f"pragma {setting}")
        if settings is _WRITER:
            make_views(db, VERSION)
    except BaseException as error:
        db.close()
        if isinstance(error, READ_ERRORS):
            raise _explain_open_failure(path, error) from None
        raise
    return db


def explain_failure(
    path: Path, error: sqlite3.Error | UnicodeDecodeError, doing: Literal["written", "read"]
) -> GossamerError:
    """Return an exception that explains why an open web could not be `written` or `read`."""
    code = _error_code(error)
    if code in _DAMAGED:
        found: type[GossamerError] = BadInput if doing == "read" else StoreFailed
        return found(f"{path} is damaged ({_quote(error)}): {_MEND}")
    full = _is_full(path, code)
    why = "the disk is full" if full else _WHY.get(code, _quote(error))
    return StoreFailed(f"{path} could not be {doing}: {why}", full)


_MEND = "make a new web from its archive with `gossamer import`"
_WHY = {
    sqlite3.SQLITE_BUSY: "another program keeps it locked",
    sqlite3.SQLITE_IOERR: "the system reports a disk I/O error",
}


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        _make_uri(path, mode),
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=WAIT_FOR_OTHERS_S,
        cached_statements=256,
    )


def _check_path(path: Path, create: bool) -> None:
    """Raise `BadInput` unless the path is a usable file, before SQLite touches it."""
    if path.is_dir():
        raise BadInput(f"{path} is a directory, not the state of a web")
    if path.exists():
        if not os.access(path, os.R_OK):
            raise BadInput(f"no permission to read {path}")
    elif not create:
        raise BadInput(f"there is no web at {path.parent}")
    elif not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent} to create a web in")


def _check_application(db: sqlite3.Connection, path: Path, create: bool) -> None:
    """Check that the file is a web; if it is empty and `create` is set, make it one."""
    if _is_empty(db):
        if not create:
            raise BadInput(f"{path} is empty: there is no web at {path.parent}")
        _create_tables(db)
    if _read_pragma(db, "application_id") != APPLICATION:
        raise BadInput(f"{path} is a database of another program, not a web")


def check_version(db: sqlite3.Connection, path: Path) -> None:
    """Raise `BadInput` if a web is in another format than this program's."""
    version = _read_pragma(db, "user_version")
    if version == VERSION:
        return
    todo = f"update Gossamer{_name_writer(db)}" if version > VERSION else _MEND
    if version in UPGRADES:
        todo = "open it once where it can be written, for example with `gossamer resume`"
    raise BadInput(f"{path} is in format {version} and this Gossamer reads format {VERSION}: {todo}")


def _name_writer(db: sqlite3.Connection) -> str:
    """Return which version of Gossamer reads a web of a later format, as the end of a sentence."""
    program, _ = read_writer(db)
    return f" to version {_quote(program)} or later" if program else ""


def _upgrade(db: sqlite3.Connection) -> None:
    """Upgrade an older web to the present format, one version in each transaction."""
    while _read_pragma(db, "user_version") in UPGRADES:
        db.execute("begin immediate")
        version = _read_pragma(db, "user_version")
        drop_views(db)
        for statement in UPGRADES.get(version, ()):  # empty if another process was faster
            db.execute(statement)
        db.execute(f"pragma user_version = {min(version + 1, VERSION)}")
        db.execute("commit")


def _check_for_damage(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("pragma quick_check(1)").fetchone()[0]
    if found != "ok":
        raise BadInput(f"{path} is damaged ({_quote(found.splitlines()[-1])}): {_MEND}")


def _is_empty(db: sqlite3.Connection) -> bool:
    return not db.execute("select exists (select 1 from sqlite_master)").fetchone()[0]


def _create_tables(db: sqlite3.Connection) -> None:
    db.execute("pragma page_size = 8192")
    db.execute("pragma journal_mode = wal")
    db.execute("begin immediate")
    try:
        if _is_empty(db):  # another shard may have been faster
            for statement in TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"pragma application_id = {APPLICATION}")
            db.execute(f"pragma user_version = {VERSION}")
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def _read_pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"pragma {name}").fetchone()[0])


def _explain_open_failure(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> GossamerError:
    code = _error_code(error)
    if _is_full(path, code):
        return StoreFailed(f"{path} cannot be opened: the disk is full", full=True)
    if code == sqlite3.SQLITE_NOTADB:
        return BadInput(f"{path} is not the state of a web")
    if code == sqlite3.SQLITE_CORRUPT:
        return BadInput(f"{path} is damaged ({_quote(error)}): {_MEND}")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return BadInput(f"no permission to write {path} and its folder")
    return BadInput(f"{path} cannot be opened: {_WHY.get(code, _quote(error))}")


def _quote(error: object) -> str:
    """Return a message of SQLite; it may quote damaged names and texts, which no terminal should get."""
    if _is_undecodable(error):
        return "a text in it is not UTF-8"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(error))


def _is_undecodable(error: object) -> bool:
    return isinstance(error, UnicodeDecodeError) or str(error).startswith("Could not decode to UTF-8")


def _error_code(error: sqlite3.Error | UnicodeDecodeError) -> int:
    """Return the primary code of an error; 0 if SQLite did not raise it."""
    if _is_undecodable(error):
        return sqlite3.SQLITE_CORRUPT
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _is_full(path: Path, code: int) -> bool:
    """Return whether the disk is full; files that SQLite keeps beside the database then fail with other codes."""
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        return shutil.disk_usage(path.parent).free < _FULL_BELOW_BYTES
    return code == sqlite3.SQLITE_FULL
