"""Compare whole crawlers on one lab web: what they miss, what they break, what they lose when they are killed, and their cost.

All crawlers get the same start pages and the same orders, as far as they have them: obey robots.txt, one request at a host at
a time, a pause between two, try again what failed. Three courses are run:

- whole: no pause; which pages are kept, what was asked for that robots.txt forbids, processor time, memory, bytes kept
- polite: a pause of half a second, a second at the host whose robots.txt has a Crawl-delay; how many requests came sooner
- kills: killed with SIGKILL at random times and started again, by the means of each; which pages are missing in the end

A page counts as kept if it stands in what the crawler has stored: the web, the feed, the dataset, the files. Times by the
clock are not compared: the courses are too short for that. Peers are in .venv/peers (`make compare` installs them, pinned).

    python bench/compare_peers.py [--hosts N] [--pages N] [--kills N] [--only NAME …] [--page docs/comparison.md] [--json]

With `--page`, a page of Markdown is written, with its picture in the folder pictures/ beside it.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from command_line import run_benchmark
from comparison_page import Method, Result, print_results, write_page
from crawlers import make_environment
from gossamer.errors import BadInput
from nginx_site import find_free_port
from peers_lab import CRAWL_DELAY_S, list_pages, name_host
from run_program import Cost, run_measured

HERE = Path(__file__).parent
PEERS_PYTHON = HERE.parent / ".venv" / "peers" / "bin" / "python"
_PEERS_VARIABLE = "PEERS_PYTHON"
HOSTS, PAGES, KILLS = 8, 60, 5
PAUSE_S = 0.5
_SOON = 0.95
"""A request that comes after less of its pause came too soon; clocks of two processes differ by less."""
_KILL_AFTER_S = (2.0, 6.0)
LONGEST_S = 400.0
_SEED = 23
_STARTED_S = 60.0


class Peer(msgspec.Struct, frozen=True):
    """A crawler: its command line, and what it has kept in a folder."""

    name: str
    command: Callable[[list[str], Path, float], list[str]]
    """From start pages, folder and pause."""
    list_kept: Callable[[Path], set[str]]
    version: Callable[[], str]
    resume: Callable[[list[str], Path, float], list[str]] | None = None
    """Its command to go on; None if it is the same one."""


class Requests(msgspec.Struct, frozen=True):
    """What a server saw of one course."""

    pages: Counter[str]
    forbidden: int
    soon: int
    gaps: int


def find_peers_python() -> str:
    """Return the Python of the peers' environment."""
    return os.environ.get(_PEERS_VARIABLE) or str(PEERS_PYTHON)


# Gossamer


