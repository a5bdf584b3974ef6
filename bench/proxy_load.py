"""Measure what `gossamer proxy` adds to pages on connections that stay open, and to an answer of ten megabytes.

The lab's server, the proxy and the client have processes of their own. Requests go directly and through the proxy in turn, so that a
steady drift of the machine cancels out; the result for pages is the median of the differences of neighbours. The page gets the
script of cards, that is, the proxy reads and changes it. Large answers come over a line of 100 Mbit/s, and over loopback as fast as
both sides can, where the processor time of mitmproxy for each piece is all that there is to see.

    python bench/proxy_load.py [--json]
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.lab import serving
from gossamer.lab.server.answer import Fault, LabAnswer, LabRequest
from gossamer.reading_proxy.addon.pairing_file import FILE_NAME, Pairing, write_pairing
from gossamer.reading_proxy.start_proxy import find_mitmdump

PAGES, WARM_UP, LARGE_ROUNDS = 400, 50, 7
LINE_BYTES_PER_S = 12_500_000.0
HTML = (("Content-Type", "text/html; charset=utf-8"),)
PAGE = (
    b"<!doctype html><html><head><title>A page</title></head><body>"
    + b"<p>A page of thirty kilobytes.</p>" * 900
)
LARGE = bytes(10_000_000)
ASKING = {"Accept": "text/html", "Sec-Fetch-Dest": "document", "Accept-Encoding": "gzip"}


class Site:
    """A page, and a large file at two speeds."""

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - the protocol of worlds
        """Answer one request."""
        if request.target == "/page":
            return LabAnswer(200, HTML, PAGE)
        kind = (("Content-Type", "application/octet-stream"),)
        pace = LINE_BYTES_PER_S if request.target == "/line" else 0.0
        return LabAnswer(200, kind, LARGE, fault=Fault(bytes_per_s=pace))

    def hosts(self) -> list[str]:
        """Return the only host."""
        return ["127.0.0.1"]


class Client:
    """Asks one site over one connection, directly or through a proxy."""

    def __init__(self, site: str, proxy: str = "") -> None:
        self._site = site if proxy else ""
        self._connection = http.client.HTTPConnection(proxy or urlsplit(site).netloc, timeout=120)

    def ask(self, path: str) -> tuple[float, bytes]:
        """Return the seconds until the whole answer is there, and its body."""
        begun_s = time.perf_counter()
        self._connection.request("GET", self._site + path, headers=ASKING)
        body = self._connection.getresponse().read()
        return time.perf_counter() - begun_s, body


@contextmanager
def run_proxy(*options: str) -> Iterator[str]:
    """Start the proxy at a free port; yield where it listens."""
    with tempfile.TemporaryDirectory() as config:
        (Path(config) / "proxy").mkdir(mode=0o700)
        # It is paired with a server that is not asked: the client runs no scripts.
        write_pairing(Path(config) / "proxy" / FILE_NAME, Pairing("http://127.0.0.1:9", "unused"))
        command = [sys.executable, "-m", "gossamer.cli.main", "proxy", "--port", "0", "--json", *options]
        environment = os.environ | {"GOSSAMER_CONFIG": config}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
            assert running.stdout is not None
            yield json.loads(running.stdout.readline())["proxy"]
            running.terminate()


def measure_pages(direct: Client, through: Client) -> dict[str, float]:
    """Return the median of what the proxy adds to a page, and the median without it."""
    pairs = [(direct.ask("/page"), through.ask("/page")) for _ in range(WARM_UP + PAGES)][WARM_UP:]
    if any(b"gossamer-proxy" not in changed for _, (_, changed) in pairs):
        raise BadInput("the proxy did not change the page")
    added = [1000 * (changed_s - plain_s) for (plain_s, _), (changed_s, _) in pairs]
    return {
        "proxy_load.added_ms_p50": statistics.median(added),
        "proxy_load.added_ms_p95": statistics.quantiles(added, n=20)[-1],
        "proxy_load.direct_ms_p50": statistics.median(1000 * plain_s for (plain_s, _), _ in pairs),
    }


def measure_large(direct: Client, through: Client, path: str) -> float:
    """Return how much longer a large answer takes through the proxy, as the median of rounds."""
    ratios = []
    for _ in range(LARGE_ROUNDS):
        (plain_s, plain), (passed_s, passed) = direct.ask(path), through.ask(path)
        if plain != LARGE or passed != LARGE:
            raise BadInput("a large answer did not arrive whole")
        ratios.append(passed_s / plain_s)
    return statistics.median(ratios)


def measure() -> dict[str, float]:
    """Measure pages and large answers; nothing without mitmproxy."""
    try:
        find_mitmdump()
    except BadInput as error:
        print(f"proxy_load: {error}", file=sys.stderr)
        return {}
    with serving(Site(), processes=2) as lab, run_proxy() as proxy:
        site = lab.url().rstrip("/")
        direct, through = Client(site), Client(site, proxy)
        found = measure_pages(direct, through)
        found["proxy_load.large_line_vs_direct"] = measure_large(direct, through, "/line")
        found["proxy_load.large_loopback_vs_direct"] = measure_large(direct, through, "/large")
    return found


if __name__ == "__main__":
    sys.exit(run_benchmark("proxy_load", measure, "--json" in sys.argv[1:]))
