"""Kill crawls at random moments, go on with them, and see that nothing was lost: python -m tests.crawl.kills 1000

Each crawl is the real program in a process of its own, ended by SIGKILL again and again until it comes to its end. Then
web, archive and the server's log are compared with what is true of the world.
"""

import argparse
import random
import subprocess
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.crawl.harness import (
    LOOPBACK,
    check_archive,
    check_links,
    check_polite,
    check_state,
    command,
    pages_of,
    served,
)

from gossamer.lab.answer import Asked
from gossamer.lab.options import Trouble
from gossamer.lab.server import Running
from gossamer.lab.world import World
from gossamer.web import STATE, Web

DELAY_S = 0.05
CRAWL_DELAY_S = 0.2
LONGEST_LIFE_S = 2.0
"""After its first word a crawl lives so long at most: twice as long as a batch stays unwritten."""
_PATIENCE_S = 120.0


class Quota:
    """So many kills are left, for all chains together."""

    def __init__(self, kills: int) -> None:
        self.left = kills
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take one, if one is left."""
        with self._lock:
            taken = self.left > 0
            self.left -= taken
            return taken

    def give_back(self) -> None:
        """Put one back that was not used."""
        with self._lock:
            self.left += 1

    def count(self, what: str, times: int = 1) -> None:
        """Count something that happened."""
        with self._lock:
            self.counts[what] += times


def world_for(chance: random.Random) -> World:
    """Make a small world in which many things can be half done."""
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
    return World(seed=chance.randrange(10**6), trouble=trouble, **shape)


def kill_crawls(kills: int, folder: Path, seed: int = 1, chains: int = 3) -> Counter[str]:
    """Kill so many times, in several crawls at once; return what was counted. Raises if anything is wrong."""
    quota = Quota(kills)
    with ThreadPoolExecutor(chains) as pool:
        ends = [
            pool.submit(_chain, folder / f"chain{n}", random.Random(seed * 1000 + n), quota)
            for n in range(chains)
        ]
    for end in ends:
        end.result()
    return quota.counts


def _chain(folder: Path, chance: random.Random, quota: Quota) -> None:
    """Crawl one world after the other as long as there is somebody to kill."""
    folder.mkdir(parents=True)
    while quota.left:
        web = folder / f"web{quota.counts['crawls']}-{chance.randrange(10**6)}"
        with served(world_for(chance)) as running:
            _crawl_with_kills(running, web, chance, quota)
            check(running, web)
        quota.count("crawls")
        quota.count("pages", len(pages_of(web)))


def _crawl_with_kills(running: Running, web: Path, chance: random.Random, quota: Quota) -> None:
    """Start the crawl and go on with it, each time after a kill, until it ends by itself."""
    while True:
        with subprocess.Popen(
            _next_command(running, web), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            killed = quota.take() and _kill_some_time(process, chance)
            _, said = process.communicate(timeout=_PATIENCE_S)
        if killed and process.returncode == 0:
            quota.give_back()  # too late
        elif killed:
            quota.count("kills")
            if _is_there(web):
                check_state(web)
            continue
        assert process.returncode == 0, said
        return


def _next_command(running: Running, web: Path) -> list[str]:
    """Begin, as long as the web knows of no task; else go on."""
    if _is_there(web):
        return command("resume", "--web", str(web), "--json")
    manners = ["--delay", str(DELAY_S), "--adaptive", "0", "--back-off", "0.1"]
    guard = ["--allow-private", LOOPBACK[0], "--scope", "any"]
    return command("crawl", *running.seeds, *manners, *guard, "--web", str(web), "--json")


def _is_there(web: Path) -> bool:
    if not (web / STATE).exists():
        return False
    with Web(web) as opened:
        return bool(opened.tasks())


def _kill_some_time(process: "subprocess.Popen[str]", chance: random.Random) -> bool:
    """Kill now and then while it starts, mostly while it works; False if it came to its end before."""
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0.0, 2.0))
    else:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.0, LONGEST_LIFE_S))
    process.kill()
    return True


def check(running: Running, web: Path) -> None:
    """Compare a web, its archive and the server's log with what is true of the world."""
    world = running.world
    assert isinstance(world, World)
    reached = world.reachable()
    pages = pages_of(web)
    assert set(pages) == set(reached), "pages are missing, or there are too many"
    check_state(web)
    check_links(web, world, list(reached))
    records = check_archive(web)
    assert records["response"] + records["revisit"] == records["request"] == len(reached)
    with Web(web) as opened:
        [note] = opened.tasks()
        assert (note.state, note.reason) == ("finished", "nothing left to fetch")
        assert note.counts["downloaded"] == len(reached)
        assert opened.store.counts()["waiting"] == 0
    check_polite(running.log, DELAY_S)
    for host in world.hosts():
        if "Crawl-delay" in _robots(world, host):
            check_polite(running.log, CRAWL_DELAY_S, host=host)


def _robots(world: World, host: str) -> str:
    asked = Asked("GET", f"{host}:{world.options.port}", "/robots.txt")
    return world.answer(asked, 0.0).body.decode()


def main() -> None:
    """Kill as often as the command line says."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kills", type=int, nargs="?", default=25)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--chains", type=int, default=3, help="crawls at the same time")
    told = options.parse_args()
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        counts = kill_crawls(told.kills, Path(scratch), told.seed, told.chains)
    took_s = time.monotonic() - began_s
    print(f"{dict(counts)} in {took_s:.0f} s, seed {told.seed}: nothing was lost")


if __name__ == "__main__":
    main()
