"""Measure the memory of a crawl that finds far more than it can fetch: millions of URLs on a hundred thousand hosts.

Every page of the simulated web links to two thousand new pages on hosts all over it. The crawl is measured twice, with
ten times as many pages the second time: the growth of memory is what the crawl keeps of each URL.

    python bench/discovering.py [--pages N] [--json]
"""

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

import msgspec

from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput
from gossamer.lab.server.loopback_sockets import loopback_address
from nginx_site import find_free_port, run_nginx
from run_program import run_measured

HOSTS = 100_000
LINKS = 2_000
HUBS = 100
PAGES = 1_000
LONGEST_S = 600.0
_FIRST_ADDRESS = 96 * 256 * 254  # 127.96.0.1
FIRST_HOST = loopback_address(_FIRST_ADDRESS)


def write_hubs(folder: Path, port: int) -> str:
    """Write pages of links; return the nginx configuration of a server that makes each link new in every answer."""
    folder.mkdir(parents=True)
    draw = Random(7)
    for number in range(HUBS):
        hosts = (loopback_address(_FIRST_ADDRESS + draw.randrange(HOSTS)) for _ in range(LINKS))
        links = (f'<a href="http://{host}:{port}/@@/{at}">hub</a>' for at, host in enumerate(hosts))
        (folder / f"{number}.html").write_text(f"<title>Hub {number}</title>{' '.join(links)}", "utf-8")
    shares = " ".join(f"{99 / HUBS:.2f}% {number};" for number in range(1, HUBS))
    return f"""
    split_clients "$request_id" $hub {{ {shares} * 0; }}
    server {{
        listen {port};
        root {folder};
        sub_filter '@@' '$request_id';
        sub_filter_once off;
        location = /robots.txt {{ return 404; }}
        location / {{ try_files /$hub.html =404; }}
    }}"""


class CrawlResult(msgspec.Struct, frozen=True):
    """The number of URLs that a crawl found, and its memory."""

    urls: int
    peak_mb: float
    hosts: int
    """The most hosts that the frontier held at once."""


def crawl(port: int, pages: int) -> CrawlResult:
    """Crawl this number of pages."""
    with tempfile.TemporaryDirectory(prefix="discovering-") as name:
        output = Path(name) / "output.txt"
        command = [
            *(
                sys.executable,
                "-m",
                "gossamer.cli.main",
                "crawl",
                f"http://{FIRST_HOST}:{port}/",
            ),
            *("--web", str(Path(name) / "web"), "--scope", "any", "--pages", str(pages), "--json"),
            *("--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
        ]
        cost = run_measured(command, output, make_environment(), LONGEST_S)
        if cost.exit_code:
            raise BadInput(
                f"the crawl failed; its output ends with:\n{output.read_text('utf-8', 'replace')[-2_000:]}"
            )
        events = [msgspec.json.decode(line) for line in output.read_bytes().splitlines() if line[:1] == b"{"]
    held = max((sum(event["hosts"].values()) for event in events if "hosts" in event), default=0)
    [counts] = [event["counts"] for event in events if "reason" in event and "counts" in event]
    return CrawlResult(counts["queued"], cost.peak_mb, held)


def measure(pages: int = PAGES) -> dict[str, float]:
    """Crawl a tenth of the pages, then all of them."""
    with tempfile.TemporaryDirectory(prefix="discovering-") as name:
        folder, port = Path(name), find_free_port([FIRST_HOST])
        with run_nginx(write_hubs(folder / "hubs", port), FIRST_HOST, port, folder / "nginx"):
            few, many = crawl(port, pages // 10), crawl(port, pages)
    return {
        "discover.urls": many.urls,
        "discover.hosts_held": many.hosts,
        "discover.peak_mb": many.peak_mb,
        "discover.bytes_per_url": (many.peak_mb - few.peak_mb) * 2**20 / (many.urls - few.urls),
    }


def main() -> int:
    """Measure with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return run_benchmark("discovering", lambda: measure(asked.pages), asked.json)


if __name__ == "__main__":
    sys.exit(main())
