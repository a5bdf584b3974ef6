"""Ray places fetchers, restarts those that die, and stays quiet, private and tidy."""

import os
import signal
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("ray", reason="Ray is not installed (extra ray)")

from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import check_whole, count_fetched_twice, count_pages
from tests.cluster.running_ray import RayCrawl, list_descendants, list_open_doors, make_short_folder

from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
MOST_IN_FLIGHT = 200
PASSWORD = "open-sesame-4711"  # noqa: S105 - made up


def test_a_killed_fetcher_is_restarted_and_nothing_is_lost(
    store: PostgresStore,
    postgres_web: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with make_short_folder() as folder, serve_lab(World(seed=5, hosts=12, pages=250)) as lab:
        web = f"{postgres_web}?archive={tmp_path / 'archive'}"
        crawl = RayCrawl(web, lab, "ray", 2, delay_s=0.03)
        crawl.wait_for_fetchers(2)
        wait_until(lambda: count_pages(store) or not crawl.is_running)
        killed = crawl.list_fetchers()[0]
        os.kill(killed, signal.SIGKILL)
        started = list_descendants(crawl.crew.process)
        assert killed in started, "fetchers are processes of Ray's"
        assert list_open_doors(crawl.crew.process) == []
        assert not any(PASSWORD in line for line in started.values())
        assert _find_in_files(folder, PASSWORD) == []
        crawl.wait()
        check_whole(store, lab, crawl.task)
        assert count_fetched_twice(lab) <= MOST_IN_FLIGHT
        assert any(f"-{killed} has died: Ray started" in notice for notice in crawl.list_notices())
        assert list(folder.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def _find_in_files(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]
