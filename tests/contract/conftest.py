"""Fixtures for the tests that every store must pass; SQLite is the first."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.contract.rows import Open

from gossamer.store.batch import Store
from gossamer.store.sqlite.sqlite_store import SqliteStore


@pytest.fixture(params=["sqlite"])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return a function that opens the same web at each call, and creates it at the first."""
    return {"sqlite": partial(SqliteStore, tmp_path / "state.sqlite", create=True)}[request.param]


@pytest.fixture
def store(opens: Open) -> Iterator[Store]:
    opened = opens()
    yield opened
    opened.close()
