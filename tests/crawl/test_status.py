"""Another process sees what a crawl does at every moment: its counts add up, and orders reach it soon."""

import json
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.crawl.harness import (
    HTML,
    LOOPBACK,
    Pages,
    Toy,
    check_state,
    make_command,
    make_link_page,
    make_quick_task,
    run,
    serve_lab,
)
from tests.crawl.kills import BusyWorld

from gossamer.crawl.control.command_mailbox import Change, Continue, Mailbox, Order, Stop, Submit, read_spec
from gossamer.crawl.status.read_status import list_documents, list_hosts, read_history, read_status
from gossamer.crawl.status.status_records import CountedDocument, CrawlStatus
from gossamer.crawl.task_counts import find_gaps, sum_prefix
from gossamer.lab.options import Trouble
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.request_log import RequestLog
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.store.batch import TaskNote
from gossamer.web import Web

LONGEST_S = 60.0


def make_world(seed: int, pages: int = 260) -> World:
    trouble = Trouble(redirect=0.1, not_found=0.05, sessions=0.1, disallowed=0.1, nofollow=0.05)
    return BusyWorld(seed=seed, hosts=7, pages=pages, trouble=trouble)


class StatusPoll:
    """Reads the status of a web as quickly as it can, and keeps what does not add up."""

    def __init__(self, folder: Path) -> None:
        Web(folder).close()
        self.folder = folder
        self.looks = 0
        self.gaps: list[object] = []
        self.names: Counter[str] = Counter()
        self._failure: BaseException | None = None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "StatusPoll":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with Web(self.folder, read_only=True) as web:
                while not self._end.is_set():
                    self._look(read_status(web.store, self.folder, time.time()))
        except BaseException as error:  # noqa: BLE001 - raised by `check`
            self._failure = error

    def _look(self, status: CrawlStatus) -> None:
        self.looks += 1
        for task in status.tasks:
            counts = task.note.counts
            self.names.update(counts)
            wrong = find_gaps(counts, task.waiting + task.under_way)
            wrong += [name for name in ("waiting", "under_way", "in_inboxes") if getattr(task, name) < 0]
            sums = [sum_prefix(counts, f"{name}:") for name in ("failed", "refused", "filtered")]
            if wrong or sums != [task.failed, task.refused, task.filtered]:
                self.gaps.append((wrong, task))

    def check(self, least: int = 20) -> None:
        if self._failure is not None:
            raise self._failure
        assert self.looks >= least
        assert not self.gaps, f"{len(self.gaps)} of {self.looks}: {self.gaps[:2]}"


def wait_for(web: Web, is_so: Callable[[CrawlStatus], bool]) -> CrawlStatus:
    """Return the first status that is as wanted."""
    until_s = time.monotonic() + LONGEST_S
    while time.monotonic() < until_s:
        status = read_status(web.store, web.folder, time.time())
        if is_so(status):
            return status
        time.sleep(0.01)
    raise AssertionError(f"this did not happen: {status}")


class SlowWorld(Toy):
    """A start page that links to pages at three hosts, each of which takes half a minute to answer."""

    def __init__(self) -> None:
        slow = LabAnswer(200, HTML, b"late", fault=Fault(delay_s=30.0))
        pages: Pages = {f"127.0.0.{number}": {f"/{page}": slow for page in range(4)} for number in (2, 3, 4)}
        super().__init__({"127.0.0.1": {}, **pages})

    def add_links(self, port: int) -> str:
        targets = [f"http://{host}:{port}/{page}" for host in list(self._pages)[1:] for page in range(4)]
        self._pages["127.0.0.1"]["/"] = make_link_page(*targets)
        return f"http://127.0.0.1:{port}/"


@contextmanager
def serve_slowly(log: RequestLog) -> Iterator[tuple[LabServer, str]]:
    world = SlowWorld()
    with serving(world, limits=Limits(patience_s=40.0), log=log) as running:
        yield running, world.add_links(running.port)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_an_order_stops_a_task_although_servers_are_slow(tmp_path: Path, processes: int) -> None:
    folder, log = tmp_path / "web", RequestLog()
    with serve_slowly(log) as (running, seed), Web(folder) as web:
        task = make_quick_task(running, seeds=[seed], delay_s=0.5)
        crawl = web.start(task, processes=processes)
        busy = wait_for(web, lambda status: status.tasks[0].under_way == 3)
        assert {visit.step for shard in busy.shards for visit in shard.visits} <= {"fetch", "robots", "work"}
        hosts = list_hosts(web.store, folder, time.time(), "next turn")
        assert [host.under_way for host in hosts] == [1, 1, 1]
        sent_s = time.time()
        send(folder, Stop(1, True, "paused by a person"))
        paused = wait_for(web, lambda status: status.tasks[0].note.state == "paused" and not status.running)
        assert time.time() - sent_s < 20.0  # a server would have taken 30 s
        crawl.wait()
        [state] = paused.tasks
        assert (state.waiting, state.under_way, state.note.counts["downloaded"]) == (12, 0, 1)
        assert not find_gaps(state.note.counts, 12)
        pauses = [note.ready_s for note in web.store.all_hosts() if not note.name.startswith("127.0.0.1:")]
        assert len(pauses) == 3
        assert min(pauses) > sent_s + 0.5  # a cancelled request counts for the pause of its host
    check_state(folder)


