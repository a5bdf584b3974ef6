"""Pipe a crawl into a reader that is ten times slower, and into readers that die: is memory flat, and is nothing lost?

The first crawl has a reader that keeps up, and gives the rate; the second one's reader takes a tenth of it. The memory is
that of the crawling process, once a second; figures are its growth from the second tenth of the run to the last, and the
pages that never came. Then readers die at random places, and the next crawl must write what they did not take: bytes that
a reader has read count as its own, whatever it did with them.

    python bench/pipe_memory.py [--pages N] [--deaths N] [--json]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from bandwidth import HOSTS, serve_pages
from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput
from gossamer.web import open_to_read

PAGES, DEATHS = 10_000, 20
SLOWER = 10.0
PAGE_BYTES = 3_000
_LOOK_S = 1.0
_LOTS_PER_S = 20
_SEED = 11


class Stream(msgspec.Struct, frozen=True):
    """What a reader got, and what the crawl needed meanwhile."""

    urls: list[str]
    took_s: float
    memory_mb: list[float]
    code: int


def start(port: int, web: Path, pages: int, verb: str = "crawl") -> "subprocess.Popen[bytes]":
    """Start a crawl, or resume it, with its pages on standard output."""
    seeds = [f"http://127.0.0.{host + 1}:{port}/0.html" for host in range(HOSTS)]
    command = [sys.executable, "-m", "gossamer.cli.main", verb, "--web", str(web), "--out", "-"]
    if verb == "crawl":
        command += [*seeds, "--delay", "0", "--no-robots", "--allow-private", "127.0.0.0/8", "--no-traps"]
        command += ["--pages", str(pages)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=make_environment()
    )


def read_at_rate(crawl: "subprocess.Popen[bytes]", pages_per_s: float) -> Stream:
    """Read all pages, at a rate; 0 for as fast as they come."""
    assert crawl.stdout is not None
    urls: list[str] = []
    memory: list[float] = []
    began_s = looked_s = time.monotonic()
    for line in crawl.stdout:
        urls.append(json.loads(line)["url"])
        now_s = time.monotonic()
        if now_s - looked_s >= _LOOK_S:
            looked_s = now_s
            memory.append(read_memory_mb(crawl.pid))
        due_s = began_s + len(urls) / pages_per_s if pages_per_s else 0.0
        if due_s > now_s + 1.0 / _LOTS_PER_S:
            time.sleep(due_s - now_s)
    return Stream(urls, time.monotonic() - began_s, memory, crawl.wait())


def read_memory_mb(pid: int) -> float:
    """Return the memory of a process that is in use now."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def list_urls(web: Path) -> set[str]:
    """Return the URLs of the pages that a web has."""
    with open_to_read(web) as opened:
        return {page.url for page in opened.store.pages()}


def measure_slow_reader(port: int, folder: Path, pages: int) -> dict[str, float]:
    """Compare a reader that keeps up with one that is ten times slower."""
    quick = read_at_rate(start(port, folder / "quick", pages), 0.0)
    slow = read_at_rate(start(port, folder / "slow", pages), len(quick.urls) / quick.took_s / SLOWER)
    kept = list_urls(folder / "slow")
    tenth = max(1, len(slow.memory_mb) // 10)
    early, late = slow.memory_mb[tenth : 2 * tenth], slow.memory_mb[-tenth:]
    return {
        "pipe_memory.pages": len(slow.urls),
        "pipe_memory.lost": len(kept - set(slow.urls)),
        "pipe_memory.twice": len(slow.urls) - len(set(slow.urls)),
        "pipe_memory.slower": slow.took_s / quick.took_s,
        "pipe_memory.memory_mb": max(slow.memory_mb),
        "pipe_memory.memory_growth_mb": max(late) - max(early),
    }


def measure_deaths(port: int, folder: Path, deaths: int) -> dict[str, float]:
    """Let readers die at random places; count what neither they nor their successors got."""
    dice, lost, codes = random.Random(_SEED), 0, 0
    for death in range(deaths):
        web = folder / f"death{death}"
        crawl = start(port, web, 400)
        assert crawl.stdout is not None
        taken = bytearray()
        wanted = dice.randrange(1, 400_000)
        while len(taken) < wanted and (piece := os.read(crawl.stdout.fileno(), dice.randrange(1, 9_000))):
            taken += piece
        crawl.stdout.close()
        codes += crawl.wait() not in (0, 1)
        again = start(port, web, 400, "resume")
        rest = read_at_rate(again, 0.0)
        codes += rest.code != 0
        whole = [
            json.loads(line)["url"] for line in bytes(taken).splitlines(keepends=True) if line.endswith(b"\n")
        ]
        lost += len(list_urls(web) - {*whole, *rest.urls})
    return {"pipe_memory.deaths": deaths, "pipe_memory.lost_by_deaths": lost, "pipe_memory.wrong_ends": codes}


def measure(pages: int = PAGES, deaths: int = DEATHS) -> dict[str, float]:
    """Measure both."""
    with tempfile.TemporaryDirectory(prefix="pipe-") as name:
        folder = Path(name)
        with serve_pages(folder, PAGE_BYTES, pages=max(64, pages // HOSTS + 1)) as (port, _):
            found = measure_slow_reader(port, folder, pages)
            found |= measure_deaths(port, folder, deaths)
    if found["pipe_memory.lost"] or found["pipe_memory.lost_by_deaths"]:
        raise BadInput(f"pages were lost: {found}")
    return found


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--deaths", type=int, default=DEATHS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("pipe_memory", lambda: measure(given.pages, given.deaths), given.json)


if __name__ == "__main__":
    sys.exit(main())
