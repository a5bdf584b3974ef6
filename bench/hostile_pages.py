"""Measure what pages that are built against their reader cost: memory and time of reading one, and memory of a crawl.

Each page repeats a few tags (`gossamer.lab.behaviour.hostile_page`). A page is read, and its main text chosen, in a process
of its own. Then a crawl fetches such pages from 64 hosts, and sixteen pages with half a million links each.

    python bench/hostile_pages.py [--json]
"""

import gzip
import sys
import tempfile
from pathlib import Path

from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput
from gossamer.lab import serving
from gossamer.lab.behaviour.hostile_page import UNITS, make_hostile_page
from gossamer.lab.server.answer import LabAnswer, LabRequest
from run_program import Cost, run_measured

PAGE_BYTES = 2_000_000
HOSTS = 64
LINK_HOSTS, LINKS = 16, 520_000
LONGEST_S = 600.0
READ = """
import sys
from pathlib import Path
from gossamer.net import html
page = html.read(Path(sys.argv[1]).read_bytes(), "http://a.example/")
html.main_text(page)
"""
_HTML = (("Content-Type", "text/html"),)


class HostileWorld:
    """Hosts that answer every request but robots.txt with the same page each."""

    def __init__(self, pages: dict[str, LabAnswer]) -> None:
        self._pages = pages

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - time changes nothing here
        """Answer one request."""
        return (
            LabAnswer(404) if request.target == "/robots.txt" else self._pages[request.host.partition(":")[0]]
        )

    def hosts(self) -> list[str]:
        """Return the names of the hosts."""
        return list(self._pages)


def read_each(folder: Path) -> dict[str, Cost]:
    """Read one page of each kind, each in a process of its own."""
    costs = {}
    for name, unit in UNITS.items():
        page = folder / f"{name}.html"
        page.write_bytes(make_hostile_page(unit, PAGE_BYTES))
        command = [sys.executable, "-c", READ, str(page)]
        costs[name] = _run(command, folder)
        print(f"{name:10} {costs[name].peak_mb:6.0f} MB {costs[name].cpu_s:6.2f} s", file=sys.stderr)
    return costs


def crawl_pages(pages: dict[str, LabAnswer], folder: Path) -> Cost:
    """Crawl the start page of each host, all at the same time."""
    with serving(HostileWorld(pages)) as lab:
        seeds = [lab.url(host) for host in lab.world.hosts()]
        command = [
            *(
                sys.executable,
                "-m",
                "gossamer.cli.main",
                "crawl",
                *seeds,
                "--web",
                str(folder / "web"),
                "--json",
            ),
            *("--depth", "0", "--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
        ]
        return _run(command, folder)


def _run(command: list[str], folder: Path) -> Cost:
    output = folder / "output.txt"
    cost = run_measured(command, output, make_environment(), LONGEST_S)
    if cost.exit_code:
        raise BadInput(f"exit code {cost.exit_code}: {output.read_text('utf-8', 'replace')[-1_000:]}")
    return cost


def measure() -> dict[str, float]:
    """Read and crawl hostile pages; return the figures that have floors."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        costs = read_each(Path(name))
        bodies = [make_hostile_page(unit, PAGE_BYTES) for unit in UNITS.values()]
        pages = {
            f"127.0.78.{number + 1}": LabAnswer(200, _HTML, bodies[number % len(bodies)])
            for number in range(HOSTS)
        }
        crawl = crawl_pages(pages, Path(tempfile.mkdtemp(dir=name)))
        links = "<title>many</title>" + "".join(f"<a href=/{number}>x" for number in range(LINKS))
        packed = LabAnswer(200, (*_HTML, ("Content-Encoding", "gzip")), gzip.compress(links.encode(), 1))
        hosts = [f"127.0.79.{number + 1}" for number in range(LINK_HOSTS)]
        flood = crawl_pages(dict.fromkeys(hosts, packed), Path(tempfile.mkdtemp(dir=name)))
    return {
        "hostile_pages.read_mb": max(cost.peak_mb for cost in costs.values()),
        "hostile_pages.read_s": max(cost.cpu_s for cost in costs.values()),
        "hostile_pages.crawl_mb": crawl.peak_mb,
        "hostile_pages.links_mb": flood.peak_mb,
        "hostile_pages.links_s": flood.cpu_s,
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("hostile_pages", measure, "--json" in sys.argv[1:]))
