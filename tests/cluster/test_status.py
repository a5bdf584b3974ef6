"""What fetchers on several machines do is seen through the database."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import Fetchers, start_task, wait_for_end

from gossamer.crawl.control.command_mailbox import Stop
from gossamer.crawl.control.stored_mailbox import StoredMailbox
from gossamer.crawl.status.read_status import list_hosts, read_history, read_status
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.crawl.task_counts import find_gaps
from gossamer.lab.world.world import World
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=12, pages=300)


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


def test_the_status_of_fetchers_adds_up_and_names_them(
    store: PostgresStore, fetchers: Fetchers, tmp_path: Path
) -> None:
    folder = tmp_path / "looking"
    folder.mkdir()
    (folder / DATABASE).write_text(fetchers.web)
    seen: list[CrawlStatus] = []

    def look() -> CrawlStatus:
        seen.append(read_status(store, folder, time.time()))
        for task in seen[-1].tasks:
            assert not find_gaps(task.note.counts, task.waiting + task.under_way)
        return seen[-1]

    with serve_lab(WORLD) as lab:
        start_task(store, lab, delay_s=0.5)  # slow enough that both fetchers have a part
        assert look().stall
        for _ in range(2):
            fetchers.start()
        wait_until(lambda: len(look().shards) == 2)
        assert seen[-1].running
        assert {shard.name.split()[0] for shard in seen[-1].shards} == {"fetcher1", "fetcher2"}
        wait_until(lambda: sum(host.waiting for host in list_hosts(store, folder, time.time())) > 0)
        wait_until(lambda: look().tasks[0].note.counts.get("downloaded", 0) > 0)
        StoredMailbox(store).append(Stop(1, True, "paused by a person"))
        wait_until(lambda: look().tasks[0].note.state == "paused")
        wait_until(lambda: not look().tasks[0].under_way)
        wait_for_end(store)
        fetchers.stop()
    end = look()
    assert not end.running
    assert end.tasks[0].waiting > 0
    history = read_history(store, 1, 0.0, time.time() + 3600)
    assert sum(history.pages) == end.tasks[0].note.counts["downloaded"]
    assert history.waiting[-1] == end.tasks[0].waiting - end.tasks[0].in_inboxes
