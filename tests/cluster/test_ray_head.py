"""Ray's head may die at any time: fetchers are placed again when it is back, and nothing is lost."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("ray", reason="Ray is not installed (extra ray)")

from tests.cluster.running_fetchers import check_whole, count_pages
from tests.cluster.running_ray import RayCrawl, RayHead, find_head, make_short_folder

from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("RAY_HEAD"),
        reason="a Ray cluster takes a while to start: `make soak` tests with it",
    ),
]
WORLD = World(seed=5, hosts=12, pages=600)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with make_short_folder() as made:
        yield made


@pytest.fixture
def head(folder: Path) -> Iterator[RayHead]:
    started = RayHead(folder)
    yield started
    started.kill()


def test_the_head_of_our_own_ray_may_be_killed(
    store: PostgresStore, postgres_web: str, tmp_path: Path, folder: Path
) -> None:
    web = f"{postgres_web}?archive={tmp_path / 'archive'}"
    with serve_lab(WORLD) as lab, RayCrawl(web, lab, "ray", 2, delay_s=0.1) as crawl:
        crawl.wait_for_fetchers(2)
        crawl.wait_until(lambda: count_pages(store))
        os.kill(find_head(crawl.crew.process), signal.SIGKILL)
        crawl.wait_for_notice("Ray is away")
        crawl.wait_for_notice("Ray is back")
        crawl.wait()
        check_whole(store, lab, crawl.task)
    assert list(folder.iterdir()) == []


def test_the_head_of_a_cluster_may_be_killed(
    store: PostgresStore, postgres_web: str, tmp_path: Path, head: RayHead
) -> None:
    web = f"{postgres_web}?archive={tmp_path / 'archive'}"
    with serve_lab(WORLD) as lab, RayCrawl(web, lab, head.address, 2, delay_s=0.1) as crawl:
        crawl.wait_for_fetchers(2)
        crawl.wait_until(lambda: count_pages(store))
        head.kill()
        crawl.wait_for_notice("Ray is away")
        head.start()
        crawl.wait_for_notice("Ray is back")
        crawl.wait()
        check_whole(store, lab, crawl.task)
