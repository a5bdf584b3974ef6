"""A task of a web in a database is taken up by fetchers that run or stand by; no process is started for it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import LOOPBACK, serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import Fetchers

from gossamer.config import TaskSpec, from_options
from gossamer.crawl.control.start_tasks import add_task
from gossamer.crawl.steer.continue_task import continue_task
from gossamer.crawl.steer.start_process import list_starts
from gossamer.lab.world.world import World
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=6, pages=120)


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


def test_fetchers_that_stand_by_and_fetchers_that_run_take_up_a_task(
    store: PostgresStore, fetchers: Fetchers, tmp_path: Path
) -> None:
    folder = tmp_path / "steering"
    folder.mkdir()
    (folder / DATABASE).write_text(fetchers.web)

    def make_spec(name: str, seed: str) -> TaskSpec:
        return from_options(
            seeds=[seed], name=name, scope="any", delay_s=0.05, adaptive=0, allow_private=LOOPBACK
        )

    def is_fetching(number: int) -> bool:
        note = store.tasks()[number - 1]
        return note.state != "stopped" and note.counts.get("downloaded", 0) > 0

    with serve_lab(WORLD) as lab:
        fetchers.start()
        wait_until(store.has_fetchers)
        first = add_task(store, make_spec("first", lab.seeds[0]), time.time())
        assert continue_task(store, folder, first, 1.0) == "done"
        wait_until(lambda: is_fetching(1))
        second = add_task(store, make_spec("second", lab.seeds[0]), time.time())
        assert continue_task(store, folder, second, 20.0) == "done"
        wait_until(lambda: is_fetching(2))
        fetchers.stop()
    assert list(list_starts(folder)) == []
