"""A batch that the server refuses leaves nothing behind, and its reason is one sentence."""

import pytest
from tests.cluster.database import Database
from tests.contract.rows import make_request, page

from gossamer.errors import BadInput, StoreAway, StoreFailed
from gossamer.store.batch import Batch
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.connect import explain_connect_failure, explain_failure
from gossamer.store.postgres.postgres_store import PostgresStore

psycopg = pytest.importorskip("psycopg")
ADDRESS = parse_address("postgresql://me@db.example/crawl")


@pytest.mark.parametrize("requests", [2, 1500], ids=["in the pipeline", "by COPY"])
def test_a_batch_with_a_request_that_is_there_already_leaves_no_trace(
    store: PostgresStore, requests: int
) -> None:
    store.commit(Batch(requests=[make_request(requests)]))
    twice = Batch(pages=[page(1)], requests=[make_request(number) for number in range(1, requests + 1)])
    with pytest.raises(StoreFailed, match="duplicate key"):
        store.commit(twice)
    assert (store.counts()["pages"], store.counts()["waiting"]) == (0, 1)
    store.commit(Batch(pages=[page(1)]))
    assert store.counts()["pages"] == 1


def test_a_server_that_allows_reading_only_is_told(database: Database, store: PostgresStore) -> None:
    database.execute(f"alter database {database.name} set default_transaction_read_only = on")
    try:
        with pytest.raises(StoreFailed, match="allows reading only"):
            database.open().commit(Batch(pages=[page(1)]))
    finally:
        database.execute(
            f"set transaction read write; alter database {database.name} reset default_transaction_read_only"
        )
    assert store.counts()["pages"] == 0


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        ("DiskFull", StoreFailed, "the disk of the server is full"),
        ("OutOfMemory", StoreAway, "raise max_locks_per_transaction"),
        ("AdminShutdown", StoreAway, "the connection was lost"),
        ("CannotConnectNow", StoreAway, "the connection was lost"),
        ("TooManyConnections", StoreAway, "the connection was lost"),
        ("LockNotAvailable", StoreAway, "another program keeps it locked"),
        ("InsufficientPrivilege", StoreFailed, "this user lacks the rights"),
        ("UndefinedTable", BadInput, "lacks a table of a web"),
        ("DataError", StoreFailed, "could not be written"),
    ],
)
def test_failures_are_explained(error: str, kind: type[Exception], words: str) -> None:
    explained = explain_failure(ADDRESS, getattr(psycopg.errors, error)("some\x1b[31m words"), "written")
    assert type(explained) is kind
    assert words in str(explained)
    assert str(explained).startswith("postgresql://me@db.example/crawl")
    assert str(explained).isprintable()
    assert getattr(explained, "full", False) == (error == "DiskFull" or kind is StoreAway)


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        (
            'FATAL:  password authentication failed for user "me"',
            BadInput,
            "does not accept this user and password",
        ),
        ("fe_sendauth: no password supplied", BadInput, "PGPASSWORD"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1"', BadInput, "from this machine"),
        ("server does not support SSL, but SSL was required", BadInput, "does not offer TLS"),
        ('root certificate file "/x" does not exist', BadInput, "root certificate file"),
        ("Connection refused", StoreAway, "cannot be reached: Connection refused"),
    ],
)
def test_refused_connections_are_explained(message: str, kind: type[Exception], words: str) -> None:
    explained = explain_connect_failure(
        ADDRESS, psycopg.OperationalError(f"connection failed: {message}\nmore")
    )
    assert type(explained) is kind
    assert words in str(explained)
