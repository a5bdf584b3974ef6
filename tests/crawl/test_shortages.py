"""Crawls of a machine that has run out of something: nothing is lost, and no host is blamed."""

import asyncio
import json
import os
import resource
import socket
import subprocess
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.fetching import HERE, in_loop, make_bytes, make_options, open_fetcher, serve_bytes
from tests.crawl.harness import (
    EventLog,
    Pages,
    Toy,
    check_archive,
    check_state,
    make_command,
    make_link_page,
    make_quick_task,
    serve_lab,
)
from tests.few_files import leave_files

from gossamer.crawl.events import PageVisited
from gossamer.crawl.run.share_out_files import LEAST_FILES
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.http import curl_transfer
from gossamer.fetch.socket_shortage import Shortage
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Fetched
from gossamer.web import Web

FEW_FILES = 64
HOSTS = 120


def crawl_with_files(
    running: LabServer, folder: Path, files: int, *options: str
) -> subprocess.CompletedProcess[str]:
    """Crawl in a process that may open this many files."""
    usual = ["--scope", "any", "--delay", "0.05", "--adaptive", "0", "--back-off", "0.1", "--json"]
    usual += ["--allow-private", "127.0.0.0/8", "--web", str(folder), *options]
    return subprocess.run(
        make_command("crawl", *running.seeds, *usual),
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files)),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def read_counts(output: str) -> dict[str, Any]:
    """Return the counts with which the task ended."""
    [ended] = [event for line in output.splitlines() if "state" in (event := json.loads(line))]
    counts: dict[str, Any] = ended["counts"]
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "options"), [(FEW_FILES, ()), (LEAST_FILES, ()), (FEW_FILES, ("--processes", "2"))]
)
def test_a_crawl_with_few_descriptors_is_complete(
    tmp_path: Path, files: int, options: tuple[str, ...]
) -> None:
    world = World(seed=7, hosts=HOSTS, pages=2 * HOSTS)
    with serve_lab(world) as running:
        ended = crawl_with_files(running, tmp_path / "web", files, *options)
        assert (ended.returncode, ended.stderr) == (0, "")
        counts = read_counts(ended.stdout)
        truth = len(list(running.world.reachable()))  # type: ignore[attr-defined]
    assert counts["downloaded"] == counts["finished"] == truth > HOSTS
    assert not [name for name in counts if name.startswith(("failed", "refused"))]
    with Web(tmp_path / "web") as web:
        assert {visit.result for visit in web.store.all_visits()} == {"fetched", "robots"}
    check_state(tmp_path / "web")
    check_archive(tmp_path / "web")


def test_below_the_least_that_works_it_says_so_at_once(tmp_path: Path) -> None:
    with serving(Toy({"127.0.0.1": {"/": make_link_page()}})) as running:
        ended = crawl_with_files(running, tmp_path / "web", LEAST_FILES - 1)
        assert not running.log.entries()
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert f"needs {LEAST_FILES} open files and this process may have {LEAST_FILES - 1}" in ended.stderr
    assert not (tmp_path / "web").exists()


