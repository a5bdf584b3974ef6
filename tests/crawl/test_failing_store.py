"""Full disks and failing databases, real ones: the crawl waits, or stops with a clear word, and nothing is lost."""

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
from gossamer.errors import StoreFailed
from gossamer.lab.server.serve_world import LabServer
from gossamer.lab.world.world import World
from gossamer.web import STATE, Web

WORLD = World(seed=61, hosts=6, pages=150)
PAUSED = "the disk is full; the crawl pauses and goes on by itself as soon as there is room"
GOES_ON = "there is room on the disk again: the crawl goes on"
DISK_BYTES = 16 << 20
UNDER_WAY_S = 0.5
"""Longer than one page takes."""
_PATIENCE_S = 60.0


@pytest.fixture
def lab() -> Iterator[LabServer]:
    with serve_lab(WORLD) as running:
        yield running


class SmallDisk:
    """A file system of its own that can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room."""
        piece = bytes(1 << 16)
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while file.write(piece):
                    pass
            except OSError:
                return

    def make_room(self) -> None:
        """Make room again."""
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


def web_on(disk: SmallDisk, folder: Path, small: str) -> Path:
    """Make the folder of a web whose state, archive, or both are on the small disk."""
    web = (folder if small == "archive" else disk.folder) / "web"
    web.mkdir()
    if small != "all":
        elsewhere = (disk.folder if small == "archive" else folder) / "archive"
        elsewhere.mkdir()
        (web / "archive").symlink_to(elsewhere)
    return web


def check_all(lab: LabServer, web: Path) -> None:
    """Check that the web holds what is true of the world, once."""
    reachable = set(get_world(lab).reachable())
    assert set(read_pages(web)) == reachable
    check_state(web)
    assert check_archive(web)["page"] == len(reachable)


class Program:
    """The program in a process of its own, heard as it speaks."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.notices: list[str] = []
        self.pages = 0

    def until(self, wanted: str) -> None:
        """Listen until it says this, or has visited a page."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = msgspec.json.decode(line)
            self.pages += event["event"] == "page"
            if event["event"] == "notice":
                self.notices.append(event["text"])
            if wanted in (event["event"], event.get("text")):
                return
        raise AssertionError(f"it never said {wanted!r}: {self.process.communicate()}")

    def end(self) -> tuple[int, str]:
        """Wait until it ends; return its exit code and what it said of errors."""
        said, errors = self.process.communicate(timeout=_PATIENCE_S)
        events = [msgspec.json.decode(line) for line in said.splitlines()]
        self.notices += [event["text"] for event in events if event["event"] == "notice"]
        return self.process.returncode, errors


@contextmanager
def program(*arguments: str, prelude: str = "") -> Iterator[Program]:
    """Run the program; with a prelude, some Python before it."""
    started = make_command(*arguments)
    if prelude:
        started = [sys.executable, "-c", f"{prelude}; from gossamer.cli import main; main.run()", *arguments]
    running = Program(started)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def crawl_of(lab: LabServer, web: Path, delay_s: float = 0.05) -> list[str]:
    manners = ["--delay", str(delay_s), "--adaptive", "0", "--scope", "any", "--allow-private", LOOPBACK[0]]
    return ["crawl", *lab.seeds, *manners, "--web", str(web), "--json"]


def check_quiet(lab: LabServer) -> None:
    """Check that nobody is asked for anything, once what was under way has ended."""
    time.sleep(UNDER_WAY_S)
    asked = len(lab.log.entries())
    time.sleep(3 * UNDER_WAY_S)
    assert len(lab.log.entries()) == asked, "pages are fetched that cannot be kept"


@pytest.mark.slow
@pytest.mark.parametrize("small", ["state", "archive"])
def test_a_full_disk_pauses_the_crawl_until_there_is_room_and_a_kill_meanwhile_loses_nothing(
    lab: LabServer, disk: SmallDisk, tmp_path: Path, small: str
) -> None:
    web = web_on(disk, tmp_path, small)
    with program(*crawl_of(lab, web)) as crawl:
        crawl.until("page")
        disk.fill()
        crawl.until("notice")
        check_quiet(lab)
        crawl.process.kill()
    with program("resume", "--web", str(web), "--json") as crawl:
        crawl.until("notice")
        check_quiet(lab)
        disk.make_room()
        assert crawl.end() == (0, "")
    full, room = crawl.notices
    assert full.endswith(PAUSED)
    assert room == GOES_ON
    check_all(lab, web)


