"""Fixtures for tests with a real PostgreSQL server."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.postgres_server import PostgresServer

if TYPE_CHECKING:  # without psycopg, these cannot be imported, and the tests are skipped
    from tests.cluster.database import Database

    from gossamer.store.postgres.postgres_store import PostgresStore


@pytest.fixture
def database(postgres_server: PostgresServer, postgres_web: str) -> Iterator["Database"]:
    from tests.cluster.database import Database

    made = Database(postgres_server, postgres_web)
    yield made
    made.close()


@pytest.fixture
def store(database: "Database") -> "PostgresStore":
    return database.open()
