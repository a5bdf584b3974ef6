"""The database or the archive is away for a while: fetchers keep what they have, say so, and go on by themselves."""

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Background, Database, wait_until
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
from gossamer.cluster import fetcher as fetcher_module
from gossamer.cluster.fetcher import Fetcher
from gossamer.lab.world.world import World
from gossamer.store.opening.web_archive import WebArchive
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.postgres_store import PostgresStore

WORLD = World(seed=5, hosts=6, pages=150)
DELAY_S = 0.2
"""Long enough that a crawl lasts some seconds: what a test does to it happens before its end."""

HUNG_S = 400.0
"""A guard against hanging."""


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


@pytest.mark.slow
def test_an_archive_that_is_away_and_a_lost_folder_cost_nothing(
    store: PostgresStore, fetchers: Fetchers
) -> None:
    fetchers.lease_s = 60.0
    archive, elsewhere = fetchers.archive, fetchers.archive.with_name("not-mounted")
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        fetchers.start()
        wait_until(lambda: count_pages(store) > 0)
        archive.rename(elsewhere)
        shutil.rmtree(fetchers.find_home(1))  # its own folder is not needed
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
        task = start_task(store, lab, delay_s=DELAY_S)
        fetchers.start()
        for how in (signal.SIGQUIT, signal.SIGKILL):
            before = count_pages(store)
            wait_until(lambda least=before: count_pages(store) > least)  # type: ignore[misc]
            database.server.stop(how)
            time.sleep(0.5)
            database.server.start()
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
        assert count_fetched_twice(lab) == 0
    assert "it is back after" in fetchers.read_log(1)


@pytest.mark.slow
def test_a_fetcher_is_stopped_while_the_database_is_away(
    database: Database, store: PostgresStore, fetchers: Fetchers
) -> None:
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        stopped = fetchers.start()
        wait_until(lambda: count_pages(store) > 0)
        database.server.stop(signal.SIGKILL)
        try:
            # Reads wait for the database within the crawl's loop, and notice there that the fetcher is stopped.
            wait_until(lambda: "cannot be reached" in fetchers.read_log(1))
            stopped.terminate()
            assert stopped.wait(HUNG_S) == 0
        finally:
            database.server.start()
        fetchers.processes.remove(stopped)
        fetchers.start()
        wait_for_end(store)
        fetchers.stop()
        check_whole(store, lab, task)
    check_bytes(store, fetchers)
    assert "fetched again by others" in fetchers.read_log(1)


@pytest.mark.slow
def test_a_fetcher_that_cannot_write_for_long_leaves_its_hosts_and_comes_back(
    database: Database, store: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetcher_module, "PATIENCE_S", 0.1)
    folder, elsewhere = tmp_path / "archive", tmp_path / "not-mounted"
    address = parse_address(f"{database.address}?archive={folder}")
    archive = WebArchive(address, tmp_path / "home", "one", print)
    said: list[str] = []
    joined = Fetcher(
        address,
        tmp_path / "home",
        "one",
        "here",
        10,
        archive.open_writer,
        lambda event: said.append(getattr(event, "text", "")),
        until_done=True,
        check_archive=archive.check,
    )
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=DELAY_S)
        running = Background(joined.run)
        try:
            wait_until(lambda: count_pages(store) > 0)
            folder.rename(elsewhere)
            wait_until(lambda: not database.execute("select 1 from lease where owner is not null"))
            elsewhere.rename(folder)
            assert running.end() is None
        finally:
            joined.stop("the test ends")
        check_whole(store, lab, task)
    archive.close()
    assert any("this fetcher waits" in text for text in said), said


def test_an_archive_that_cannot_be_written_ends_a_fetcher_at_its_start(
    postgres_web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for archive in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "none" / "below"):
        assert run_verb(["fetcher", "--web", f"{postgres_web}?archive={archive}"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
