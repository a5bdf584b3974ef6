"""Crawl many pages that need a browser, hostile ones among them, and kill browsers and the crawl itself at random.

Afterwards the web must have every page of the truth and pass `gossamer verify`, the memory of the crawl and of its browsers must
have stayed flat, and neither a Chromium nor one of its folders may be left.
Run: python -m tests.rendering.soak PAGES KILLS [SEED]
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
from tests.rendering.process_watch import (
    is_browser,
    list_browser_folders,
    list_descendants,
    list_folders,
    read_command,
    read_memory_mb,
    wait_for,
)

from gossamer.lab.options import Shape
from gossamer.lab.script_options import Scripted
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.web import Web

_GOSSAMER = [sys.executable, "-m", "gossamer.cli.main"]
_EMPTY = ("client", "links", "scroll", "lazy", "router", "errors", "dialogs", "popups", "download")
_HOSTILE = {"hang": 0.01, "memory": 0.01, "timers": 0.01, "noise": 0.01, "probes": 0.01}
_LOOK_S = 0.25
_KILL_AFTER_S = (3.0, 12.0)
_CRAWL_GROWTH_MB = 60
"""By how much more memory a crawl may take in its last third than in its middle: its state grows by some kB a page."""
_MOST_BROWSERS_MB = 3_000
"""More than a browser of 1.5 GB that is replaced, and one that is started beside it."""
_BROWSERS_GROWTH = 1.5
_LEAST_LOOKS = 1_200
"""Five minutes. In less, most of which browsers are killed in, memory grows for their being young at first."""


class Watched(msgspec.Struct):
    """What was seen of a crawl while it ran."""

    crawls: set[int] = msgspec.field(default_factory=set)
    """The process ids of the crawl, before and after kills."""
    folders: set[str] = msgspec.field(default_factory=set)
    """The folders of all browsers that were seen."""
    crawl_mb: list[int] = []
    browsers_mb: list[int] = []
    killed: Counter[str] = msgspec.field(default_factory=Counter)
    took_s: float = 0.0


def main(pages: int, kills: int, seed: int = 1) -> int:
    """Run the soak, print what was seen, and return the exit code."""
    chance = random.Random(seed)
    shares = dict.fromkeys(_EMPTY, 0.95 / len(_EMPTY)) | _HOSTILE
    scripted = Scripted(**shares)  # type: ignore[arg-type]  # names of shares
    world = World(
        seed=seed, hosts=4, pages=pages, languages=("en",), shape=Shape(groups=()), scripted=scripted
    )
    faults: list[str] = []
    with serving(world) as running, tempfile.TemporaryDirectory() as folder:
        web = Path(folder) / "web"
        watched = crawl_and_kill(running, web, kills, chance)
        faults += find_losses(running, web)
    crawls = watched.crawls
    wait_for(lambda: not list_browser_folders(crawls) and not list_folders(crawls), 30.0)
    if not watched.folders:
        faults.append("no browser was seen")
    if left := list_browser_folders(crawls):
        faults.append(f"{len(left)} browsers were left behind: {sorted(left)[:3]}")
    if kept := list_folders(crawls):
        faults.append(f"{len(kept)} folders were left behind: {sorted(kept)[:3]}")
    faults += judge_memory(watched)
    print(
        f"{pages} pages in {watched.took_s:.0f} s, {pages / watched.took_s:.2f} pages/s; {len(watched.folders)} browsers; killed: {dict(watched.killed)}"
    )
    print(
        f"memory of the crawl in MB, in thirds: {_describe(watched.crawl_mb)}; of its browsers: {_describe(watched.browsers_mb)}"
    )
    print("\n".join(faults) or "nothing was lost, and nothing is left behind")
    return 1 if faults else 0


def crawl_and_kill(running: LabServer, web: Path, kills: int, chance: random.Random) -> Watched:
    """Crawl to the end, with kills at random moments."""
    command = [
        *_GOSSAMER,
        "crawl",
        *get_truth(running).seeds(everywhere=True),
        "--web",
        str(web),
        "--scope",
        "any",
        "--no-traps",
    ]
    command += ["--allow-private", "127.1.0.0/16", "--delay", "0", "--adaptive", "0", "--no-per-address"]
    command += ["--at-once", "4", "--back-off", "0.1", "--render", "always", "--render-time", "5"]
    watched, began_s = Watched(), time.monotonic()
    due_s = began_s + chance.uniform(*_KILL_AFTER_S)
    process = _start(command)
    while process.poll() is None or process.returncode < 0:
        if process.returncode is not None:
            process = _start([*_GOSSAMER, "resume", "--web", str(web)])
        _look(process.pid, watched)
        if kills > watched.killed.total() and time.monotonic() >= due_s and has_begun(web):
            _kill(process.pid, chance, watched)
            due_s = time.monotonic() + chance.uniform(*_KILL_AFTER_S)
        time.sleep(_LOOK_S)
    watched.took_s = time.monotonic() - began_s
    if process.returncode:
        raise SystemExit(f"the crawl ended with {process.returncode}")
    return watched


def has_begun(web: Path) -> bool:
    """Say whether a crawl has kept something: one that is killed before it has noted its task cannot be resumed."""
    return any((web / "archive").glob("*.warc.gz"))


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _look(pid: int, watched: Watched) -> None:
    watched.crawls.add(pid)
    watched.folders |= list_browser_folders([pid])
    browsers = [one for one in list_descendants(pid) if b"chrom" in read_command(one).split(b"\0")[0]]
    watched.crawl_mb.append(read_memory_mb([pid]))
    watched.browsers_mb.append(read_memory_mb(browsers))


def _kill(crawl: int, chance: random.Random, watched: Watched) -> None:
    """Kill the crawl, or one of its browsers."""
    browsers = [one for one in list_descendants(crawl) if is_browser(one)]
    what = chance.choice(("crawl", "browser", "browser"))
    pid = crawl if what == "crawl" else chance.choice(browsers) if browsers else 0
    if not pid:
        return
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    watched.killed[what] += 1


def get_truth(running: LabServer) -> World:
    """Return the world that is served."""
    assert isinstance(running.world, World)
    return running.world


def find_losses(running: LabServer, web: Path) -> list[str]:
    """Return what the web lacks of the truth, and what `gossamer verify` says."""
    world = get_truth(running)
    wanted = set(world.reachable(world.seeds(everywhere=True)))
    with Web(web) as opened:
        pages = {page.url: page for page in opened.store.pages() if page.status == 200}
        links = {url: len(opened.store.links_from(pages[url].id)) for url in pages}
    missing = wanted - set(pages)
    poor = [
        url
        for url in wanted & set(pages)
        if is_whole(pages[url].marks) and (page := world.page(url)) and links[url] < len(page.links)
    ]
    reasons = Counter(page.marks["unrendered"] for page in pages.values() if "unrendered" in page.marks)
    print(f"{len(wanted)} pages, kept as they came: {dict(reasons)}")
    sound = subprocess.run(
        [*_GOSSAMER, "verify", "--web", str(web)], capture_output=True, text=True, check=False
    )
    return [
        *([f"{len(missing)} pages are missing: {sorted(missing)[:3]}"] if missing else []),
        *([f"{len(poor)} pages lack links: {sorted(poor)[:3]}"] if poor else []),
        *([f"the web is not sound: {sound.stdout}"] if sound.returncode else []),
    ]


def is_whole(marks: dict[str, str]) -> bool:
    """Say whether a page was shown, and taken when it was quiet and not at the limit of time."""
    return "rendered" in marks and "not quiet" not in marks["rendered"]


def judge_memory(watched: Watched) -> list[str]:
    """Return in what the memory was not flat: peaks of the middle and the last third are compared."""
    faults = []
    _, middle, last = split_thirds(watched.crawl_mb)
    if last > middle + _CRAWL_GROWTH_MB:
        faults.append(f"the crawl grew from {middle} to {last} MB")
    first, middle, last = split_thirds(watched.browsers_mb)
    if max(first, middle, last) > _MOST_BROWSERS_MB:
        faults.append(f"the browsers took {max(first, middle, last)} MB")
    if len(watched.browsers_mb) >= _LEAST_LOOKS and last > _BROWSERS_GROWTH * max(first, middle):
        faults.append(f"the browsers grew from {max(first, middle)} to {last} MB")
    return faults


def split_thirds(values: list[int]) -> tuple[int, int, int]:
    """Return the largest value of each third."""
    size = max(1, -(-len(values) // 3))
    first, middle, last = (max(values[at : at + size], default=0) for at in (0, size, 2 * size))
    return first, middle, last


def _describe(values: list[int]) -> str:
    return ", ".join(map(str, split_thirds(values)))


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
