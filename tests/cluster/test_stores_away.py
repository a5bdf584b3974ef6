"""The database or the archive is away for a while: fetchers keep what they have, say so, and go on by themselves."""

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database, wait_until
from tests.cluster.running_fetchers import (
    BAD_INPUT,
    Fetchers,
    check_bytes,
    check_whole,
    count_fetched_twice,
    count_pages,
    start_task,
    wait_for_end,
)

from gossamer.cli.main import run_verb
from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

WORLD = World(seed=5, hosts=12, pages=300)


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


@pytest.mark.slow
def test_an_archive_that_is_away_is_waited_for_and_nothing_is_fetched_again(
    store: PostgresStore, fetchers: Fetchers
) -> None:
    fetchers.lease_s = 60.0
    archive, elsewhere = fetchers.archive, fetchers.archive.with_name("not-mounted")
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=0.03)
        fetchers.start()
        wait_until(lambda: count_pages(store) > 0)
        archive.rename(elsewhere)
        wait_until(lambda: "the crawl pauses" in fetchers.read_log(1))
        before = count_pages(store)
        assert fetchers.start().wait() == BAD_INPUT, "it must not begin a new archive"
        assert not archive.exists()
        elsewhere.rename(archive)
        wait_for_end(store)
        fetchers.stop()
        assert before < count_pages(store), "the world is too small for this test"
        check_whole(store, lab, task)
        assert count_fetched_twice(lab) == 0
    check_bytes(store, fetchers)
    assert "there is no archive of a web at" in fetchers.read_log(1)
    assert "it is back after" in fetchers.read_log(1)


@pytest.mark.slow
def test_a_database_that_crashes_is_waited_for_and_nothing_is_fetched_again(
    database: Database, store: PostgresStore, fetchers: Fetchers
) -> None:
    fetchers.lease_s = 60.0  # however long the server takes to start again
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=0.05)
        fetchers.start()
        wait_until(lambda: count_pages(store) > 0)
        for how in (signal.SIGQUIT, signal.SIGKILL):
            database.server.stop(how)
            time.sleep(0.5)
            database.server.start()
            before = count_pages(store)
            wait_until(lambda least=before: count_pages(store) > least)  # type: ignore[misc]
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        assert count_fetched_twice(lab) == 0
    assert "it is back after" in fetchers.read_log(1)


@pytest.mark.slow
def test_a_lost_folder_of_a_fetcher_costs_no_page_its_bytes(store: PostgresStore, fetchers: Fetchers) -> None:
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=0.03)
        first = fetchers.start()
        wait_until(lambda: count_pages(store) > 0)
        shutil.rmtree(fetchers.find_home(1))
        before = count_pages(store)
        wait_until(lambda: count_pages(store) > before or first.poll() is not None)
        fetchers.start()
        wait_for_end(store)
        fetchers.kill_all()
        check_whole(store, lab, task)
    check_bytes(store, fetchers)


def test_an_archive_that_cannot_be_written_ends_a_fetcher_at_its_start(
    postgres_web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for archive in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "none" / "below"):
        assert run_verb(["fetcher", "--web", f"{postgres_web}?archive={archive}"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