@pytest.mark.slow
def test_a_web_that_cannot_even_be_opened_is_left_as_it_is(
    lab: LabServer, disk: SmallDisk, tmp_path: Path
) -> None:
    web = web_on(disk, tmp_path, "all")
    run(web, make_quick_task(lab, pages=20))
    disk.fill()
    with program("resume", lab.seeds[0].split("/")[2] + "-1", "--web", str(web), "--json") as crawl:
        assert crawl.end() == (1, f"gossamer: {web / STATE} cannot be opened: the disk is full\n")
    disk.make_room()
    run(web, again=True, pages=0)
    check_all(lab, web)


@pytest.mark.slow
def test_a_disk_that_is_full_again_and_again_costs_nothing_but_time(
    lab: LabServer, disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batches, "LOOK_FOR_ROOM_S", 0.05)
    monkeypatch.setattr(write_batches, "BATCH_AGE_S", 0.1)
    web, events, chance, done = (
        web_on(disk, tmp_path, "all"),
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
            opened.run([make_quick_task(lab, delay_s=0.05)], watcher=events)
        finally:
            done.set()
            trouble.join()
    pauses, ends = events.notices[0::2], events.notices[1::2]
    assert len(pauses) == len(ends) > 2
    assert all(text.endswith(PAUSED) for text in pauses)
    assert set(ends) == {GOES_ON}
    check_all(lab, web)


@pytest.mark.slow
def test_a_database_that_may_not_grow_pauses_the_crawl_and_whoever_stops_it_is_told(
    lab: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batches, "LOOK_FOR_ROOM_S", 0.1)
    with Web(tmp_path) as web:
        writer = web.store._writer
        assert writer is not None
        [size] = writer.execute("pragma page_count").fetchone()
        writer.execute(f"pragma max_page_count = {size + 5}")
        crawl = web.start(make_quick_task(lab))
        until_quiet(lab)
        assert not crawl.done
        crawl.stop("enough")
        with pytest.raises(StoreFailed, match="the disk is full"):
            crawl.wait(_PATIENCE_S)
    check_state(tmp_path)
    check_archive(tmp_path)
    run(tmp_path, again=True)
    check_all(lab, tmp_path)


def until_quiet(lab: LabServer) -> None:
    """Wait until the crawl asks for nothing more."""
    asked = -1
    while asked != len(lab.log.entries()) or not asked:
        asked = len(lab.log.entries())
        time.sleep(UNDER_WAY_S)


@contextmanager
def files_at_most(size_bytes: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: the system then fails to write, for another reason than room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
@pytest.mark.parametrize("bodies", [True, False])
def test_other_failures_stop_the_crawl_and_lose_nothing(lab: LabServer, tmp_path: Path, bodies: bool) -> None:
    chance = random.Random(bodies)
    why = "File too large" if bodies else "disk I/O error"
    task = make_quick_task(lab, delay_s=0.05, bodies=bodies)
    for turn in range(3):
        with Web(tmp_path) as web:
            crawl = web.start(again=web.tasks()) if turn else web.start(task)
            asked = len(lab.log.entries())
            while len(lab.log.entries()) < asked + 5:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 0.3))
            with files_at_most(1024), pytest.raises(StoreFailed, match=f"could not be written: .*{why}"):
                crawl.wait(_PATIENCE_S)
        check_state(tmp_path)
        check_archive(tmp_path)
    run(tmp_path, again=True)
    if bodies:
        check_all(lab, tmp_path)
    assert set(read_pages(tmp_path)) == set(get_world(lab).reachable())


IMPATIENT = "from gossamer.store.sqlite import open_database; open_database._WAIT_FOR_OTHERS_S = 0.5"


@pytest.mark.slow
@pytest.mark.parametrize("why", ["disk I/O error", "keeps it locked"])
def test_the_program_says_in_one_sentence_what_failed(lab: LabServer, tmp_path: Path, why: str) -> None:
    # Without bodies only the state can fail: else the archive may be the first that is not allowed to grow.
    with program(*crawl_of(lab, tmp_path), "--no-bodies", prelude=IMPATIENT) as crawl:
        crawl.until("page")
        with closing(sqlite3.connect(tmp_path / STATE, isolation_level=None)) as other:
            if why == "keeps it locked":
                other.execute("begin immediate")
            else:
                resource.prlimit(crawl.process.pid, resource.RLIMIT_FSIZE, (1024, 1024))
            code, errors = crawl.end()
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
