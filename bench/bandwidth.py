"""Measure how well bandwidth limits are held: bytes that a server has sent in a minute, against the limit.

Crawls of the same loopback server run one after the other: small pages, large ones, a limit for each host, two
processes, and two crawls at once that share the limit of the machine. The bytes are those that the server sent, heads
included, from two seconds after the first page. A ratio of 1 is a limit that is held exactly. The processor time of a
limited crawl is given for each megabyte, next to that of one without a limit.

    python bench/bandwidth.py [--seconds S] [--only CASE …] [--json]
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput

SECONDS = 60.0
WARM_UP_S = 2.0
RATE = 2_000_000.0
HOST_RATE = 40_000.0
HOSTS = 48
SERVER = Path(__file__).parent / "paced_server.py"
_MACHINE = "GOSSAMER_BANDWIDTH"
_LONGEST_S = 60.0
# Large pages of all hosts share the rate, so the first of them takes a while.
_FIRST_PAGE_S = 180.0
_WITHOUT, _FREE_S = ("small_pages", "large_pages"), 10.0


class Case(msgspec.Struct, frozen=True):
    """One crawl, or several at once, and the rate that they have to keep together."""

    page_bytes: int
    rate: float
    options: tuple[str, ...] = ()
    machine: str = ""
    crawls: int = 1


CASES = {
    "small_pages": Case(20_000, RATE, ("--bandwidth", "2MB/s")),
    "large_pages": Case(3_000_000, RATE, ("--bandwidth", "2MB/s")),
    "each_host": Case(20_000, HOST_RATE * HOSTS, ("--host-bandwidth", "40kB/s")),
    "two_processes": Case(60_000, RATE, ("--bandwidth", "2MB/s", "--processes", "2")),
    "machine": Case(60_000, RATE, (), "2MB/s", 2),
    "by_hours": Case(60_000, RATE, ("--bandwidth", "50MB/s", "--bandwidth", "00:00-24:00 2MB/s")),
}


class Sent(msgspec.Struct, frozen=True):
    """What a server had sent at a moment."""

    when_s: float
    sent_bytes: int
    pages: int


@contextmanager
def serve_pages(
    folder: Path, page_bytes: int, *options: str, pages: int = 10_000_000, hosts: int = HOSTS
) -> Iterator[tuple[int, Path]]:
    """Serve pages until the block ends; return the port, and the file with what was sent."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = folder / "sent.txt"
    command = [sys.executable, str(SERVER), str(port), str(hosts), str(pages), str(page_bytes), *options]
    with told.open("wb") as sink:
        server = subprocess.Popen(command, stdout=sink)
    try:
        until_s = time.monotonic() + _LONGEST_S
        while "ready" not in told.read_text("ascii"):
            if server.poll() is not None or time.monotonic() > until_s:
                raise BadInput("the server did not start")
            time.sleep(0.05)
        yield port, told
    finally:
        server.terminate()
        server.wait()


def read_sent(told: Path) -> list[Sent]:
    """Return what a server has sent, over time."""
    lines = [line.split() for line in told.read_text("ascii").splitlines()[1:-1]]
    return [Sent(float(when), int(sent), int(pages)) for when, sent, pages in lines]


def start_crawl(
    port: int, web: Path, options: tuple[str, ...], machine: str = ""
) -> "subprocess.Popen[bytes]":
    """Start a crawl of all hosts without pauses."""
    seeds = [f"http://127.0.0.{host + 1}:{port}/0.html" for host in range(HOSTS)]
    command = [
        *(sys.executable, "-m", "gossamer.cli.main", "crawl", *seeds, "--web", str(web), "--delay", "0"),
        *("--no-robots", "--allow-private", "127.0.0.0/8", "--no-traps", "--no-bodies", *options),
    ]
    environment = make_environment() | ({_MACHINE: machine} if machine else {})
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def end_crawl(crawl: "subprocess.Popen[bytes]") -> float:
    """Kill a crawl that has been measured; return its processor time."""
    crawl.send_signal(signal.SIGTERM)
    try:
        crawl.wait(_LONGEST_S)
    except subprocess.TimeoutExpired:
        crawl.kill()
    _, _, used = (0, 0, None) if crawl.returncode is not None else os.wait4(crawl.pid, 0)
    return used.ru_utime + used.ru_stime if used else 0.0


def measure_case(case: Case, seconds: float) -> tuple[float, float]:
    """Run a case; return the rate at which bytes were sent, and the processor seconds of the crawls for each megabyte."""
    with tempfile.TemporaryDirectory(prefix="bandwidth-") as name:
        folder = Path(name)
        with serve_pages(folder, case.page_bytes) as (port, told):
            crawls = [
                start_crawl(port, folder / f"web{each}", case.options, case.machine)
                for each in range(case.crawls)
            ]
            try:
                first = wait_for_page(told)
                time.sleep(WARM_UP_S)
                cpu_s = sum(read_family_cpu_s(crawl.pid) for crawl in crawls)
                time.sleep(seconds)
                cpu_s = sum(read_family_cpu_s(crawl.pid) for crawl in crawls) - cpu_s
                sent = read_sent(told)
            finally:
                for crawl in crawls:
                    end_crawl(crawl)
    inside = [
        one for one in sent if first.when_s + WARM_UP_S <= one.when_s <= first.when_s + WARM_UP_S + seconds
    ]
    received = inside[-1].sent_bytes - inside[0].sent_bytes
    return received / (inside[-1].when_s - inside[0].when_s), cpu_s / received * 1e6


def read_family_cpu_s(pid: int) -> float:
    """Return the processor time of a program and its processes."""
    from run_program import _list_family, _read_cpu_s

    return sum(map(_read_cpu_s, _list_family(pid)))


def wait_for_page(told: Path) -> Sent:
    """Wait until the first page was sent."""
    until_s = time.monotonic() + _FIRST_PAGE_S
    while time.monotonic() < until_s:
        if begun := next((one for one in read_sent(told) if one.pages), None):
            return begun
        time.sleep(0.1)
    raise BadInput("no page was fetched")


def measure(seconds: float = SECONDS, only: list[str] | None = None) -> dict[str, float]:
    """Measure the cases; return how the rate compares with the limit, and the cost."""
    found = {}
    for name, case in CASES.items():
        if not only or name in only:
            rate, cost = measure_case(case, seconds)
            found[f"bandwidth.{name}"] = rate / case.rate
            found[f"bandwidth.{name}_cpu_s_per_mb"] = cost
            if name in _WITHOUT:  # the same pages, as fast as they come
                _, free = measure_case(msgspec.structs.replace(case, options=()), min(seconds, _FREE_S))
                found[f"bandwidth.{name}_cpu_ratio"] = cost / free
    return found


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--only", nargs="+", choices=[*CASES], metavar="CASE")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("bandwidth", lambda: measure(given.seconds, given.only), given.json)


if __name__ == "__main__":
    sys.exit(main())
