"""Start fetchers as a person would, kill them, and compare what they bring with the truth."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.cluster.database import wait_until
from tests.crawl.harness import crawl_truth, get_world, make_quick_task

from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import LabServer
from gossamer.store.postgres.postgres_store import PostgresStore

LEASE_S = 4.0
_PROGRAM = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"


class Fetchers:
    """The fetchers of one web; each is a process with a home of its own, as on a machine of its own."""

    def __init__(self, address: str, folder: Path) -> None:
        self.web = f"{address}?archive={folder / 'archive'}"
        self._folder = folder
        self._number = 0
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> "subprocess.Popen[bytes]":
        """Start one more fetcher."""
        self._number += 1
        home = self._folder / f"home{self._number}"
        home.mkdir()
        name = f"fetcher{self._number}"
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    _PROGRAM,
                    "fetcher",
                    "--web",
                    self.web,
                    "--name",
                    name,
                    "--lease",
                    f"{LEASE_S}",
                ],
                stderr=log,
                env=os.environ | {"XDG_DATA_HOME": str(home)},
            )
        self.processes.append(process)
        return process

    def read_log(self, number: int) -> str:
        """Return what a fetcher has printed."""
        return (self._folder / f"fetcher{number}.log").read_text()

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """End a fetcher as a power failure would."""
        process.kill()
        process.wait()
        self.processes.remove(process)

    def stop(self) -> None:
        """End all fetchers cleanly."""
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        for process in self.processes:
            assert process.wait(60) == 0
        self.processes = []


def start_task(store: PostgresStore, lab: LabServer, **options: object) -> Task:
    """Start a task over a served world."""
    task = make_quick_task(lab, **options)
    start_tasks(store, [], [task.spec], time.time(), others_run=True)
    return task


def wait_for_end(store: PostgresStore) -> None:
    """Wait until no task runs any more."""
    for _ in range(6):  # each waits half a minute, as long as there is progress
        before = count_pages(store)
        try:
            wait_until(lambda: all(note.state != "running" for note in store.tasks()))
        except TimeoutError:
            assert count_pages(store) > before, "nothing was fetched for half a minute"
        else:
            return
    raise AssertionError("the crawl did not end")


def count_pages(store: PostgresStore) -> int:
    """Return how many pages were written."""
    return store.counts()["pages"]


def check_whole(store: PostgresStore, lab: LabServer, task: Task) -> None:
    """Check that every page of the world was kept once, and that the counts say so."""
    found = Counter(page.url for page in store.pages())
    assert set(found) == set(crawl_truth(get_world(lab), list(task.spec.seeds), lambda *_: True))
    assert set(found.values()) == {1}
    [note] = store.tasks()
    assert (note.state, note.reason) == ("finished", "nothing left to fetch")
    assert note.counts["downloaded"] == note.counts["finished"] == note.counts["queued"] == len(found)
    assert store.counts()["waiting"] == 0


def count_fetched_twice(lab: LabServer) -> int:
    """Return how many requests for pages were made again."""
    asked = Counter((one.host, one.target) for one in lab.log.entries() if one.target != "/robots.txt")
    return sum(times - 1 for times in asked.values())
