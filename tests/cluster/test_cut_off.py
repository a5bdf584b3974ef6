"""Fetchers that the network cuts off from the database, and fetchers whose clocks are wrong."""

import os
import shutil
import subprocess
import sys
import time
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
WORLD = World(seed=5, hosts=12, pages=300)
DELAY_S = 0.1
NOISE_S = 0.03
WRONG_BY_S = 30
REJOIN_S = 120.0
"""A guard against hanging: a lost connection is noticed within half a minute."""


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
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        fetchers.start(web=far)
        wait_until(lambda: count_pages(store) > 0)
        network.cut()  # it still reaches the hosts, and must not ask them when its lease is over
        fetchers.start()
        before = count_pages(store)
        wait_until(lambda: count_pages(store) > before)
        network.mend()
        wait_until(lambda: "joins again" in fetchers.read_log(1), REJOIN_S)
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        check_polite(lab.log, DELAY_S, noise_s=NOISE_S)
    check_bytes(store, fetchers)


def test_clocks_that_differ_by_a_minute_change_neither_pauses_nor_leases(
    store: PostgresStore, fetchers: Fetchers, tmp_path: Path
) -> None:
    library = compile_wrong_clock(tmp_path)
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        wrong = [
            fetchers.start(environment={"LD_PRELOAD": library, "WRONG_BY_S": str(by_s)})
            for by_s in (WRONG_BY_S, -WRONG_BY_S)
        ]
        wait_until(lambda: count_pages(store) > 0)
        fetchers.kill(wrong[0])
        killed_s = time.monotonic()
        fetchers.start(environment={"LD_PRELOAD": library, "WRONG_BY_S": str(WRONG_BY_S)})
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        check_polite(lab.log, DELAY_S, noise_s=NOISE_S, killed_s=[killed_s])


def compile_wrong_clock(folder: Path) -> str:
    """Compile the library that shows a wrong time of day, and check that it does."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("a wrong clock needs a C compiler")
    library = folder / "wrong_clock.so"
    source = Path(__file__).with_name("wrong_clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        env=os.environ | {"LD_PRELOAD": str(library), "WRONG_BY_S": "100000"},
        capture_output=True,
        check=True,
    )
    assert float(shown.stdout) > time.time() + 50_000
    return str(library)
