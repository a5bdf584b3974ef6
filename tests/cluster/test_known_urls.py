"""URLs that several fetchers find are known once."""

import threading
from contextlib import closing

import pytest
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database

from gossamer.net.url import page_id
from gossamer.store.batch import Batch
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.schema import VERSION

_URLS = [f"http://host{number % 7}.example/{number}" for number in range(2_000)]


def test_writers_that_find_the_same_urls_count_them_once(database: Database) -> None:
    def write(store: PostgresStore, step: int) -> None:
        for first in range(0, len(_URLS), 100):
            some = _URLS[first : first + 150][::step]  # some of them again, in another order
            store.commit(Batch(known=[(page_id(url), url) for url in some]))

    writers = [threading.Thread(target=write, args=(database.open(), step)) for step in (1, -1, 1)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert database.open().counts()["known"] == len(_URLS)
    assert database.execute("select count(*), count(distinct id) from known") == [(len(_URLS),) * 2]


def test_an_older_web_is_rid_of_urls_that_it_knew_twice(postgres_server: PostgresServer) -> None:
    name = postgres_server.make_database()
    address = postgres_server.make_address(name)
    with closing(PostgresStore(address, create=True)) as store:
        store.commit(Batch(known=[(page_id(url), url) for url in _URLS[:10]]))
    postgres_server.execute(
        "set search_path = gossamer; drop index known_id; create index known_id on known (id); "
        "insert into known select * from known limit 4; update total set known = known + 4; update web set version = 1",
        name,
    )
    with closing(PostgresStore(address)) as store:
        assert store.counts()["known"] == 10
    counted = "select count(*), count(distinct id), (select version from gossamer.web) from gossamer.known"
    assert postgres_server.execute(counted, name) == [(10, 10, VERSION)]
