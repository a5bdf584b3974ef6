"""Nothing is lost, however often a crawl is killed, and no host is forgotten that wants its peace. `make soak` does more."""

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

PEACE_S = 4
# The program, but for the batch that is written every second: whatever is in the web was written because it was urgent.
NEVER_BY_AGE = "from gossamer.crawl.loop import write_batches; write_batches.BATCH_AGE_S = 1e9; from gossamer.cli import main; main.run()"


@pytest.mark.slow
def test_nothing_is_lost_and_manners_are_kept_when_crawls_are_killed(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = kill_crawls(25, tmp_path, seed)
    assert counts["kills"] == 25
    assert counts["pages"] > 100


def wanting_peace() -> Pages:
    """Hosts that want to be left in peace for a while, each for its own reason; afterwards they answer."""
    busy = (("Retry-After", str(PEACE_S)),)
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
    robots = LabAnswer(200, (), f"User-agent: *\nCrawl-delay: {PEACE_S}\n".encode())
    pages["127.0.10.5"] = {"/robots.txt": robots, "/": make_link_page("/a"), "/a": make_link_page()}
    return pages


@pytest.mark.slow
def test_a_kill_right_after_a_host_asked_for_peace_does_not_disturb_it(tmp_path: Path) -> None:
    with serving(Toy(wanting_peace())) as lab:
        seeds = [lab.url(host) for host in lab.world.hosts()]
        manners = ["--delay", "0.05", "--back-off", str(PEACE_S), "--tries", "9", "--scope", "any"]
        told = [*seeds, *manners, "--allow-private", LOOPBACK[0], "--web", str(tmp_path), "--json"]
        with subprocess.Popen(
            [sys.executable, "-c", NEVER_BY_AGE, "crawl", *told], stdout=subprocess.DEVNULL
        ) as process:
            try:
                until_noted(lab, tmp_path)
            finally:
                process.kill()
        subprocess.run(
            make_command("resume", "--web", str(tmp_path)), check=True, timeout=60, stdout=subprocess.DEVNULL
        )
        assert sum(entry.status in (200, 404) for entry in lab.log.entries("127.0.10.5")) == 3
        for host in lab.world.hosts():
            first, second, *_ = [entry for entry in lab.log.entries(host) if after_peace(entry.target, host)]
            assert second.arrived_s - first.ended_s >= PEACE_S - CLOCK_NOISE_S, host
    assert len(read_pages(tmp_path)) == len(seeds) + 1


def after_peace(target: str, host: str) -> bool:
    """Say whether a request is one of those between which there is to be peace."""
    return target != "/robots.txt" or host in ("127.0.10.3", "127.0.10.5")


def until_noted(lab: LabServer, folder: Path) -> None:
    """Wait until the web knows of every host how long it is to be left in peace."""
    give_up_s = time.monotonic() + 30
    missing = set(lab.world.hosts())
    while missing:
        assert time.monotonic() < give_up_s, f"nobody wrote down that {missing} are to be left in peace"
        time.sleep(0.02)
        with suppress(BadInput), Web(folder, create=False, read_only=True) as web:  # it may not be there yet
            for host in list(missing):
                note = web.store.host(f"{host}:{lab.port}")
                if note is not None and note.ready_s > time.time():
                    missing.discard(host)
