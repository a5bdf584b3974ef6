"""Kill crawls at random moments, resume them, and check that nothing was lost: python -m tests.crawl.kills 1000

Each crawl is the real program in its own process, killed by SIGKILL and resumed until it finishes. Then the web, the
archive and the server's log are compared with the truth of the world.
"""

import argparse
import itertools
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path

from tests.crawl.harness import (
    CLOCK_NOISE_S,
    LOOPBACK,
    check_archive,
    check_links,
    check_polite,
    check_state,
    end_at_kills,
    get_world,
    make_command,
    read_pages,
    read_robots,
    serve_lab,
)
from tests.crawl.hostile_pages import PAGES, answer_hostile, list_hostile_urls

from gossamer.lab.options import Trouble
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import LabServer
from gossamer.lab.world.world import World
from gossamer.web import STATE, Web

DELAY_S = 0.05
CRAWL_DELAY_S = 0.2
LONGEST_LIFE_S = 2.0
"""The longest time from a crawl's first output to its kill: twice as long as a batch stays unwritten."""
RETRY_AFTER_S = 3
TURNED_AWAY = {429, 503}
NOTED_S = 1.0
"""A crawl killed sooner than this after a Retry-After may not have stored it."""
_PATIENCE_S = 1200.0
"""A guard against hanging."""
_PROGRESS_EVERY_S = 10.0


class BusyWorld(World):
    """A world in which some pages answer the first request with Retry-After, and some are built against their reader."""

    def _build(self) -> None:
        super()._build()
        self._requested: set[tuple[str, str]] = set()

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request."""
        if (hostile := answer_hostile(asked.target)) is not None:
            return hostile
        page = (asked.host, asked.target)
        draw = zlib.crc32("".join(page).encode())
        if draw % 30 or asked.target == "/robots.txt" or page in self._requested:
            return super().answer(asked, now_s)
        self._requested.add(page)
        return LabAnswer(429 if draw % 60 else 503, (("Retry-After", str(RETRY_AFTER_S)),))


class Quota:
    """The number of kills left for all chains together, and the counts of what happened."""

    def __init__(self, kills: int) -> None:
        self.left = kills
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take one kill if one is left; return whether it was."""
        with self._lock:
            taken = self.left > 0
            self.left -= taken
            return taken

    def end(self) -> None:
        """Take all kills that are left, after a failure."""
        with self._lock:
            self.left = 0

    def give_back(self) -> None:
        """Return a kill that was not used."""
        with self._lock:
            self.left += 1

    def count(self, what: str, times: int = 1) -> None:
        """Count something that happened."""
        with self._lock:
            self.counts[what] += times


def make_world(chance: random.Random) -> World:
    """Make a small world with redirects, errors, robots rules and delays: many things can be interrupted."""
    trouble = Trouble(
        redirect=0.1,
        not_found=0.05,
        sessions=0.2,
        disallowed=0.1,
        nofollow=0.05,
        crawl_delay=0.2,
        crawl_delay_s=CRAWL_DELAY_S,
    )
    shape = {"hosts": chance.randrange(4, 10), "pages": chance.randrange(80, 200)}
    return BusyWorld(seed=chance.randrange(10**6), trouble=trouble, **shape)


def kill_crawls(
    kills: int,
    folder: Path,
    seed: int = 1,
    chains: int = 3,
    on_progress: Callable[[Quota], None] | None = None,
    processes: Sequence[int] = (1,),
) -> Counter[str]:
    """Kill crawls, several at the same time, `kills` times in all; return the counts. Raise if anything is wrong.

    Each run has one of the given numbers of processes; one of several may be killed instead of all.
    """
    quota = Quota(kills)
    with ThreadPoolExecutor(chains) as pool:
        ends = [
            pool.submit(_run_chain, folder / f"chain{n}", random.Random(seed * 1000 + n), quota, processes)
            for n in range(chains)
        ]
        while on_progress is not None and wait(ends, _PROGRESS_EVERY_S).not_done:
            on_progress(quota)
    for end in ends:
        end.result()
    return quota.counts


def _run_chain(folder: Path, chance: random.Random, quota: Quota, processes: Sequence[int]) -> None:
    """Crawl one world after the other until no kill is left."""
    folder.mkdir(parents=True)
    while quota.left:
        web = folder / f"web{quota.counts['crawls']}-{chance.randrange(10**6)}"
        try:
            with serve_lab(make_world(chance)) as running:
                killed_s = _crawl_with_kills(running, web, chance, quota, processes)
                check(running, web, killed_s)
                quota.count("turned away", check_turned_away(running, killed_s))
            quota.count("crawls")
            quota.count("pages", len(read_pages(web)))
        except BaseException:
            quota.end()
            raise
        shutil.rmtree(web)


