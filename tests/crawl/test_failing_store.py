"""Full disks and failing databases: the crawl waits or stops with a clear message, and loses nothing."""

import random
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import (
    LOOPBACK,
    EventLog,
    check_archive,
    check_state,
    get_world,
    make_command,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.loop import write_batches
from gossamer.crawl.run.background import Background
from gossamer.errors import StoreFailed
from gossamer.lab.server.serve_world import LabServer
from gossamer.lab.world.world import World
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import STATE, Web

WORLD = World(seed=61, hosts=6, pages=150)
PAUSED = "the disk is full; the crawl pauses and continues by itself as soon as there is room"
CONTINUES = "there is room again; the crawl continues"
DISK_BYTES = 16 << 20
DELAY_S = 0.2
"""Long enough that a crawl lasts some seconds: what a test does to it happens before its end."""
QUIET_S = 2.0
"""Much longer than the pause between two requests."""
_PATIENCE_S = 600.0
"""A guard against hanging: on a busy machine nothing here has taken a minute."""


@pytest.fixture
def lab() -> Iterator[LabServer]:
    with serve_lab(WORLD) as running:
        yield running


class SmallDisk:
    """A small file system that can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Fill the disk."""
        piece = bytes(1 << 16)
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while file.write(piece):
                    pass
            except OSError:
                return

    def make_room(self) -> None:
        """Delete what filled the disk."""
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
        text=True,
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def make_web_folder(disk: SmallDisk, folder: Path, small: str) -> Path:
    """Make the folder of a web whose state, archive, or both are on the small disk."""
    web = (folder if small == "archive" else disk.folder) / "web"
    web.mkdir()
    if small != "all":
        elsewhere = (disk.folder if small == "archive" else folder) / "archive"
        elsewhere.mkdir()
        (web / "archive").symlink_to(elsewhere)
    return web


def check_all(lab: LabServer, web: Path) -> None:
    """Check that the web holds every reachable page of the world once."""
    reachable = set(get_world(lab).reachable())
    assert set(read_pages(web)) == reachable
    check_state(web)
    assert check_archive(web)["page"] == len(reachable)


class Program:
    """The program in its own process, whose events are read as they are printed."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.notices: list[str] = []
        self.pages = 0

    def wait_for(self, wanted: str) -> None:
        """Read events until one of this kind or with this text."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = msgspec.json.decode(line)
            self.pages += event["event"] == "page"
            if event["event"] == "notice":
                self.notices.append(event["text"])
            if wanted in (event["event"], event.get("text")):
                return
        raise AssertionError(f"it never printed {wanted!r}: {self.process.communicate()}")

    def wait_for_end(self) -> tuple[int, str]:
        """Wait until the program ends; return its exit code and its error output."""
        output, errors = self.process.communicate(timeout=_PATIENCE_S)
        events = [msgspec.json.decode(line) for line in output.splitlines()]
        self.notices += [event["text"] for event in events if event["event"] == "notice"]
        return self.process.returncode, errors


@contextmanager
def run_program(*arguments: str, prelude: str = "") -> Iterator[Program]:
    """Run the program, after some Python code if `prelude` is given."""
    started = make_command(*arguments)
    if prelude:
        started = [sys.executable, "-c", f"{prelude}; from gossamer.cli import main; main.run()", *arguments]
    running = Program(started)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def make_crawl_arguments(lab: LabServer, web: Path) -> list[str]:
    options = ["--delay", str(DELAY_S), "--adaptive", "0", "--scope", "any", "--allow-private", LOOPBACK[0]]
    return ["crawl", *lab.seeds, *options, "--web", str(web), "--json"]


def check_quiet(lab: LabServer) -> None:
    """Check that the crawl stops sending requests although pages are left to fetch."""
    requests = -1
    until_s = time.monotonic() + _PATIENCE_S
    while requests != len(lab.log.entries()):
        assert time.monotonic() < until_s, "pages are fetched that cannot be stored"
        requests = len(lab.log.entries())
        time.sleep(QUIET_S)
    asked = {(entry.host, entry.target) for entry in lab.log.entries()}
    assert len(asked) < len(get_world(lab).reachable()), "pages were fetched that cannot be stored"


@pytest.mark.slow
@pytest.mark.parametrize("small", ["state", "archive"])
def test_a_full_disk_pauses_the_crawl_and_a_kill_during_the_pause_loses_nothing(
    lab: LabServer, disk: SmallDisk, tmp_path: Path, small: str
) -> None:
    web = make_web_folder(disk, tmp_path, small)
    with run_program(*make_crawl_arguments(lab, web)) as crawl:
        crawl.wait_for("page")
        disk.fill()
        crawl.wait_for("notice")
        check_quiet(lab)
        crawl.process.kill()
    with run_program("resume", "--web", str(web), "--json") as crawl:
        crawl.wait_for("notice")
        check_quiet(lab)
        disk.make_room()
        assert crawl.wait_for_end() == (0, "")
    full, room = crawl.notices
    assert full.endswith(PAUSED)
    assert room == CONTINUES
    check_all(lab, web)


@pytest.mark.slow
def test_a_web_on_a_full_disk_is_refused_and_left_as_it_is(
    lab: LabServer, disk: SmallDisk, tmp_path: Path
) -> None:
    web = make_web_folder(disk, tmp_path, "all")
    run(web, make_quick_task(lab, pages=20))
    disk.fill()
    with run_program("resume", lab.seeds[0].split("/")[2] + "-1", "--web", str(web), "--json") as crawl:
        assert crawl.wait_for_end() == (1, f"gossamer: {web / STATE} cannot be opened: the disk is full\n")
    disk.make_room()
    run(web, again=True, pages=0)
    check_all(lab, web)


@pytest.mark.slow
def test_a_disk_that_is_repeatedly_full_loses_nothing(
    lab: LabServer, disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batches, "RETRY_FULL_DISK_S", 0.05)
    monkeypatch.setattr(write_batches, "BATCH_AGE_S", 0.1)
    web, events, chance, done = (
        make_web_folder(disk, tmp_path, "all"),
        EventLog(),
        random.Random(4),
        threading.Event(),
    )

    def fill_and_empty() -> None:
        while not done.wait(chance.uniform(0.0, 0.2)):
            disk.fill()
            done.wait(chance.uniform(0.0, 0.4))
            disk.make_room()

    trouble = threading.Thread(target=fill_and_empty)
    with Web(web) as opened:
        trouble.start()
        try:
            opened.run([make_quick_task(lab, delay_s=0.1)], watcher=events)
        finally:
            done.set()
            trouble.join()
    pauses, ends = events.notices[0::2], events.notices[1::2]
    assert len(pauses) == len(ends) > 2
    assert all(text.endswith(PAUSED) for text in pauses)
    assert set(ends) == {CONTINUES}
    check_all(lab, web)


@pytest.mark.slow
def test_stopping_a_crawl_that_pauses_for_a_full_database_raises_the_reason(
    lab: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batches, "RETRY_FULL_DISK_S", 0.1)
    with Web(tmp_path) as web:
        assert isinstance(web.store, SqliteStore)
        writer = web.store._writer
        assert writer is not None
        [size] = writer.execute("pragma page_count").fetchone()
        writer.execute(f"pragma max_page_count = {size + 5}")
        events = EventLog()
        crawl = Background(lambda ready: web.run([make_quick_task(lab)], watcher=events, ready=ready))
        until_s = time.monotonic() + _PATIENCE_S
        while not any(text.endswith(PAUSED) for text in events.notices):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        assert not crawl.done
        crawl.stop("enough")
        with pytest.raises(StoreFailed, match="the disk is full"):
            crawl.wait(_PATIENCE_S)
    check_state(tmp_path)
    check_archive(tmp_path)
    run(tmp_path, again=True)
    check_all(lab, tmp_path)


@contextmanager
def limit_file_size(size_bytes: int) -> Iterator[None]:
    """Limit the size of files that this process writes: writing then fails for another reason than a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
@pytest.mark.parametrize("bodies", [True, False])
def test_other_write_errors_stop_the_crawl_and_lose_nothing(
    lab: LabServer, tmp_path: Path, bodies: bool
) -> None:
    chance = random.Random(bodies)
    why = "File too large" if bodies else "disk I/O error"
    task = make_quick_task(lab, delay_s=DELAY_S, bodies=bodies)
    for turn in range(3):
        with Web(tmp_path) as web:
            crawl = web.start(again=web.tasks()) if turn else web.start(task)
            asked = len(lab.log.entries())
            while len(lab.log.entries()) < asked + 5:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 0.3))
            with limit_file_size(1024), pytest.raises(StoreFailed, match=f"could not be written: .*{why}"):
                crawl.wait(_PATIENCE_S)
        check_state(tmp_path)
        check_archive(tmp_path)
    run(tmp_path, again=True)
    if bodies:
        check_all(lab, tmp_path)
    assert set(read_pages(tmp_path)) == set(get_world(lab).reachable())


IMPATIENT = "from gossamer.store.sqlite import open_database; open_database.WAIT_FOR_OTHERS_S = 0.5"


@pytest.mark.slow
@pytest.mark.parametrize("why", ["disk I/O error", "keeps it locked"])
def test_the_program_reports_a_write_error_in_one_sentence(lab: LabServer, tmp_path: Path, why: str) -> None:
    # Without bodies only the state can fail; with them the archive may reach the limit first.
    with run_program(*make_crawl_arguments(lab, tmp_path), "--no-bodies", prelude=IMPATIENT) as crawl:
        crawl.wait_for("page")
        with closing(sqlite3.connect(tmp_path / STATE, isolation_level=None)) as other:
            if why == "keeps it locked":
                other.execute("begin immediate")
            else:
                resource.prlimit(crawl.process.pid, resource.RLIMIT_FSIZE, (1024, 1024))
            code, errors = crawl.wait_for_end()
    assert code == 1
    assert errors.startswith(f"gossamer: {tmp_path / STATE} could not be written: ")
    assert errors.count("\n") == 1
    assert why in errors
    check_state(tmp_path)
    subprocess.run(
        make_command("resume", "--web", str(tmp_path), "--json"),
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=_PATIENCE_S,
    )
    assert set(read_pages(tmp_path)) == set(get_world(lab).reachable())
