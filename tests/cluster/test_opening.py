"""A web in PostgreSQL is made, upgraded and refused with one clear sentence."""

# ruff: noqa: S608 - numbers only

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from tests.cluster.database import Database
from tests.contract.rows import make_request, page
from tests.postgres_server import USER, PostgresServer

from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.store.batch import Batch
from gossamer.store.postgres import open_schema
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.schema import VERSION

MakeRole = Callable[[str], str]


@pytest.fixture
def make_role(database: Database) -> Iterator[MakeRole]:
    """A function that makes a user with some rights, and returns the address of the web for that user."""
    made: list[str] = []

    def make(rights: str) -> str:
        name = f"user_{os.getpid()}_{len(made)}"
        made.append(name)
        database.execute(f"create role {name} login; {rights.format(role=name)}")
        return database.address.replace(f"{USER}@", f"{name}@")

    yield make
    database.close()
    for name in made:
        database.execute(f"drop owned by {name}; drop role {name}")


def explain(call: Callable[[], object], kind: type[GossamerError] = BadInput) -> str:
    """Return the sentence with which something is refused."""
    with pytest.raises(kind) as refused:
        call()
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


def test_a_database_without_a_web_is_refused_unless_one_may_be_made(postgres_server: PostgresServer) -> None:
    address = postgres_server.make_address(postgres_server.make_database())
    assert "there is no web at" in explain(lambda: PostgresStore(address))
    assert "there is no web at" in explain(lambda: PostgresStore(address, create=True, read_only=True))
    other = f"{address}?schema=other_web"
    for each in (address, other, address):
        store = PostgresStore(each, create=True)
        store.commit(Batch(pages=[page(1)]))
        assert store.counts()["pages"] == 1
        store.close()
    assert "gossamer'" not in explain(lambda: PostgresStore(f"{address}?schema=third"))


def test_a_schema_of_another_program_stays_as_it_is(postgres_server: PostgresServer) -> None:
    name = postgres_server.make_database()
    address = postgres_server.make_address(name)
    postgres_server.execute("create schema gossamer; create table gossamer.notes (x int)", name)
    assert "another program" in explain(lambda: PostgresStore(address, create=True))
    postgres_server.execute("create table gossamer.web (x int)", name)
    assert "another program" in explain(lambda: PostgresStore(address, create=True))
    tables = "select count(*) from pg_tables where schemaname = 'gossamer'"
    assert postgres_server.execute(tables, name) == [(2,)]


def test_a_database_with_another_encoding_is_refused(postgres_server: PostgresServer) -> None:
    name = f"latin_{os.getpid()}"
    postgres_server.execute(f"create database {name} encoding 'LATIN1' template template0")
    address = postgres_server.make_address(name)
    assert "needs a database with the encoding UTF8" in explain(lambda: PostgresStore(address, create=True))


def test_a_web_of_a_later_version_is_refused(database: Database) -> None:
    database.execute(f"update web set version = {VERSION + 1}")
    try:
        sentence = explain(lambda: PostgresStore(database.address))
    finally:
        database.execute(f"update web set version = {VERSION}")
    assert re.search(rf"format {VERSION + 1} .* format {VERSION}: update Gossamer", sentence)


def test_a_web_of_an_earlier_version_is_upgraded_when_it_can_be_written(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = postgres_server.make_database()
    address = postgres_server.make_address(name)
    PostgresStore(address, create=True).close()
    upgrade = (
        "alter table host add column colour text not null default ''",
        "create table colour (name text)",
    )
    monkeypatch.setattr(open_schema, "VERSION", VERSION + 1)
    monkeypatch.setattr(open_schema, "UPGRADES", {VERSION: upgrade})
    assert "open it once for writing" in explain(lambda: PostgresStore(address, read_only=True))
    for _ in range(2):
        store = PostgresStore(address)
        store.commit(Batch(pages=[page(1)]))
        store.close()
    assert postgres_server.execute("select version from gossamer.web", name) == [(VERSION + 1,)]
    assert postgres_server.execute("select count(*) from gossamer.colour", name) == [(0,)]


def test_a_web_opened_for_reading_cannot_be_written(database: Database, store: PostgresStore) -> None:
    store.commit(Batch(pages=[page(1)]))
    reader = database.open(read_only=True)
    assert reader.counts()["pages"] == 1
    assert "for reading only" in explain(lambda: reader.commit(Batch()), StoreFailed)


def test_a_user_without_rights_is_told(make_role: MakeRole, postgres_server: PostgresServer) -> None:
    address = make_role("")
    assert "lacks the rights" in explain(lambda: PostgresStore(address), StoreFailed)
    empty = f"{address.rpartition('/')[0]}/{postgres_server.make_database()}"
    assert "lacks the rights" in explain(lambda: PostgresStore(empty, create=True), StoreFailed)


def test_few_rights_are_enough(make_role: MakeRole, store: PostgresStore) -> None:
    rights = (
        "grant usage on schema gossamer to {role}; grant select on all tables in schema gossamer to {role};"
    )
    reader = PostgresStore(make_role(rights), read_only=True)
    more = "grant insert, update, delete on all tables in schema gossamer to {role}"
    writer = PostgresStore(make_role(rights + more))
    writer.commit(Batch(pages=[page(1)], requests=[make_request(1)], sent=[(1, make_request(2))]))
    assert reader.counts()["pages"] == writer.counts()["pages"] == 1
    assert len(reader.inbox(1, 2)) == 1
    assert reader.count_links_to(1) == 0
    reader.close()
    writer.close()


def test_numbers_go_on_after_a_restore_on_another_server(database: Database, store: PostgresStore) -> None:
    store.commit(Batch(sent=[(1, make_request(1))], pages=[page(1)]))
    [(before, _)] = store.inbox(1, 2)
    # On the former server, there had been a million more transactions.
    database.execute(f"update inbox set number = number + {1_000_000 << 22}")
    assert store.inbox(1, 2) == []
    database.execute("update web set server = 'former'")
    try:
        again = database.open()
        [(number, _)] = again.inbox(1, 2)
        assert number == before + (1_000_000 << 22)
        again.commit(Batch(sent=[(1, make_request(2))]))
        numbers = [each for each, _ in again.inbox(1, 2)]
        assert numbers == sorted(numbers)
        assert len(numbers) == 2
    finally:
        database.execute("update web set transactions_before = 0")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("postgresql://nobody@{folder}/shared_web", "there is no such user"),
        ("postgresql://gossamer@{folder}/nothing", "there is no such database"),
        ("postgresql://gossamer@127.0.0.1:1/web", "cannot be reached"),
        ("postgresql://gossamer@{folder}/shared_web?sslmode=wrong", "invalid sslmode value"),
    ],
)
def test_an_address_that_leads_nowhere_is_explained(database: Database, address: str, words: str) -> None:
    folder = database.address.partition("@")[2].partition("/")[0]
    sentence = explain(lambda: PostgresStore(address.format(folder=folder)), GossamerError)
    assert words in sentence


def test_a_missing_extra_is_named() -> None:
    program = "import sys; sys.modules['psycopg'] = None; import gossamer.store.postgres.postgres_store"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install 'gossamer[cluster]'" in ended.stderr
