"""Crawls that stall: the watchdog reports the cause, restarts what died, and loses no page."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import (
    EventLog,
    Pages,
    Toy,
    check_archive,
    check_state,
    get_world,
    make_link_page,
    make_quick_task,
    read_pages,
    serve_lab,
)

from gossamer.crawl.loop import stall_reasons, watchdog
from gossamer.crawl.read_page import Reading
from gossamer.crawl.run.background import RunningCrawl
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Page
from gossamer.web import STATE, Web

pytestmark = pytest.mark.slow
HOST, STALLING = "127.0.11.1", "127.0.11.2"
WORLD = World(seed=8, hosts=10, pages=100)
SHORT = {"connect_time_s": 1.0, "first_byte_time_s": 2.0, "page_time_s": 2.0, "tries": 2}
_PATIENCE_S = 600.0
"""A guard against hanging: on a busy machine nothing here has taken a minute."""


@pytest.fixture(autouse=True)
def impatient_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "CHECK_S", 0.05)
    monkeypatch.setattr(watchdog, "STALL_S", 0.5)
    for name, time_s in {"SLACK_S": 0.3, "FUNCTION_S": 1.0}.items():
        monkeypatch.setattr(stall_reasons, name, time_s)


@pytest.fixture
def lab() -> Iterator[LabServer]:
    stalling = LabAnswer(200, (), b"x" * 100, fault=Fault(stall_after=10))
    pages: Pages = {
        HOST: {
            "/robots.txt": LabAnswer(404),
            "/": make_link_page("/a", "/b"),
            "/a": make_link_page(),
            "/b": make_link_page(),
        },
        STALLING: {"/robots.txt": LabAnswer(404), "/": stalling},
    }
    with serving(Toy(pages), limits=Limits(patience_s=5.0)) as running:
        yield running


class NoticeLog(EventLog):
    """Collects events, and calls a function at the first notice with the given words."""

    def __init__(self, words: str = "", then: Callable[[], Any] = lambda: None) -> None:
        super().__init__()
        self._words = words
        self._then = then

    def __call__(self, event: Any) -> None:
        super().__call__(event)
        if self._words and self._words in getattr(event, "text", ""):
            self._words = ""
            self._then()

    def count_notices(self, words: str) -> int:
        """Count the notices with these words."""
        return sum(words in text for text in self.notices)


class ActionLog(NoticeLog):
    """Collects events; calls one function after some pages and another at a notice with the given words."""

    def __init__(self, pages: int, do: Callable[[], Any], words: str, then: Callable[[], Any]) -> None:
        super().__init__(words, then)
        self._pages = pages
        self._do: Callable[[], Any] | None = do

    def __call__(self, event: Any) -> None:
        super().__call__(event)
        if self._do is not None and len(self.visits) == self._pages:
            do, self._do = self._do, None
            do()


def crawl(
    folder: Path, task: Task, events: NoticeLog, ready: Callable[[RunningCrawl], None] | None = None
) -> NoticeLog:
    with Web(folder) as web:
        web.run([task], watcher=events, ready=ready)
    check_state(folder)
    check_archive(folder)
    return events


def test_a_classifier_that_never_returns_is_reported_and_its_page_is_given_up(
    lab: LabServer, tmp_path: Path
) -> None:
    task = make_quick_task(lab, **SHORT)

    @task.page_classifier
    async def ponder(reading: Reading) -> None:
        if reading.page.url.endswith("/a"):
            await asyncio.Event().wait()

    events = crawl(tmp_path, task, NoticeLog())
    assert events.count_notices("no visit has ended: ponder has not returned for") >= 1
    assert events.count_notices("it will be retried") == 1
    assert events.count_notices("it is given up") == 1
    counts = events.get_end().counts
    assert (counts["downloaded"], counts["failed:timeout"]) == (2, 1)
    assert [entry.target for entry in lab.log.entries(HOST)].count("/a") == 2
    assert {url.rpartition("/")[2] for url in read_pages(tmp_path)} == {"", "b"}


def test_a_listener_that_never_returns_costs_no_page(lab: LabServer, tmp_path: Path) -> None:
    task = make_quick_task(lab, **SHORT)

    @task.listener
    async def dream(page: Page) -> None:
        if page.url.endswith("/a"):
            await asyncio.Event().wait()

    events = crawl(tmp_path, task, NoticeLog())
    assert events.count_notices("dream has not returned for") >= 1
    assert events.get_end().counts["downloaded"] == 3
    assert [entry.target for entry in lab.log.entries(HOST)].count("/a") == 1


def test_a_function_that_blocks_the_event_loop_is_reported_by_the_thread(
    lab: LabServer, tmp_path: Path
) -> None:
    named = threading.Event()
    task = make_quick_task(lab)

    @task.link_filter
    def brood(link: object) -> bool:
        return named.wait(_PATIENCE_S)

    events = crawl(tmp_path, task, NoticeLog("the crawl waits for brood", named.set))
    assert named.is_set()
    assert events.count_notices(f"on {lab.url(HOST)}") == 1
    assert events.count_notices("the crawl continues, after") == 1
    assert events.get_end().counts["downloaded"] == 3


def test_an_end_function_that_does_not_return_is_reported(lab: LabServer, tmp_path: Path) -> None:
    named = asyncio.Event()
    task = make_quick_task(lab)

    @task.at_end
    async def farewell(task: Task, reason: str) -> None:
        await named.wait()

    events = crawl(tmp_path, task, NoticeLog("farewell was called at the end of a task", named.set))
    assert named.is_set()
    assert events.get_end().counts["downloaded"] == 3


def test_a_database_that_another_program_locks_is_reported(lab: LabServer, tmp_path: Path) -> None:
    with (
        Web(tmp_path),
        closing(sqlite3.connect(tmp_path / STATE, isolation_level=None, check_same_thread=False)) as other,
    ):
        words = "has locked the state of the web"
        events = ActionLog(1, lambda: other.execute("begin immediate"), words, other.rollback)
        crawl(tmp_path, make_quick_task(lab), events)
        assert events.count_notices(words) == 1
        assert not other.in_transaction
    assert events.get_end().counts["downloaded"] == 3


def test_servers_that_do_not_answer_are_reported(lab: LabServer, tmp_path: Path) -> None:
    slow = {"first_byte_time_s": 4.0, "page_time_s": 4.0, "tries": 1}
    events = crawl(tmp_path, make_quick_task(lab, seeds=[lab.url(STALLING)], **slow), NoticeLog())
    assert events.count_notices(f"no answer has come from {STALLING}:{lab.port}") == 1


def break_fetcher(fetcher: CurlFetcher) -> None:
    """Disable everything that wakes libcurl, its time limits included."""
    transfers: Any = fetcher._transfers
    transfers._loop.remove_reader(transfers._watch._epoll.fileno())
    transfers._on_ready = transfers._end_the_silent = lambda *_: None
    for timer in (transfers._timer, transfers._first_byte_timer):
        if timer is not None:
            timer.cancel()


def test_a_fetcher_that_died_is_renewed(tmp_path: Path) -> None:
    crawls: list[Any] = []
    with serve_lab(WORLD) as lab:
        events = ActionLog(30, lambda: break_fetcher(crawls[0].crawl._fetcher._http), "", lambda: None)
        crawl(tmp_path, make_quick_task(lab, **SHORT | {"tries": 6}), events, crawls.append)
        assert set(read_pages(tmp_path)) == set(get_world(lab).reachable())
    assert events.count_notices("connections and name look-ups are renewed") == 1


def test_a_network_that_is_down_is_reported_and_the_crawl_continues_when_it_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "UNANSWERED", 5)
    with ExitStack() as up, ExitStack() as up_again:
        lab = up.enter_context(serve_lab(WORLD))

        def restart_server() -> None:
            for _ in range(600):  # another program may have taken the port meanwhile
                with suppress(BadInput):
                    up_again.enter_context(serving(WORLD, port=lab.port))
                    return
                time.sleep(0.1)

        restarting = threading.Thread(target=restart_server)
        events = ActionLog(30, up.close, "requests in a row were not answered", restarting.start)
        crawl(tmp_path, make_quick_task(lab, **SHORT | {"tries": 6, "back_off_s": 0.5}), events)
        restarting.join()
        assert set(read_pages(tmp_path)) == set(get_world(lab).reachable())
