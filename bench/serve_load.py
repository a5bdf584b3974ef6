"""Measure what slow clients cost the honest clients of `gossamer serve`, and whether it gives memory back after load.

200 clients send queries, each some four seconds after its last answer; in every other round, 1,000 others keep the server waiting
in all known ways (`slow_clients.py`). The 95th percentiles of the honest clients' waiting times are compared. Afterwards,
ten rounds of queries and large copies are sent, and the memory of the server is read after each.

    python bench/serve_load.py [--json]
"""

import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

from command_line import run_benchmark
from gossamer.crawl.task.task import Task
from gossamer.lab import serving
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.web import Web

HERE = Path(__file__).parent
HONEST, SLOW = 200, 1_000
PAGES, LARGE_BYTES = 300, 9_500_000
ROUNDS, ROUND_S, THINK_S = 3, 12.0, 4.0
WARM_UP_S = 10.0
MEMORY_ROUNDS, MEMORY_ROUND_S, COPIES, IDLE_S = 10, 3.0, 20, 6.0
HANGS_S = 60.0
HOST = "127.9.7.6"
WORDS = [
    "music",
    "history",
    "river",
    "science",
    "water",
    "school",
    "nation",
    "light",
    "great",
    "night",
    "work",
    "book",
    "world",
    "garden",
    "stone",
    "paper",
    "table",
    "house",
    "city",
    "street",
    "winter",
]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
PATHS = ("/search?q=", "/search?q=", "/api/search?q=", "/suggest?q=")


class SomePages:
    """A world of pages of some words, and a large one."""

    def __init__(self) -> None:
        links = "".join(f"<a href=/{number}>{number}</a> " for number in range(PAGES))
        self._pages = {"/": f"<title>Start</title>{links}<a href=/large>large</a>"}
        self._pages |= {f"/{number}": _write_page(number, 3_000) for number in range(PAGES)}
        self._pages["/large"] = _write_page(PAGES, LARGE_BYTES)

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - the protocol of worlds
        """Return a page."""
        text = self._pages.get(request.target)
        return LabAnswer(200, (("Content-Type", "text/html"),), text.encode()) if text else LabAnswer(404)

    def hosts(self) -> list[str]:
        """Return the only host."""
        return [HOST]


def _write_page(seed: int, size_bytes: int) -> str:
    some = random.Random(seed)
    paragraphs = [f"<p>{' '.join(some.choices(WORDS, k=60))} {number}.</p>" for number in range(20)]
    repeats = size_bytes // sum(map(len, paragraphs)) or 1
    return f"<!doctype html><title>{some.choice(WORDS)} {seed}</title>{''.join(paragraphs * repeats)}"


def make_web(folder: Path) -> str:
    """Crawl and index the pages; return the path of the large copy."""
    with serving(SomePages()) as running, Web(folder) as web:
        seeds = [f"http://{HOST}:{running.port}/"]
        web.run([Task(seeds=seeds, scope="any", delay_s=0.0, adaptive=0.0, allow_private=["127.0.0.0/8"])])
        web.index()
        return f"/cached/page?url={quote(f'{seeds[0]}large', safe='')}"


@contextmanager
def run_child(*command: str, descriptors: int = 1_024) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the end of the block."""

    def limit_descriptors() -> None:
        # As on most systems: more are there for those who ask.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, descriptors), hard))

    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, preexec_fn=limit_descriptors
    ) as child:
        try:
            yield child
        finally:
            child.terminate()


class HonestClients:
    """Clients that send queries over connections that stay open, and what they saw."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.waits_s: list[float] = []
        self.errors: list[str] = []

    async def ask(self, number: int, until_s: float, think_s: float) -> None:
        """Send queries until a time."""
        some = random.Random(number)
        streams = None
        while time.monotonic() < until_s:
            await asyncio.sleep(some.uniform(0, 2 * think_s))
            path = some.choice(PATHS) + quote(" ".join(some.sample(WORDS, some.randint(1, 2))))
            began_s = time.monotonic()
            try:
                streams = await self._ask_as_browser(streams, path)
                self.waits_s.append(time.monotonic() - began_s)
            except (OSError, EOFError, ValueError) as error:
                self.errors.append(repr(error))
                streams = None
        if streams is not None:
            streams[1].close()

    async def _ask_as_browser(self, streams: Streams | None, path: str) -> Streams:
        """Use an open connection, or a new one if the server has closed it meanwhile; return what was used."""
        if streams is not None:
            try:
                await send_request(*streams, path)
            except (OSError, EOFError):
                streams[1].close()
            else:
                return streams
        streams = await asyncio.open_connection("127.0.0.1", self._port)
        await send_request(*streams, path)
        return streams


