"""Fetchers that the network cuts off from the database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import check_polite, serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database, wait_until
from tests.cluster.network_cut import PORT, NetworkCut, check_namespaces
from tests.cluster.running_fetchers import (
    Fetchers,
    check_bytes,
    check_whole,
    count_pages,
    start_task,
    wait_for_end,
)
from tests.postgres_server import USER

from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=6, pages=150)
DELAY_S = 0.2
NOISE_S = 0.03


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


@pytest.fixture
def network(database: Database) -> Iterator[NetworkCut]:
    check_namespaces()
    made = NetworkCut(database.server.folder / ".s.PGSQL.5432")
    yield made
    made.close()


def test_a_fetcher_that_is_cut_off_cannot_write_and_joins_again(
    database: Database, store: PostgresStore, fetchers: Fetchers, network: NetworkCut
) -> None:
    far = f"postgresql://{USER}@{network.address}:{PORT}/{database.name}?archive={fetchers.archive}"
    fetchers.lease_s = 2.0
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        fetchers.start(web=far)
        wait_until(lambda: count_pages(store) > 0)
        network.cut()  # it still reaches the hosts, and must not ask them when its lease is over
        fetchers.start()
        before = count_pages(store)
        wait_until(lambda: count_pages(store) > before)
        network.mend()
        wait_until(lambda: "joins again" in fetchers.read_log(1))
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        check_polite(lab.log, DELAY_S, noise_s=NOISE_S)
    check_bytes(store, fetchers)
