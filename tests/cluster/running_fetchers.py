"""Start fetchers as a person would, kill them, and compare what they bring with the truth."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tests.cluster.database import wait_until
from tests.crawl.harness import crawl_truth, get_world, make_quick_task

from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import LabServer
from gossamer.net import fingerprint
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.opening.web_archive import open_shared_reader
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.postgres_store import PostgresStore

LEASE_S = 4.0
BAD_INPUT = 2
_PROGRAM = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"


class Fetchers:
    """The fetchers of one web; each is a process with a home of its own, as on a machine of its own."""

    def __init__(self, address: str, folder: Path, archive: str = "") -> None:
        self.archive = folder / "archive"
        self.web = f"{address}?archive={archive or self.archive}"
        self.lease_s = LEASE_S
        self._folder = folder
        self._number = 0
        self._numbers: dict[int, int] = {}
        """The number of each process."""
        self.processes: list[subprocess.Popen[bytes]] = []

    def find_home(self, number: int) -> Path:
        """Return the folder of a fetcher's own files."""
        return self._folder / f"home{number}"

    def start(
        self, prefix: Sequence[str] = (), environment: Mapping[str, str] = MappingProxyType({}), web: str = ""
    ) -> "subprocess.Popen[bytes]":
        """Start one more fetcher, perhaps by another program, elsewhere, or with another address of the web."""
        self._number += 1
        home = self.find_home(self._number)
        home.mkdir()
        name = f"fetcher{self._number}"
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [
                    *prefix,
                    sys.executable,
                    "-c",
                    _PROGRAM,
                    "fetcher",
                    "--web",
                    web or self.web,
                    "--name",
                    name,
                    "--lease",
                    f"{self.lease_s}",
                ],
                stderr=log,
                env=os.environ | {"XDG_DATA_HOME": str(home)} | dict(environment),
            )
        self.processes.append(process)
        self._numbers[process.pid] = self._number
        return process

    def read_log(self, number: int) -> str:
        """Return what a fetcher has printed."""
        return (self._folder / f"fetcher{number}.log").read_text()

    def _read_log_of(self, process: "subprocess.Popen[bytes]") -> str:
        return self.read_log(self._numbers[process.pid])

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """End a fetcher as a power failure would."""
        process.kill()
        process.wait()
        self.processes.remove(process)

    def kill_all(self) -> None:
        """End all fetchers as a power failure would."""
        for process in list(self.processes):
            self.kill(process)

    def stop(self) -> None:
        """End all fetchers cleanly; one that could not begin has ended already."""
        self.processes = [process for process in self.processes if process.poll() != BAD_INPUT]
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            # Before it says so, Python itself would end it.
            wait_until(lambda one=process: "joins the crawl" in self._read_log_of(one))  # type: ignore[misc]
            process.terminate()
        for process in self.processes:
            assert process.wait(60) == 0, self._read_log_of(process)
        self.processes = []


def start_task(store: PostgresStore, lab: LabServer, **options: object) -> Task:
    """Start a task over a served world."""
    task = make_quick_task(lab, **options)
    start_tasks(store, [], [task.spec], time.time(), others_run=True)
    return task


def wait_for_end(store: PostgresStore) -> None:
    """Wait until no task runs any more."""
    for _ in range(6):  # each waits some minutes, as long as there is progress
        before = count_pages(store)
        try:
            wait_until(lambda: all(note.state != "running" for note in store.tasks()))
        except TimeoutError:
            assert count_pages(store) > before, "nothing was fetched for some minutes"
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


def check_bytes(store: PostgresStore, fetchers: Fetchers) -> None:
    """Check that every page has its bytes in the shared archive, although no fetcher's own folder is read."""
    address = parse_address(fetchers.web)
    with tempfile.TemporaryDirectory() as empty:
        reader = open_shared_reader(address, Path(empty))
        # In the order of the archive, so that each block of it is read once.
        for warc, offset, digest in sorted(
            (page.warc, page.warc_offset, page.digest) for page in store.pages()
        ):
            exchange = reader.read(WarcPosition(warc, offset))
            assert exchange is not None
            assert fingerprint.digest(exchange.payload) == digest
