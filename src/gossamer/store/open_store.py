"""Open the state of a web, wherever it is."""

from pathlib import Path

from gossamer.store.batch import Store
from gossamer.store.open_archive import DATABASE
from gossamer.store.sqlite.sqlite_store import SqliteStore

STATE = "state.sqlite"
"""The file of a web's state, in its folder."""


def open_store(folder: Path, create: bool = False, read_only: bool = False) -> Store:
    """Open the state of the web in this folder; of a web in a database, that database."""
    if not (folder / DATABASE).exists():
        return SqliteStore(folder / STATE, create=create, read_only=read_only)
    from gossamer.store.postgres.postgres_store import PostgresStore
    from gossamer.store.web_location import read_database

    return PostgresStore(read_database(folder), create=create, read_only=read_only)