class Hog(EventLog):
    """Takes all descriptors of this process after some pages, and gives them back at the notice that there are none."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self._pages = pages
        self._taken: list[int] = []

    def __call__(self, event: Any) -> None:
        super().__call__(event)
        if isinstance(event, PageVisited) and len(self.visits) == self._pages:
            try:
                while True:
                    self._taken.append(os.dup(0))
            except OSError:
                return
        if "no file descriptor left" in getattr(event, "text", ""):
            for descriptor in self._taken:
                os.close(descriptor)
            self._taken.clear()


@pytest.mark.slow
def test_a_crawl_whose_program_takes_all_descriptors_waits_and_loses_nothing(tmp_path: Path) -> None:
    hosts = [f"127.0.1.{number}" for number in range(1, 21)]
    everywhere = make_link_page(*(f"//{host}:PORT/" for host in hosts))
    pages: Pages = {host: {"/robots.txt": LabAnswer(404), "/": everywhere} for host in hosts}
    hog = Hog(1)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with serving(Toy(pages), processes=1) as running:
        for host in hosts:
            body = everywhere.body.replace(b"PORT", str(running.port).encode())
            pages[host]["/"] = LabAnswer(200, everywhere.headers, body)
        try:
            task = make_quick_task(running, seeds=[running.url(hosts[0])], tries=1)
            with Web(tmp_path / "web") as web:
                web.run(
                    [task],
                    watcher=hog,
                    ready=lambda _: resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1_024), hard)),
                )
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert hog.get_end().counts["downloaded"] == len(hosts)
    assert sum("no file descriptor left" in text for text in hog.notices) == 1
    assert not [text for text in hog.notices if "network" in text]
    assert {visit.result for visit in hog.visits} == {"fetched"}


class TestClient:
    @in_loop
    async def test_no_descriptors_are_no_failure_of_the_server(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            for left in range(8):
                with leave_files(left):
                    outcome = await fetcher.fetch(server.url(), HERE, make_options())
                    if isinstance(outcome, Fetched):
                        break
                assert isinstance(outcome, Shortage), left
                assert "ulimit -n" in outcome.what
            assert 0 < left < 8
            assert fetcher.unanswered == 0
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)

    @in_loop
    async def test_certificates_that_no_descriptor_was_left_for_are_no_failure_of_the_server(self) -> None:
        taken: list[int] = []
        with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
            usual = curl_transfer._EasyHandle._configure_socket

            def take_the_rest(handle: Any, descriptor: int, purpose: int) -> int:
                result = usual(handle, descriptor, purpose)
                with suppress(OSError):
                    while True:
                        taken.append(os.dup(0))
                return result

            patch.setattr(curl_transfer._EasyHandle, "_configure_socket", take_the_rest)
            url = f"https://127.0.0.1:{server.getsockname()[1]}/"
            async with open_fetcher() as fetcher:
                with leave_files(20):
                    outcome = await fetcher.fetch(url, HERE, make_options())
                    for descriptor in taken:
                        os.close(descriptor)
        assert taken
        assert isinstance(outcome, Shortage)
        assert not outcome.sent

    @in_loop
    async def test_idle_connections_are_closed_when_nothing_else_is_under_way(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            for number in range(1, 6):
                await fetcher.fetch(server.url(host=f"{number}.example"), HERE, make_options())
            with leave_files(0):
                first = await fetcher.fetch(server.url(host="6.example"), HERE, make_options())
                second = await fetcher.fetch(server.url(host="6.example"), HERE, make_options())
            assert isinstance(first, Shortage)
            assert isinstance(second, Fetched)

    @in_loop
    async def test_idle_connections_make_room_for_others(self) -> None:
        async with (
            serve_bytes(make_bytes(), keep_open=True) as server,
            open_fetcher(most_connections=3) as fetcher,
        ):
            for number in range(1, 8):
                outcome = await fetcher.fetch(server.url(host=f"{number}.example"), HERE, make_options())
                assert isinstance(outcome, Fetched)
            assert server.connections == 7
            last = await fetcher.fetch(server.url(host="7.example"), HERE, make_options())
            assert isinstance(last, Fetched)
            assert server.connections == 7


class TestSpentBudget:
    """A transfer that waits for room in our memory does not wait for its server."""

    @in_loop
    async def test_time_that_runs_out_in_the_wait_for_memory_is_not_the_servers(self) -> None:
        budget = BodyBudget(1000)
        budget.add("another transfer, slow and older", 5000)
        async with serve_bytes(make_bytes(b"x" * 300_000)) as server, open_fetcher(budget=budget) as fetcher:
            outcome = await fetcher.fetch(server.url(), HERE, make_options(page_time_s=0.6))
            assert isinstance(outcome, Shortage)
            assert outcome.sent
            assert "memory" in outcome.what
            assert fetcher.unanswered == 0
            budget.release("another transfer, slow and older")
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)

    @in_loop
    async def test_nor_is_time_of_which_most_was_spent_in_that_wait(self) -> None:
        budget = BodyBudget(1000)
        budget.add("another transfer, slow and older", 5000)
        # Less than it announces: the rest never comes.
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\nhello"
        async with (
            serve_bytes(answer, keep_open=True) as server,
            open_fetcher(budget=budget) as fetcher,
        ):
            under_way = asyncio.create_task(fetcher.fetch(server.url(), HERE, make_options(page_time_s=0.6)))
            await asyncio.sleep(0.5)
            budget.release("another transfer, slow and older")
            outcome = await under_way
            assert isinstance(outcome, Shortage)
            slow = await fetcher.fetch(server.url(), HERE, make_options(page_time_s=0.3))
            assert isinstance(slow, Fetched), "this time it did not wait for us"
            assert slow.exchange.cut == "time"
