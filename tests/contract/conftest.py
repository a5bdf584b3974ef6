"""Fixtures for the tests that every store must pass."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.contract.rows import Open

from gossamer.store.batch import Store
from gossamer.store.sqlite.sqlite_store import SqliteStore


@pytest.fixture(params=["sqlite", "postgres"])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return a function that opens the same web at each call, and creates it at the first."""
    if request.param == "sqlite":
        return partial(SqliteStore, tmp_path / "state.sqlite", create=True)
    address = request.getfixturevalue("postgres_web")
    from gossamer.store.postgres.postgres_store import PostgresStore

    return partial(PostgresStore, address, create=True)


@pytest.fixture
def store(opens: Open) -> Iterator[Store]:
    opened = opens()
    yield opened
    opened.close()
