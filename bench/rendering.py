"""Show pages in a browser: `auto` against `always` and `never`, against peers, and replayed, over loopback.

The pages are those of the lab. *mixed*: 30 % of the pages need a browser, in twelve ways. *static*: none does, on a large and a small web of the lab,
one of short pages and one of recorded articles with their scripts. *peers*: pages that a script fills, which are also loaded by Crawlee's PlaywrightCrawler and by a plain loop over Playwright, both of which store nothing,
with the same number of pages at once. *pictures*: what `--screenshots` adds. *replay*: 50 rendered pages in pywb, beside the live ones.

CPU time is that of a program and of all its descendants. A browser is killed and never waited for, so /proc is read ten times a second
while they run; the time that the kernel counts for processes that were waited for is used where it is larger.

Crawlee (`crawlee[playwright]`) is looked for in the environment whose python CRAWLEE names, and left out without it.
Run: python bench/rendering.py [mixed] [static] [peers] [pictures] [replay]
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from command_line import run_benchmark
from static_sites import StaticSite, read_articles, write_short_pages
from watch_cpu import CpuWatch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.browser.pictures import find_browser  # noqa: E402 - by the path above
from tests.formats.replay import TOOLS  # noqa: E402
from tests.rendering.compare_replay import compare_replay  # noqa: E402

from gossamer.lab.options import BowTie, Shape  # noqa: E402
from gossamer.lab.script_options import Scripted  # noqa: E402
from gossamer.lab.server.answer import Answering  # noqa: E402
from gossamer.lab.server.serve_world import LabServer, serving  # noqa: E402
from gossamer.lab.world.world import World  # noqa: E402
from gossamer.store.opening.open_archive import open_reader  # noqa: E402
from gossamer.store.page_pictures import read_picture  # noqa: E402
from gossamer.web import Web  # noqa: E402

PAGES = 200
PEER_PAGES = 40
REPLAYED = 50
AT_ONCE = 4
ROUNDS = 2
STATIC_ROUNDS = 7
"""Small webs take a second, of which the least of some counts."""
MIXED_SHARE = 0.4
"""More than the share of pages that need a browser: some are rendered and gain nothing."""
_CORE = BowTie(core=1.0, in_=0.0, out=0.0, tendrils=0.0, tubes=0.0, disconnected=0.0)
_STATIC_MODES = {"never": ("--render", "never"), "auto": ("--render", "auto")}
# Links of recorded articles lead to the network, and to pages that were not recorded.
_NEAR = ("--scope", "host", "--depth", "1")
_LONGEST_S = 900


class Measured(msgspec.Struct, frozen=True):
    """What one crawl took and found."""

    cpu_s: float
    wall_s: float
    pages: int
    links: int
    rendered: int
    largest_thumbnail: int = 0


def make_world(pages: int, hosts: int, scripted: Scripted) -> World:
    """Return a world all of whose pages are reached from one start page."""
    shape = Shape(groups=(), bowtie=_CORE)
    return World(seed=7, hosts=hosts, pages=pages, languages=("en",), shape=shape, scripted=scripted)


def run_program(command: list[str]) -> tuple[float, float, str]:
    """Run a program; return its CPU and wall-clock seconds, and its output."""
    began_s, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        watch = CpuWatch(running.pid)
        out, err = running.communicate(timeout=_LONGEST_S)
        watched_s = watch.end()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    waited_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if running.returncode:
        raise SystemExit(f"{command}: {err}")
    return max(watched_s, waited_s), time.monotonic() - began_s, out


def crawl(running: LabServer, *options: str) -> Measured:
    """Crawl a world with these options."""
    with tempfile.TemporaryDirectory() as folder:
        web = Path(folder) / "web"
        command = [sys.executable, "-m", "gossamer.cli.main", "crawl", *running.seeds, "--web", str(web)]
        command += ["--scope", "any", "--allow-private", "127.0.0.0/8", "--delay", "0", "--adaptive", "0"]
        command += ["--at-once", str(AT_ONCE), "--no-per-address", "--no-traps", *options]
        cpu_s, wall_s, _ = run_program(command)
        with Web(web) as opened:
            pages = [page for page in opened.store.pages() if page.kind == "html"]
            links = sum(1 for _ in opened.store.links())
            rendered = sum("rendered" in page.marks for page in pages)
            reader = open_reader(web / "archive")
            small = (read_picture(opened.store, reader, page.id, "small") for page in pages)
            largest = max((len(image) for image in small if image), default=0)
    return Measured(cpu_s, wall_s, len(pages), links, rendered, largest)


def compare(
    running: LabServer, modes: Mapping[str, tuple[str, ...]], rounds: int = ROUNDS
) -> dict[str, Measured]:
    """Crawl in turns with each set of options; the least CPU time of each counts."""
    best: dict[str, Measured] = {}
    for _ in range(rounds):
        for name, options in modes.items():
            found = crawl(running, *options)
            if name not in best or found.cpu_s < best[name].cpu_s:
                best[name] = found
    for name, found in best.items():
        print(name, found, file=sys.stderr)
    return best


def run_mixed() -> dict[str, float]:
    """A web of which 30 % need a browser."""
    auto = ("--render", "auto", "--render-share")
    modes = {"always": ("--render", "always"), "auto": (*auto, str(MIXED_SHARE)), "default": (*auto, "0.2")}
    with serving(make_world(PAGES, 5, Scripted.all(0.3))) as running:
        best = compare(running, modes)
    return {
        "rendering.mixed_links": best["auto"].links / best["always"].links,
        "rendering.mixed_cost": best["auto"].cpu_s / best["always"].cpu_s,
        "rendering.mixed_links_by_default": best["default"].links / best["always"].links,
    }


def run_static() -> dict[str, float]:
    """Webs that need no browser."""
    small = World(seed=7, hosts=5, pages=PAGES, languages=("en",))
    sites: dict[str, Answering | None] = {
        "": make_world(4 * PAGES, 5, Scripted()),
        "small_": small,
        "short_": write_short_pages(PAGES),
        "articles_": read_articles(),
    }
    figures: dict[str, float] = {}
    for name, site in sites.items():
        if site is None:
            print("no articles in ../shared/data: nothing measured with them", file=sys.stderr)
            continue
        near = _NEAR if isinstance(site, StaticSite) else ()
        modes = {mode: (*options, *near) for mode, options in _STATIC_MODES.items()}
        with serving(site) as running:
            best = compare(running, modes, STATIC_ROUNDS)
        figures[f"rendering.static_{name}cost"] = best["auto"].cpu_s / best["never"].cpu_s
        figures[f"rendering.static_{name}rendered"] = best["auto"].rendered
    return figures


def run_peers() -> dict[str, float]:
    """The same pages by other programs, in turns."""
    peers = {"plain": [sys.executable, str(HERE / "peers" / "playwright_loop.py")]}
    if crawlee := os.environ.get("CRAWLEE", ""):
        peers["crawlee"] = [crawlee, str(HERE / "peers" / "crawlee_browser.py")]
    cpu: dict[str, float] = {}
    wall: dict[str, float] = {}
    with serving(make_world(PEER_PAGES, 1, Scripted(client=1.0))) as running:
        for _ in range(ROUNDS):
            figures = {"ours": _crawl_all(running)}
            for name, command in peers.items():
                cpu_s, wall_s, out = run_program([*command, running.seeds[0], str(PEER_PAGES), str(AT_ONCE)])
                if f"FOUND {PEER_PAGES}" not in out:
                    raise SystemExit(f"{name} found other pages: {out[-300:]}")
                figures[name] = (cpu_s, wall_s)
            for name, (cpu_s, wall_s) in figures.items():
                cpu[name] = min(cpu.get(name, cpu_s), cpu_s)
                wall[name] = min(wall.get(name, wall_s), wall_s)
    for name in cpu:
        rates = f"{cpu[name] / PEER_PAGES:.3f} s of CPU a page, {PEER_PAGES / wall[name]:.2f} pages/s"
        print(f"{name}: {rates}", file=sys.stderr)
    return {f"rendering.speed_against_{name}": cpu[name] / cpu["ours"] for name in peers} | {
        f"rendering.pages_against_{name}": wall[name] / wall["ours"] for name in peers
    }


def _crawl_all(running: LabServer) -> tuple[float, float]:
    ours = crawl(running, "--render", "always")
    if ours.rendered != PEER_PAGES:
        raise SystemExit(f"{ours.rendered} of {PEER_PAGES} pages were rendered")
    return ours.cpu_s, ours.wall_s


def run_pictures() -> dict[str, float]:
    """What two pictures of each page cost, and how large the small ones are."""
    always: tuple[str, ...] = ("--render", "always")
    with serving(make_world(PEER_PAGES, 5, Scripted.all(1.0))) as running:
        best = compare(running, {"without": always, "with": (*always, "--screenshots")})
    more_s = best["with"].cpu_s - best["without"].cpu_s
    return {
        "rendering.picture_cpu_s": more_s / best["with"].rendered / 2,
        "rendering.largest_thumbnail_kb": best["with"].largest_thumbnail / 1e3,
    }


def run_replay() -> dict[str, float]:
    """Rendered pages of twelve kinds in pywb, beside the live ones."""
    if not TOOLS.is_dir() or find_browser() is None:
        print("not installed: pywb in .venv/archive-tools, or chromium", file=sys.stderr)
        return {}
    with tempfile.TemporaryDirectory() as folder:
        compared = compare_replay(Path(folder), 2 * REPLAYED, REPLAYED)
    return {
        "rendering.replay_least_similarity": min(one.similarity for one in compared),
        "rendering.replay_same_texts": sum(one.same_text for one in compared) / len(compared),
    }


PARTS: dict[str, Callable[[], dict[str, float]]] = {
    "mixed": run_mixed,
    "static": run_static,
    "peers": run_peers,
    "pictures": run_pictures,
    "replay": run_replay,
}


def measure(parts: tuple[str, ...] = tuple(PARTS)) -> dict[str, float]:
    """Measure these parts."""
    figures: dict[str, float] = {}
    for part in parts:
        figures |= PARTS[part]()
    return figures


if __name__ == "__main__":
    chosen = tuple(name for name in sys.argv[1:] if name != "--json") or tuple(PARTS)
    if unknown := set(chosen) - set(PARTS):
        sys.exit(f"there is no part {unknown.pop()!r}: choose from {', '.join(PARTS)}")
    sys.exit(run_benchmark("rendering", lambda: measure(chosen), "--json" in sys.argv[1:]))