async def send_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    """Send a request and read its answer."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(HANGS_S):
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 200"):
            raise ValueError(head[:80])
        await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0]))


async def load(port: int, seconds: float, think_s: float) -> HonestClients:
    """Let all honest clients send queries for some seconds."""
    clients = HonestClients(port)
    until_s = time.monotonic() + seconds
    await asyncio.gather(*(clients.ask(number, until_s, think_s) for number in range(HONEST)))
    return clients


async def read_copies(port: int, large: str) -> None:
    """Read the large copy with several clients at once."""

    async def read_one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await send_request(reader, writer, f"{large}&{number}")  # another address, so that each is rendered
        writer.close()

    await asyncio.gather(*map(read_one, range(COPIES)))


def compare_rounds(pid: int, port: int, large: str) -> dict[str, float]:
    """Return figures of the waiting times without and with slow clients, and of the CPU time for each honest answer."""
    waits_s: dict[str, list[float]] = {"alone": [], "among slow ones": []}
    cpu_s = dict.fromkeys(waits_s, 0.0)
    errors: list[str] = []
    asyncio.run(load(port, 2.0, THINK_S))
    for number in range(2 * ROUNDS):
        name = list(waits_s)[number % 2]
        with run_child(
            str(HERE / "slow_clients.py"), str(port), str(SLOW if number % 2 else 0), large, descriptors=4_096
        ):
            time.sleep(WARM_UP_S if number % 2 else 0)
            before_s = read_cpu_s(pid)
            found = asyncio.run(load(port, ROUND_S, THINK_S))
            cpu_s[name] += read_cpu_s(pid) - before_s
        waits_s[name] += found.waits_s
        errors += found.errors
        p95_s = find_p95(found.waits_s)
        print(f"{name:16} {len(found.waits_s)} answers, p95 {1000 * p95_s:.0f} ms", file=sys.stderr)
    for error in sorted(set(errors))[:5]:
        print(error, file=sys.stderr)
    alone_s, slow_s = map(find_p95, waits_s.values())
    by_answer_s = {name: used_s / len(waits_s[name]) for name, used_s in cpu_s.items()}
    for name, used_s in by_answer_s.items():
        print(f"{name:16} {1000 * used_s:.1f} ms CPU an answer", file=sys.stderr)
    return {
        "serve_load.p95_alone_ms": 1000 * alone_s,
        "serve_load.p95_among_slow_ms": 1000 * slow_s,
        "serve_load.p95_among_slow_vs_alone": slow_s / alone_s,
        "serve_load.cpu_among_slow_vs_alone": by_answer_s["among slow ones"] / by_answer_s["alone"],
        "serve_load.errors": len(errors),
    }


def read_cpu_s(pid: int) -> float:
    """Return the CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def find_p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def compare_memory(pid: int, port: int, large: str) -> dict[str, float]:
    """Return the memory after the last round of load, relative to that after the first."""

    async def load_once() -> None:
        await asyncio.gather(load(port, MEMORY_ROUND_S, 0.0), read_copies(port, large))

    after_mb = []
    for _ in range(MEMORY_ROUNDS):
        asyncio.run(load_once())
        time.sleep(IDLE_S)
        after_mb.append(read_memory_mb(pid))
    print(f"memory after each round: {', '.join(f'{mb:.0f}' for mb in after_mb)} MB", file=sys.stderr)
    return {
        "serve_load.memory_mb": after_mb[-1],
        "serve_load.memory_last_vs_first": after_mb[-1] / after_mb[0],
    }


def read_memory_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/status").read_text("ascii").split("VmRSS:")[1].split()[0]) / 1024


def measure() -> dict[str, float]:
    """Serve a web, and load it."""
    with tempfile.TemporaryDirectory() as folder:
        web = Path(folder) / "load.web"
        large = make_web(web)
        command = ["-m", "gossamer.cli.main", "serve", "--json", "--port", "0", "--web", str(web)]
        with run_child(*command) as server:
            assert server.stdout is not None
            port = urlsplit(json.loads(server.stdout.readline())["address"]).port or 0
            found = compare_memory(server.pid, port, large)
            return found | compare_rounds(server.pid, port, large)


if __name__ == "__main__":
    sys.exit(run_benchmark("serve_load", measure, "--json" in sys.argv[1:]))