def _gossamer(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gossamer.cli.main", *arguments]


def crawl_by_gossamer(seeds: list[str], folder: Path, pause_s: float) -> list[str]:
    """Return the command of Gossamer as it comes, but for the pause."""
    options = ["--scope", "host", "--delay", f"{pause_s:g}", "--json", "--allow-private", "127.0.0.0/8"]
    return _gossamer("crawl", *seeds, "--web", str(folder / "web"), *options)


def resume_gossamer(seeds: list[str], folder: Path, pause_s: float) -> list[str]:
    """Return the command to go on; a crawl that was killed before it had begun is begun again."""
    if not (folder / "web" / "state.sqlite").exists():
        return crawl_by_gossamer(seeds, folder, pause_s)
    return _gossamer("resume", "--web", str(folder / "web"), "--json")


def list_gossamer(folder: Path) -> set[str]:
    """Return the pages of the web whose bytes are in its archive."""
    from gossamer.web import open_to_read

    if not (folder / "web" / "state.sqlite").exists():
        return set()  # killed before it had begun
    with open_to_read(folder / "web") as web:
        return {_name_page(page.url) for page in web.store.pages() if page.warc}


# Scrapy, Crawlee and wget2


def crawl_by_scrapy(seeds: list[str], folder: Path, pause_s: float) -> list[str]:
    """Return the command of a spider with a job folder and a feed."""
    return [find_peers_python(), str(HERE / "peers" / "scrapy_keeps.py"), str(folder), f"{pause_s:g}", *seeds]


def list_scrapy(folder: Path) -> set[str]:
    """Return the pages of the feed; a line that was cut by a kill is none."""
    return set(_read_urls(folder / "items.jsonl"))


def crawl_by_crawlee(seeds: list[str], folder: Path, _pause_s: float) -> list[str]:
    """Return the command of a crawler that keeps its storage; it has no pause for a host."""
    script = str(HERE / "peers" / "crawlee_spider.py")
    return [find_peers_python(), script, str(folder / "storage"), str(len(seeds)), *seeds]


def list_crawlee(folder: Path) -> set[str]:
    """Return the pages of the dataset."""
    found = set()
    for path in (folder / "storage" / "datasets").glob("*/*.json"):
        with suppress(ValueError, KeyError, TypeError):
            found.add(_name_page(json.loads(path.read_text("utf-8"))["url"]))
    return found


def crawl_by_wget2(seeds: list[str], folder: Path, pause_s: float) -> list[str]:
    """Return the command of wget2; what it has saved is not fetched again, but read for its links."""
    wait = [f"--wait={pause_s:g}"] if pause_s else []
    return [
        *(
            "wget2",
            "--no-config",
            "--recursive",
            "--level=inf",
            "--no-clobber",
            "--tries=5",
        ),
        *(
            f"--max-threads={len(seeds)}",
            "--no-verbose",
            *wait,
            f"--directory-prefix={folder / 'files'}",
            *seeds,
        ),
    ]


def list_wget2(folder: Path) -> set[str]:
    """Return the files that are whole pages."""
    root = folder / "files"
    whole = (path for path in root.rglob("*.html") if path.read_bytes().rstrip().endswith(b"</a>"))
    return {f"{path.relative_to(root).parts[0].partition(':')[0]}/{path.name}" for path in whole}


def _read_urls(path: Path) -> Iterator[str]:
    with suppress(OSError), path.open("rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                yield _name_page(json.loads(line)["url"])


def _name_page(url: str) -> str:
    """Return host and path, without the port: as the truth has them."""
    authority, _, path = url.partition("://")[2].partition("/")
    return f"{authority.partition(':')[0]}/{path}"


def _ask_peer(module: str) -> Callable[[], str]:
    def ask() -> str:
        code = f"import importlib.metadata as m; print(m.version({module!r}))"
        try:
            found = subprocess.run(
                [find_peers_python(), "-c", code], capture_output=True, text=True, check=False
            )
        except OSError:
            return ""
        return found.stdout.strip()

    return ask


def _ask_wget2() -> str:
    if not shutil.which("wget2"):
        return ""
    output = subprocess.run(["wget2", "--version"], capture_output=True, text=True, check=True).stdout
    return output.split()[2]


def _ask_gossamer() -> str:
    import gossamer

    return str(gossamer.__version__)


PEERS = [
    Peer("Gossamer", crawl_by_gossamer, list_gossamer, _ask_gossamer, resume_gossamer),
    Peer("Scrapy", crawl_by_scrapy, list_scrapy, _ask_peer("scrapy")),
    Peer("Crawlee", crawl_by_crawlee, list_crawlee, _ask_peer("crawlee")),
    Peer("wget2", crawl_by_wget2, list_wget2, _ask_wget2),
]


class Course(msgspec.Struct, frozen=True):
    """The lab web, and where it writes what it was asked."""

    port: int
    hosts: int
    pages: int
    log: Path
    folder: Path

    @property
    def seeds(self) -> list[str]:
        """One start page on each host."""
        return [f"http://{name_host(host)}:{self.port}/0.html" for host in range(self.hosts)]

    @property
    def truth(self) -> set[str]:
        """All pages that a robot may fetch."""
        return list_pages(self.hosts, self.pages)


@contextmanager
def serve_course(hosts: int, pages: int) -> Iterator[Course]:
    """Serve a new lab web until the block ends: one that nothing was asked of yet."""
    with tempfile.TemporaryDirectory(prefix="compare-") as name:
        folder = Path(name)
        names = [name_host(host) for host in range(hosts)]
        port, log = find_free_port(names), folder / "log.jsonl"
        command = [sys.executable, str(HERE / "peers_lab.py"), str(port), str(hosts), str(pages), str(log)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            if server.stdout is None or server.stdout.readline().strip() != b"ready":
                raise BadInput("the lab web did not start")
            kept = folder / "kept"
            kept.mkdir()
            yield Course(port, hosts, pages, log, kept)
        finally:
            server.terminate()
            server.wait()


def read_requests(course: Course, pause_s: float) -> Requests:
    """Return what the server saw: pages, forbidden requests, and requests that came before the pause was over."""
    ended: dict[str, float] = {}
    pages: Counter[str] = Counter()
    forbidden = soon = gaps = 0
    lines = sorted(json.loads(line) for line in course.log.read_text("utf-8").splitlines())
    for arrived_s, ended_s, host, path, status in lines:
        forbidden += path.startswith("/private/")
        if status == 200 and path.endswith(".html") and not path.startswith("/private/"):
            pages[f"{host}{path}"] += 1
        if host in ended:
            due_s = CRAWL_DELAY_S if host == name_host(0) else pause_s
            gaps += 1
            soon += arrived_s - ended[host] < _SOON * due_s
        ended[host] = max(ended_s, ended.get(host, 0.0))
    return Requests(pages, forbidden, soon, gaps)


def run_whole(
    peer: Peer, hosts: int, pages: int, pause_s: float
) -> tuple[Course, Cost, Requests, set[str], float]:
    """Run a crawler to its end on a new web; return what it cost, what the server saw, and what it kept."""
    with serve_course(hosts, pages) as course:
        command = peer.command(course.seeds, course.folder, pause_s)
        cost = run_measured(command, course.folder / "output.txt", make_environment(), LONGEST_S)
        said = (course.folder / "output.txt").read_text("utf-8", "replace")[-1_000:]
        (course.folder / "output.txt").unlink()
        if not course.log.read_text("utf-8"):
            raise BadInput(f"{peer.name} asked for nothing; its output ends with:\n{said}")
        size = sum(path.stat().st_size for path in course.folder.rglob("*") if path.is_file())
        return course, cost, read_requests(course, pause_s), peer.list_kept(course.folder), size / 1000


def run_killed(peer: Peer, hosts: int, pages: int, kills: int) -> tuple[int, int]:
    """Kill a crawler at random times and start it again, then let it end; return pages that are missing and repeated."""
    dice = random.Random(_SEED)
    with serve_course(hosts, pages) as course:
        command = peer.command
        for _ in range(kills):
            child = subprocess.Popen(
                command(course.seeds, course.folder, PAUSE_S / 5),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=make_environment(),
                start_new_session=True,
            )
            wait_for_request(course, child)
            with suppress(subprocess.TimeoutExpired):
                child.wait(dice.uniform(*_KILL_AFTER_S))
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            command = peer.resume or peer.command
        last = command(course.seeds, course.folder, PAUSE_S / 5)
        run_measured(last, course.folder / "output.txt", make_environment(), LONGEST_S)
        seen = read_requests(course, 0.0)
        return len(course.truth - peer.list_kept(course.folder)), sum(seen.pages.values()) - len(seen.pages)


def wait_for_request(course: Course, child: "subprocess.Popen[bytes]") -> None:
    """Wait until a crawler has sent a request more, so that it is killed at its work and not at its start."""
    before, until_s = course.log.stat().st_size, time.monotonic() + _STARTED_S
    while course.log.stat().st_size == before and child.poll() is None and time.monotonic() < until_s:
        time.sleep(0.05)


def measure_peer(peer: Peer, hosts: int, pages: int, kills: int) -> Result:
    """Run all courses with one crawler."""
    print(f"{peer.name}: whole …", file=sys.stderr)
    course, cost, seen, kept, kept_kb = run_whole(peer, hosts, pages, 0.0)
    print(f"{peer.name}: polite …", file=sys.stderr)
    _, _, polite, _, _ = run_whole(peer, hosts, min(pages, 30), PAUSE_S)
    print(f"{peer.name}: {kills} kills …", file=sys.stderr)
    lost, repeated = run_killed(peer, hosts, pages, kills)
    total = len(course.truth)
    return Result(
        peer.name,
        peer.version(),
        len(course.truth - kept),
        sum(seen.pages.values()) - len(seen.pages),
        seen.forbidden + polite.forbidden,
        polite.soon,
        polite.gaps,
        lost,
        repeated,
        cost.cpu_s / total * 1000,
        cost.peak_mb,
        kept_kb,
    )


def measure(given: argparse.Namespace) -> dict[str, float]:
    """Compare the crawlers that are installed; print, plot and write what came of it."""
    present = [peer for peer in PEERS if (not given.only or peer.name in given.only) and peer.version()]
    for peer in PEERS:
        if peer not in present and (not given.only or peer.name in given.only):
            print(f"not installed: {peer.name}", file=sys.stderr)
    results = [measure_peer(peer, given.hosts, given.pages, given.kills) for peer in present]
    total = given.hosts * given.pages
    print_results(results, total)
    if given.page:
        method = Method(given.hosts, given.pages, given.kills, PAUSE_S, CRAWL_DELAY_S, sys.argv[1:])
        write_page(given.page, results, [peer.name for peer in PEERS if peer not in present], method)
    found: dict[str, float] = defaultdict(float)
    for one in results:
        name = one.name.lower()
        found |= {f"compare.{name}_missing": one.missing, f"compare.{name}_lost": one.lost}
        found |= {f"compare.{name}_broken": one.soon, f"compare.{name}_cpu_ms": one.cpu_ms}
    return found


def main() -> int:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hosts", type=int, default=HOSTS)
    parser.add_argument("--pages", type=int, default=PAGES, help="pages of each host")
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--only", nargs="+", choices=[peer.name for peer in PEERS], metavar="NAME")
    parser.add_argument("--page", type=Path, metavar="FILE.md")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("compare_peers", lambda: measure(given), given.json)


if __name__ == "__main__":
    sys.exit(main())
