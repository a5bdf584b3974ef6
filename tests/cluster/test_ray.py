"""Ray places fetchers, restarts those that die, and stays quiet, private and tidy."""

import os
import signal
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("ray", reason="Ray is not installed (extra ray)")

from tests.cluster.database import Database, wait_until
from tests.cluster.running_fetchers import check_whole, count_fetched_twice, count_pages
from tests.cluster.running_ray import RayCrawl, list_descendants, list_open_doors, make_short_folder

from gossamer.cluster.placed_fetcher import PlacedFetcher
from gossamer.cluster.ray_crew import RayCrew, check_ray_tasks, parse_ray_address
from gossamer.cluster.ray_messages import FetcherReport
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
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
    web = f"{postgres_web}?archive={tmp_path / 'archive'}"
    with (
        make_short_folder() as folder,
        serve_lab(World(seed=5, hosts=12, pages=250)) as lab,
        RayCrawl(web, lab, "ray", 2, delay_s=0.03) as crawl,
    ):
        crawl.wait_for_fetchers(2)
        crawl.wait_until(lambda: count_pages(store))
        killed = crawl.list_fetchers()[0]
        started = list_descendants(crawl.crew.process)
        assert killed in started, "fetchers are processes of Ray's"
        os.kill(killed, signal.SIGKILL)
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


def test_a_fetcher_that_was_forgotten_leaves(
    database: Database, postgres_web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    fetcher = PlacedFetcher(f"{postgres_web}?archive={tmp_path / 'archive'}", 4, 4.0, patience_s=0.2)
    wait_until(fetcher.has_left)
    report = msgspec.msgpack.decode(fetcher.report(), type=FetcherReport)
    assert (report.has_left, report.failure) == (True, "the program that placed it was silent")
    assert database.execute("select count(*) from fetcher") == [(0,)]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("ray", ""),
        ("ray://head", "ray://head:10001"),
        ("ray://10.0.0.7:9999/", "ray://10.0.0.7:9999"),
        ("ray://[::1]:10001", "ray://[::1]:10001"),
    ],
)
def test_addresses_of_ray(monkeypatch: pytest.MonkeyPatch, given: str, meant: str) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert parse_ray_address(given) == meant


@pytest.mark.parametrize("given", ["ray://", "ray://a b", "ray://head:port", "ray://me@head:1", "ray:/head"])
def test_what_is_no_address_of_ray(given: str) -> None:
    with pytest.raises(BadInput, match="is not an address of Ray"):
        parse_ray_address(given)


def test_functions_of_a_program_are_refused() -> None:
    task = Task(name="birds", seeds=["http://birds.example/"])
    check_ray_tasks([task])
    task.link_filter(lambda _: True)
    with pytest.raises(BadInput, match="'birds' has functions of this program"):
        check_ray_tasks([task])


def test_a_head_that_does_not_answer_is_refused_at_once() -> None:
    with (
        RayCrew("ray://127.0.0.1:9") as crew,
        pytest.raises(BadInput, match="Connection refused; check the address"),
    ):
        crew.connect()