def _crawl_with_kills(
    running: LabServer, web: Path, chance: random.Random, quota: Quota, processes: Sequence[int]
) -> list[float]:
    """Start the crawl, kill it and resume it until it ends by itself; return when it was killed."""
    killed_s: list[float] = []
    while True:
        several = chance.choice(processes)
        with subprocess.Popen(
            [*_make_next_command(running, web), "--processes", str(several)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            if several > 1 and chance.random() < 0.5 and quota.take():
                killed_s += _kill_one_process(process, chance, quota)
            killed = quota.take()
            if killed:
                _kill_at_random_time(process, chance)
                killed_s.append(time.monotonic())
            _, errors = process.communicate(timeout=_PATIENCE_S)
        if killed and process.returncode == 0:
            quota.give_back()  # the crawl had ended before
        elif killed:
            quota.count("kills")
            if _has_task(web):
                check_state(web)
            continue
        assert process.returncode == 0, errors
        return killed_s


def _make_next_command(running: LabServer, web: Path) -> list[str]:
    """Return the command that resumes the task of the web, or starts one if there is none."""
    if _has_task(web):
        return make_command("resume", "--web", str(web), "--json")
    politeness = ["--delay", str(DELAY_S), "--adaptive", "0", "--back-off", "0.1"]
    guard = ["--allow-private", LOOPBACK[0], "--scope", "any"]
    seeds = [*running.seeds, *list_hostile_urls(running)]
    return make_command("crawl", *seeds, *politeness, *guard, "--web", str(web), "--json")


def _has_task(web: Path) -> bool:
    if not (web / STATE).exists():
        return False
    with Web(web) as opened:
        return bool(opened.tasks())


def _kill_at_random_time(process: "subprocess.Popen[str]", chance: random.Random) -> None:
    """Kill a crawl, sometimes while it starts, mostly while it works."""
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0.0, 2.0))
    else:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.0, LONGEST_LIFE_S))
    process.kill()


def _kill_one_process(process: "subprocess.Popen[str]", chance: random.Random, quota: Quota) -> list[float]:
    """Kill one of a working crawl's processes; return when, or nothing if there was none."""
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(chance.uniform(0.0, LONGEST_LIFE_S))
    children = list_shard_pids(process.pid)
    if not children:
        quota.give_back()
        return []
    with suppress(ProcessLookupError):
        os.kill(chance.choice(children), signal.SIGKILL)
    quota.count("kills")
    quota.count("kills of one process")
    return [time.monotonic()]


def list_shard_pids(process: int) -> list[int]:
    """Return the ids of the processes that a crawl has started."""
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def check(running: LabServer, web: Path, killed_s: list[float]) -> None:
    """Compare a web, its archive and the server's log with the truth of the world."""
    world = get_world(running)
    reached = world.reachable()
    hostile = list_hostile_urls(running)
    expected = {*reached, *hostile}
    pages = read_pages(web)
    assert set(pages) == expected, "pages are missing, or there are too many"
    check_state(web)
    check_links(web, world, list(reached))
    assert check_archive(web)["page"] == len(expected)
    with Web(web) as opened:
        [note] = opened.tasks()
        assert (note.state, note.reason) == ("finished", "nothing left to fetch")
        assert note.counts["downloaded"] == len(expected)
        assert opened.store.counts()["waiting"] == 0
    requests = Counter(entry.target for entry in running.log.entries(world.hosts()[0]))
    assert all(requests[target] <= len(killed_s) + 1 for target in PAGES), (
        "a page was tried again without a kill"
    )
    check_polite(running.log, DELAY_S, killed_s=killed_s)
    for host in world.hosts():
        if "Crawl-delay" in read_robots(world, host):
            check_polite(running.log, CRAWL_DELAY_S, host=host, killed_s=killed_s)


def check_turned_away(running: LabServer, killed_s: list[float]) -> int:
    """Check that every Retry-After was respected, despite kills; return how many there were."""
    checked = 0
    for host in running.world.hosts():
        for one, after in itertools.pairwise(end_at_kills(running.log.entries(host), killed_s)):
            if one.status not in TURNED_AWAY:
                continue
            waited_s = after.arrived_s - one.ended_s
            unstored = any(one.ended_s <= kill_s <= one.ended_s + NOTED_S for kill_s in killed_s)
            assert unstored or waited_s >= RETRY_AFTER_S - CLOCK_NOISE_S, (
                f"{host}: {after.target} arrived {waited_s:.3f} s after Retry-After on {one.target}"
            )
            checked += 1
    return checked


def main() -> None:
    """Kill crawls as often as the command line says."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kills", type=int, nargs="?", default=25, help="how often, in all crawls together")
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--chains", type=int, default=3, help="crawls at the same time")
    options.add_argument("--processes", type=int, nargs="+", default=[1, 2, 3], help="of a crawl, by chance")
    arguments = options.parse_args()
    began_s = time.monotonic()
    scratch = Path(tempfile.mkdtemp(prefix="gossamer-kills-"))

    def print_progress(quota: Quota) -> None:
        print(f"{_format_counts(quota.counts, began_s)}; {quota.left:,} kills are left", flush=True)

    try:
        counts = kill_crawls(
            arguments.kills,
            scratch,
            seed=arguments.seed,
            chains=arguments.chains,
            on_progress=print_progress,
            processes=arguments.processes,
        )
    except BaseException:
        print(f"seed {arguments.seed}: pages were lost or requests came too soon; the web is in {scratch}")
        raise
    shutil.rmtree(scratch)
    print(f"{_format_counts(counts, began_s)}, seed {arguments.seed}: nothing was lost")


def _format_counts(counts: Counter[str], began_s: float) -> str:
    kinds = ("kills", "crawls", "pages", "turned away")
    text = ", ".join(f"{counts[kind]:,} {kind}" for kind in kinds)
    return f"{text} in {time.monotonic() - began_s:,.0f} s"


if __name__ == "__main__":
    main()
