"""Pages that are built to exhaust memory or to kill their reader: the crawl goes on, and says what it left out."""

import asyncio
import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import HTML, LOOPBACK, Toy, make_command, read_pages

from gossamer.config import Fetching
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.net import url as urls
from gossamer.records import Failed, Fetched
from gossamer.web import Web

HOST = "127.0.77.1"
PATIENCE_S = 120.0
"""A guard against hanging: nothing here takes ten seconds."""
MALFORMED = b"<b><p></b>"

# Runs the program with a reader that dies: argv[1] is where, argv[2:] the command line.
DEADLY = """
import os, signal, sys
from gossamer.net.html import read_html
from gossamer.search.index import read_archived_page
from gossamer.cli.main import run_verb

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[1] == "crawl":
    whole = read_html._read_tree
    read_html._read_tree = lambda url, *more: (kill if url.endswith("/deadly") else whole)(url, *more)
if sys.argv[1] == "index":
    whole = read_archived_page._read_html
    read_archived_page._read_html = lambda page, *more: (kill if page.url.endswith("/heavy") else whole)(page, *more)
sys.exit(run_verb(sys.argv[2:]))
"""

# Runs a command and prints the most kilobytes that it had in memory.
PRINT_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.fixture
def lab() -> Iterator[LabServer]:
    links = b"".join(b"<a href=/%s>x</a>" % name for name in (b"deadly", b"heavy", b"after"))
    pages = {
        "/": LabAnswer(200, HTML, links),
        "/robots.txt": LabAnswer(404),
        "/deadly": LabAnswer(200, HTML, MALFORMED + b"<a href=lost>x</a>"),
        "/heavy": LabAnswer(200, HTML, MALFORMED + b"heavy"),
        "/after": LabAnswer(200, HTML, MALFORMED + b"<a href=last>x</a>"),
        "/last": LabAnswer(200, HTML, b"last"),
    }
    with serving(Toy({HOST: pages})) as running:  # type: ignore[dict-item]
        yield running


def run_deadly(where: str, *arguments: str) -> int:
    command = [sys.executable, "-c", DEADLY, where, *arguments]
    return subprocess.run(command, check=False, capture_output=True, timeout=PATIENCE_S).returncode


