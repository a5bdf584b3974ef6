"""Killed crawls lose nothing and still respect the waits that hosts asked for; `make soak` kills more often."""

import itertools
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.crawl.harness import CLOCK_NOISE_S, LOOPBACK, Pages, Toy, make_command, make_link_page, read_pages
from tests.crawl.kills import kill_crawls

from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.web import Web

WAIT_S = 4
_PATIENCE_S = 600.0
"""A guard against hanging: on a busy machine nothing here has taken a minute."""
# The program without the batch that is written every second: only urgent batches are written.
NEVER_BY_AGE = "from gossamer.crawl.loop import write_batches; write_batches.BATCH_AGE_S = 1e9; from gossamer.cli import main; main.run()"


@pytest.mark.slow
def test_killed_crawls_lose_nothing_and_stay_polite(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = kill_crawls(12, tmp_path, seed)
    assert counts["kills"] == 12
    assert counts["pages"] > 100


def make_busy_hosts() -> Pages:
    """Return hosts that first ask for a wait, each in another way, and answer afterwards."""
    busy = (("Retry-After", str(WAIT_S)),)
    reasons = {
        "127.0.10.1": ("/", LabAnswer(429, busy)),
        "127.0.10.2": ("/", LabAnswer(503, busy)),
        "127.0.10.3": ("/robots.txt", LabAnswer(503, busy)),
        "127.0.10.4": ("/", LabAnswer(500)),
    }
    pages: Pages = {}
    for host, (target, answer) in reasons.items():
        answers = itertools.chain(
            [answer], itertools.repeat(make_link_page() if target == "/" else LabAnswer(404))
        )
        pages[host] = {"/robots.txt": LabAnswer(404), "/": make_link_page(), target: answers.__next__}
    robots = LabAnswer(200, (), f"User-agent: *\nCrawl-delay: {WAIT_S}\n".encode())
    pages["127.0.10.5"] = {"/robots.txt": robots, "/": make_link_page("/a"), "/a": make_link_page()}
    return pages


@pytest.mark.slow
def test_a_kill_right_after_a_host_asked_for_a_wait_does_not_shorten_it(tmp_path: Path) -> None:
    with serving(Toy(make_busy_hosts())) as lab:
        seeds = [lab.url(host) for host in lab.world.hosts()]
        politeness = ["--delay", "0.05", "--back-off", str(WAIT_S), "--tries", "9", "--scope", "any"]
        arguments = [*seeds, *politeness, "--allow-private", LOOPBACK[0], "--web", str(tmp_path), "--json"]
        with subprocess.Popen(
            [sys.executable, "-c", NEVER_BY_AGE, "crawl", *arguments], stdout=subprocess.DEVNULL
        ) as process:
            try:
                wait_until_noted(lab, tmp_path)
            finally:
                process.kill()
        subprocess.run(
            make_command("resume", "--web", str(tmp_path)),
            check=True,
            timeout=_PATIENCE_S,
            stdout=subprocess.DEVNULL,
        )
        assert sum(entry.status in (200, 404) for entry in lab.log.entries("127.0.10.5")) == 3
        for host in lab.world.hosts():
            first, second, *_ = [entry for entry in lab.log.entries(host) if must_wait(entry.target, host)]
            assert second.arrived_s - first.ended_s >= WAIT_S - CLOCK_NOISE_S, host
    assert len(read_pages(tmp_path)) == len(seeds) + 1


def must_wait(target: str, host: str) -> bool:
    """Return whether the host's wait applies between this request and the next."""
    return target != "/robots.txt" or host in ("127.0.10.3", "127.0.10.5")


def wait_until_noted(lab: LabServer, folder: Path) -> None:
    """Wait until the web has stored the wait of every host."""
    give_up_s = time.monotonic() + _PATIENCE_S
    missing = set(lab.world.hosts())
    while missing:
        assert time.monotonic() < give_up_s, f"the waits of {missing} were not stored"
        time.sleep(0.02)
        with suppress(BadInput), Web(folder, create=False, read_only=True) as web:  # it may not exist yet
            for host in list(missing):
                note = web.store.host(f"{host}:{lab.port}")
                if note is not None and note.ready_s > time.time():
                    missing.discard(host)
