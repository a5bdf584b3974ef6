"""Open the state of a web, wherever it is."""

from contextlib import suppress
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.sqlite.sqlite_store import SqliteStore

STATE = "state.sqlite"
"""The file of a web's state, in its folder."""
UNFINISHED_COPY = "unfinished-copy"
"""A file that is in a folder as long as a web is being copied to it; it holds the command that does so."""


def open_store(folder: Path, create: bool = False, read_only: bool = False) -> Store:
    """Open the state of the web in this folder; of a web in a database, that database."""
    check_copy_finished(folder)
    if not (folder / DATABASE).exists():
        return SqliteStore(folder / STATE, create=create, read_only=read_only)
    from gossamer.store.opening.web_location import read_database
    from gossamer.store.postgres.postgres_store import PostgresStore

    return PostgresStore(read_database(folder), create=create, read_only=read_only)


def check_copy_finished(folder: Path) -> None:
    """Raise BadInput if a web was being copied to this folder and the copy did not end."""
    with suppress(FileNotFoundError):
        command = (folder / UNFINISHED_COPY).read_text("utf-8", "replace")
        raise BadInput(
            f"{folder} is the unfinished copy of another web: run the same command again, {command}"
        )