@pytest.mark.slow
def test_the_program_shows_what_another_process_crawls(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    with serve_slowly(RequestLog()) as (running, seed), Web(folder) as web:
        crawl = web.start(make_quick_task(running, seeds=[seed], name="late"))
        wait_for(web, lambda status: status.tasks[0].under_way == 3)
        shown = run_program("status", "--web", str(folder))
        assert all(word in shown for word in ("late", "running", "Fetched now", "fetch", "http://127.0.0.2:"))
        record = json.loads(run_program("status", "--web", str(folder), "--json"))
        [task] = record["tasks"]
        assert (task["under_way"], task["waiting"], task["active"]) == (3, 9, True)
        assert "spec" not in task["note"]
        assert {host["name"].partition(":")[0] for host in record["hosts"]} >= {"127.0.0.2", "127.0.0.3"}
        send(folder, Change(1, {"pages": 77}))
        send(folder, Submit(1, (f"{seed}?more",)))
        changed = wait_for(web, lambda status: read_spec(status.tasks[0].note).limits.pages == 77)
        assert f"{seed}?more" in read_spec(changed.tasks[0].note).seeds
        send(folder, Stop(1))
        crawl.wait()
    assert "stopped" in run_program("status", "--web", str(folder), "--follow")


def run_program(verb: str, *arguments: str) -> str:
    done = subprocess.run(
        make_command(verb, *arguments), capture_output=True, text=True, timeout=LONGEST_S, check=True
    )
    return done.stdout


def send(folder: Path, order: Order) -> None:
    Mailbox(folder, 0).append(order)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_counts_add_up_in_every_snapshot(tmp_path: Path, processes: int) -> None:
    folder = tmp_path / "web"
    with serve_lab(make_world(11, pages=140)) as running, StatusPoll(folder) as poll:
        task = make_quick_task(
            running, name="first", pages=40, depth=3, exclude=["[3-5]([./]|$)"], per_host=30
        )
        with Web(folder) as web:
            crawl = web.start(task, make_quick_task(running, name="second"), processes=processes)
            wait_for(web, lambda status: status.tasks[1].note.counts.get("downloaded", 0) > 20)
            send(folder, Change(1, {"pages": 400, "depth": 6, "exclude": [], "per_host": 0}))
            send(folder, Stop(2, False, "test"))
            stopped = wait_for(web, lambda status: status.tasks[1].note.state == "stopped")
            assert stopped.tasks[1].waiting > 0
            send(folder, Continue(2))
            send(folder, Submit(2, (f"{running.seeds[0]}?new",)))
            crawl.wait()
        poll.check()
        run(folder, again=True, pages=0, processes=processes)
    poll.check()
    assert {
        "downloaded",
        "redirected",
        "refused:robots",
        "failed:404",
        "filtered:exclude",
    } <= poll.names.keys()
    check_state(folder)
    with Web(folder, create=False) as web:
        end = read_status(web.store, folder, time.time())
        assert not end.running
        assert end.shards == []
        assert [(task.waiting, task.under_way, task.active) for task in end.tasks] == [(0, 0, False)] * 2
        _check_history(web, end)
        _check_lists(web, end)


def _check_history(web: Web, end: CrawlStatus) -> None:
    """Check that the history has what was counted."""
    for chosen in (None, 1, 2):
        history = read_history(web.store, chosen, 0.0, time.time() + 60)
        notes = [task.note for task in end.tasks if chosen in (None, task.note.number)]
        assert sum(history.pages) == sum(note.counts["downloaded"] for note in notes)
        assert sum(history.bytes) == sum(note.counts["bytes"] for note in notes)
        assert sum(history.failed) == sum(sum_prefix(note.counts, "failed:") for note in notes)
        assert history.waiting[-1] == 0


def _check_lists(web: Web, end: CrawlStatus) -> None:
    """Check that each count has its list."""
    for task in end.tasks:
        assert len(read_all(web, task.note.number, "queued", 50)) == task.note.counts["queued"]
        for name, times in task.note.counts.items():
            kind = name.partition(":")[0]
            if kind in ("downloaded", "redirected", "cache hits", "refused", "failed"):
                found = read_all(web, task.note.number, name)
                assert len(found) == times, (name, times, found[:3])


@pytest.mark.slow
def test_links_that_were_not_followed_are_judged_again(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    world = World(seed=11, hosts=3, pages=300, trouble=Trouble(nofollow=0.2, sessions=0.1, redirect=0.1))
    with serve_lab(world) as running:
        options = {"scope": "host", "depth": 2, "exclude": [r"p\d*[45]([./]|$)"], "seeds": running.seeds[:1]}
        run(folder, make_quick_task(running, name="first", **options))
        with Web(folder, create=False) as web:
            alone = _read_filtered(web, 1)
        run(folder, make_quick_task(running, name="second"))
    assert alone.keys() == {"filtered:scope", "filtered:depth", "filtered:exclude", "filtered:nofollow"}
    with Web(folder, create=False) as web:
        assert _read_filtered(web, 1) == alone  # another task has found much more
        assert set(read_all(web, 1, "filtered")) == set().union(*alone.values())
        for note in web.tasks():
            _check_wholes(web, note)


def _check_wholes(web: Web, note: TaskNote) -> None:
    """Check the lists of links that were checked and seen: each of them, with what became of it."""
    counts = note.counts
    checked = read_documents(web, note.number, "checked", 50)
    assert len(checked) == counts["checked"]
    fates = Counter(one.detail.partition(";")[0] for one in checked)
    assert fates["queued"] <= counts["queued"]
    seen = [(one.url, one.detail) for one in checked if one.detail.startswith("seen before")]
    assert [(one.url, one.detail) for one in read_documents(web, note.number, "seen", 30)] == seen
    # A link that a rule refused is among them if another link led to the same page.
    refused = sum_prefix(counts, "filtered:")
    assert counts["seen"] <= len(seen) <= counts["seen"] + refused
    queued = read_all(web, note.number, "queued", 20)
    assert len(queued) == len(set(queued)) == counts["queued"]
    ended = read_all(web, note.number, "loaded"), read_all(web, note.number, "not loaded")
    cached = read_all(web, note.number, "cache hits")
    assert sorted([*ended[0], *ended[1], *cached]) == sorted(queued)


def _read_filtered(web: Web, task: int) -> dict[str, set[str]]:
    """Return the lists of a task's counts of links that were not followed."""
    counts = web.tasks()[task - 1].counts
    lists = {name: set(read_all(web, task, name)) for name in counts if name.startswith("filtered:")}
    for name, found in lists.items():
        assert 0 < len(found) <= counts[name], name
    scheduled = {page.url for page in web.store.pages() if page.task == task}
    assert all(scheduled.isdisjoint(found) for found in lists.values())
    return lists


def read_all(web: Web, task: int, name: str, most: int = 7) -> list[str]:
    """Return the URLs of a list, page by page."""
    return [one.url for one in read_documents(web, task, name, most)]


def read_documents(web: Web, task: int, name: str, most: int) -> list[CountedDocument]:
    """Return a list, page by page."""
    found: list[CountedDocument] = []
    after = 0
    while True:
        some = list_documents(web.store, web.folder, task, name, after, most)
        found += some
        assert all(one.url for one in some), name
        after = some.next_after
        if not after:
            return found


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_counts_add_up_although_crawls_are_killed(tmp_path: Path, processes: int) -> None:
    folder, chance = tmp_path / "web", random.Random(5)
    with serve_lab(make_world(23)) as running, StatusPoll(folder) as poll:
        for number in range(4):
            given = ["--web", str(folder), "--processes", str(processes)]
            options = ["--scope", "any", "--delay", "0.01", "--allow-private", LOOPBACK[0]]
            command = (
                make_command("resume", *given)
                if number
                else make_command("crawl", running.seeds[0], *given, *options)
            )
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                if number < 3:
                    looks = poll.looks
                    while process.poll() is None and poll.looks < looks + 10:
                        time.sleep(0.02)
                    time.sleep(1.0 + chance.random())
                    process.send_signal(signal.SIGKILL)
                _, errors = process.communicate(timeout=LONGEST_S)
                assert process.returncode in (0, -signal.SIGKILL), errors
    poll.check()
    check_state(folder)