def explain(url: str, web: Path) -> str:
    return subprocess.run(
        make_command("explain", url, "--web", str(web)), check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.slow
def test_a_page_that_killed_the_reader_twice_is_kept_as_bytes(lab: LabServer, tmp_path: Path) -> None:
    web, start = str(tmp_path / "web"), lab.seeds[0]
    options = ["--delay", "0", "--allow-private", LOOPBACK[0], "--web", web]
    assert run_deadly("crawl", "crawl", start, *options) == -signal.SIGKILL
    assert run_deadly("crawl", "resume", "--web", web) == -signal.SIGKILL
    assert run_deadly("crawl", "resume", "--web", web) == 0
    pages = {page.url.removeprefix(start): page for page in read_pages(tmp_path / "web").values()}
    assert set(pages) == {"", "deadly", "heavy", "after", "last"}
    assert pages["deadly"].marks == {"unreadable": "reading it killed the program twice"}
    assert pages["deadly"].warc
    assert not pages["heavy"].marks
    said = explain(f"{start}deadly", tmp_path / "web")
    assert "It is kept as bytes and not read" in said
    assert "killed the program 2 times" in said

    assert run_deadly("index", "index", "--web", web) == -signal.SIGKILL
    assert run_deadly("index", "index", "--web", web) == -signal.SIGKILL
    assert run_deadly("index", "index", "--web", web) == 0
    assert "killed the program 2 times" in explain(f"{start}heavy", tmp_path / "web")
    with Web(tmp_path / "web") as opened:
        assert opened.store.page(urls.page_id(f"{start}heavy")) is not None


def make_hostile_page(size: int) -> bytes:
    """Return a page of fonts that are never closed, with text where samples of the page would be taken."""
    pieces, number, length = [], 0, 0
    while length < size:
        pieces.append(b"text" * 100)
        until = length + 8_000
        length += 400
        while length < until:
            pieces.append(b"<p><font size=%d>" % number)
            length += len(pieces[-1])
            number += 1
    return b"".join(pieces)


@pytest.mark.slow
def test_hostile_pages_are_read_within_bounded_memory(tmp_path: Path) -> None:
    hosts = [f"127.0.78.{number}" for number in range(1, 9)]
    fonts = LabAnswer(200, HTML, make_hostile_page(1_000_000))
    many = "".join(f"<a href=/{number}>x" for number in range(250_000)).encode()
    links = LabAnswer(200, (*HTML, ("Content-Encoding", "gzip")), gzip.compress(many, 1))
    world = Toy({host: {"/": links if place % 2 else fonts} for place, host in enumerate(hosts)})
    with serving(world) as running:
        options = ["--delay", "0", "--depth", "0", "--no-robots", "--allow-private", LOOPBACK[0]]
        port = running.seeds[0].rpartition(":")[2]
        starts = [f"http://{host}:{port}" for host in hosts]
        command = make_command("crawl", *starts, *options, "--web", str(tmp_path / "web"), "--json")
        # Started by a small process of its own: a child begins with the memory of its parent, which ran other tests.
        measured = [sys.executable, "-c", PRINT_PEAK, *command]
        ran = subprocess.run(measured, check=True, capture_output=True, timeout=PATIENCE_S)
    # One page of fonts took 3 GB, and the links of one 130 MB.
    assert int(ran.stdout.split()[-1]) < 700_000
    marks = [page.marks for page in read_pages(tmp_path / "web").values()]
    assert sorted(map(str, map(list, marks))) == ["['links-cut']"] * 4 + ["['reduced']"] * 4
    assert {mark["links-cut"] for mark in marks if "links-cut" in mark} == {"230000"}


@pytest.mark.slow
def test_bodies_that_arrive_together_wait_for_room_and_arrive_whole() -> None:
    body = os.urandom(1_000_000)
    packed = gzip.compress(body + bytes(200_000))
    bomb = gzip.compress(bytes(5_000_000))
    pages = {
        "/plain": LabAnswer(200, HTML, body),
        "/packed": LabAnswer(200, (*HTML, ("Content-Encoding", "gzip")), packed),
        "/bomb": LabAnswer(200, (*HTML, ("Content-Encoding", "gzip")), bomb),
    }
    most: list[int] = []

    async def fetch_all(start: str) -> list[object]:
        budget = BodyBudget(300_000)
        whole = budget.add

        def add(transfer: object, piece_bytes: int) -> None:
            whole(transfer, piece_bytes)
            most.append(budget.held_bytes)

        budget.add = add  # type: ignore[method-assign]
        fetcher = CurlFetcher(budget=budget)
        options = FetchOptions(Fetching(allow_private=tuple(LOOPBACK), page_time_s=PATIENCE_S), "test")
        where = HostAddresses((HOST,))
        try:
            names = ["plain", "packed", "bomb"] * 6
            return await asyncio.gather(*(fetcher.fetch(start + name, where, options) for name in names))
        finally:
            await fetcher.close()
            assert budget.held_bytes == 0

    with serving(Toy({HOST: pages})) as running:  # type: ignore[dict-item]
        outcomes = asyncio.run(fetch_all(running.seeds[0]))
    assert [len(one.exchange.body) for one in outcomes if isinstance(one, Fetched)] == [
        1_000_000,
        1_200_000,
    ] * 6
    assert [one.cause for one in outcomes if isinstance(one, Failed)] == ["too_large"] * 6
    # All of them together hold 20 MB; the oldest one at a time goes beyond the budget.
    assert max(most) < 300_000 + 3_000_000
