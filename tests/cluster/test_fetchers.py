"""Fetchers on several machines share one crawl: nothing is lost or kept twice when they come, go, die or fall asleep."""

import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import check_polite, serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database, wait_until
from tests.cluster.running_fetchers import (
    Fetchers,
    check_bytes,
    check_whole,
    count_fetched_twice,
    count_pages,
    start_task,
    wait_for_end,
)
from tests.cluster.wrong_clock import compile_wrong_clock, set_clock

from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=12, pages=500)
MOST_IN_FLIGHT = 200
"""Pages of a batch, and visits under way: what a killed fetcher may have fetched and not written."""


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


def test_killed_fetchers_lose_nothing(database: Database, store: PostgresStore, fetchers: Fetchers) -> None:
    chance = random.Random(3)
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab)
        killed_s = []
        for _ in range(3):
            fetchers.start()
        for _ in range(3):
            before = count_pages(store)
            wait_until(lambda least=before: count_pages(store) > least or not _runs(store))  # type: ignore[misc]
            killed_s.append(time.monotonic())
            fetchers.kill(chance.choice(fetchers.processes))
            fetchers.start()
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        assert count_fetched_twice(lab) <= len(killed_s) * MOST_IN_FLIGHT
    check_bytes(store, fetchers)


def test_a_fetcher_that_slept_longer_than_its_lease_cannot_write_and_joins_again(
    store: PostgresStore, fetchers: Fetchers, tmp_path: Path
) -> None:
    library = compile_wrong_clock(tmp_path)  # the clocks of both machines are a minute apart
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=0.1)
        sleeper = fetchers.start(environment=set_clock(library, 30))
        wait_until(lambda: count_pages(store) > 0)
        sleeper.send_signal(signal.SIGSTOP)
        fetchers.start(environment=set_clock(library, -30))
        before = count_pages(store)
        wait_until(lambda: count_pages(store) > before)
        assert _runs(store), "the world is too small for this test"
        sleeper.send_signal(signal.SIGCONT)
        wait_until(lambda: "joins again" in fetchers.read_log(1))
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        check_polite(lab.log, 0.1, noise_s=0.03)


def test_fetchers_together_keep_a_page_limit_exactly(store: PostgresStore, fetchers: Fetchers) -> None:
    with serve_lab(WORLD) as lab:
        start_task(store, lab, pages=130)
        for _ in range(3):
            fetchers.start()
        wait_for_end(store)
        fetchers.stop()
        [note] = store.tasks()
        assert note.reason == "limit reached: 130 pages"
        assert (note.counts["downloaded"], count_pages(store)) == (130, 130)


def _runs(store: PostgresStore) -> bool:
    return any(note.state == "running" for note in store.tasks())
