"""Measure how long cards, marks, backlinks and previews take at the server, in webs of three sizes.

A web is written through its store: pages with ten links each, nine to pages that are drawn by the number of the page and one to a
hub, which has a hundred thousand links in the larger webs. Their bodies are those of the sample of documentation pages, each once in the
archive, so that a card reads and parses a real page; ranks are in the file of the index. `gossamer serve` runs in a process of its
own, and a paired browser asks it over one connection: cards of pages that were not asked for before, marks of pages with
500 links, and backlinks of the hub, always another part of them. Caches of the system are warm, since the web was just written. The processor time of the server for an
answer does not depend on what else the machine does; the times that a reader waits do.

    python bench/link_cards.py [--json] [--pages 10000 100000 1000000]
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

from command_line import run_benchmark
from gossamer import config
from gossamer.errors import BadInput
from gossamer.net.fingerprint import digest
from gossamer.net.url import page_id
from gossamer.records import Exchange, Page, Visit
from gossamer.search.links.static_rank import make_ranks, write_ranks
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch, LinkColumns, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.ui.access.paired_browsers import FILE_NAME, PairedBrowsers
from gossamer.ui.navigate.look_up_sorter import sort_look_ups
from pages import describe, read_documentation_pages
from preview_figures import measure_previews
from serve_load import read_cpu_s

SIZES = (10_000, 100_000, 1_000_000)
LINKS, HUB_LINKS = 10, 100_000
PER_HOST, PER_BATCH = 100, 5_000
CARDS, MARKS, MARKED_LINKS, BACKLINKS = 400, 60, 500, 40
_NOW_S = 1_790_000_000.0


def make_url(number: int) -> str:
    """Return the URL of a page; number 0 is the hub."""
    return f"http://h{number // PER_HOST}.example/pages/{number:x}.html"


def make_web(folder: Path, pages: int) -> None:
    """Write a web of so many pages, with ten times as many links."""
    (folder / "index").mkdir(parents=True)
    ids = np.array([page_id(make_url(number)) for number in range(pages)], np.int64)
    store = SqliteStore(folder / "state.sqlite", create=True)
    try:
        bodies = _write_bodies(folder / "archive", store)
        spec = config.from_options(name="grown", seeds=[make_url(0)], allow_private=["127.9.77.0/24"])
        store.commit(Batch(tasks=[TaskNote(1, "grown", msgspec.json.encode(spec), "finished")]))
        for first in range(0, pages, PER_BATCH):
            store.commit(_make_batch(range(first, min(first + PER_BATCH, pages)), ids, bodies))
    finally:
        store.close()
    some = np.random.default_rng(1)
    in_links = np.full(pages, LINKS)
    in_links[0] = min(pages, HUB_LINKS)
    write_ranks(make_ranks(ids, some.dirichlet(np.ones(pages)), in_links), folder / "index")


def _write_bodies(folder: Path, store: SqliteStore) -> list[tuple[WarcPosition, bytes]]:
    sample = read_documentation_pages()
    if not sample:
        raise BadInput(f"no pages to read: {describe(sample)}")
    archive, found = Archive(folder, {}), []
    for page in sample:
        body = _link_to_hub(page.body)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        asked = b"GET / HTTP/1.1\r\n\r\n"
        exchange = Exchange(page.url, 200, asked, head, body, body, (), "", _NOW_S, 0.1, 0.2)
        found.append((archive.write(exchange, "", None), body))
    archive.flush()
    ends = {place.warc: (folder / place.warc).stat().st_size for place, _ in found}
    archive.close()
    store.commit(Batch(archive_ends=ends))
    return found


def _link_to_hub(body: bytes) -> bytes:
    """Return a page with a link to the hub in a sentence, the words around which are looked for."""
    before, end, after = body.rpartition(b"</body>")
    link = f'<p>More of this is <a href="{make_url(0)}">on the page of the hub</a>, with its history.</p>'
    return b"".join((before, link.encode(), end, after)) if end else body + link.encode()


def _make_batch(some: range, ids: NDArray[np.int64], bodies: list[tuple[WarcPosition, bytes]]) -> Batch:
    batch = Batch()
    draws = np.random.default_rng(some.start).integers(0, len(ids), (len(some), LINKS - 1))
    digests = [digest(body) for _, body in bodies]
    for row, number in enumerate(some):
        url, identity = make_url(number), int(ids[number])
        place, body = bodies[number % len(bodies)]
        page = Page(
            identity, url, f"h{number // PER_HOST}.example", 1, 1 + number % 6, _NOW_S, 200, "html",
            f"Page number {number}", "en", body_bytes=len(body), digest=digests[number % len(bodies)], words=500, warc=place.warc, warc_offset=place.offset,
        )  # fmt: skip
        batch.pages.append(page)
        batch.visits.append(
            Visit(
                identity,
                1,
                _NOW_S,
                "fetched",
                200,
                body_bytes=len(body),
                warc=place.warc,
                warc_offset=place.offset,
            )
        )
        batch.known.append((identity, url))
        # The hub has its links from pages all over the web.
        last = 0 if number * HUB_LINKS % len(ids) < HUB_LINKS else (number + 1) % len(ids)
        targets = [*ids[draws[row]].tolist(), int(ids[last])]
        texts = [f"page {target}" for target in (*draws[row].tolist(), last)]
        batch.links.append(LinkColumns(identity, targets, bytes(LINKS), texts))
    return batch


class PairedClient:
    """A paired browser that asks over one connection."""

    def __init__(self, address: str, token: str, server: int) -> None:
        self.server = server
        """The process id of the server."""
        parts = urlsplit(address)
        self.connection = HTTPConnection(parts.hostname or "", parts.port)
        self.address, self.token = address, token
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def time(self, path: str, given: object = None) -> float:
        """Return how many milliseconds an answer took."""
        return self.ask(path, given)[0]

    def ask(self, path: str, given: object = None) -> tuple[float, Any]:
        """Return how many milliseconds an answer took, and the answer."""
        body = json.dumps(given).encode() if given is not None else None
        began_s = time.perf_counter()
        self.connection.request("POST" if body else "GET", f"/api/navigate/{path}", body, self._headers)
        answer = self.connection.getresponse()
        text = answer.read()
        took_s = time.perf_counter() - began_s
        if answer.status != 200:
            raise BadInput(f"{path[:80]} was answered {answer.status}: {text[:200]!r}")
        return took_s * 1_000, json.loads(text)


@contextmanager
def serve(folder: Path, config_folder: Path) -> Iterator[PairedClient]:
    """Serve a web, and lend a browser that is paired with the server."""
    browsers = PairedBrowsers(config_folder / FILE_NAME)
    pairing, secret = browsers.begin("bench")
    browsers.agree(pairing.code, "")
    collected = browsers.collect(pairing.code, secret)
    command = [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "serve",
        "--json",
        "--port",
        "0",
        "--web",
        str(folder),
        "--previews",
    ]
    environment = {**os.environ, "GOSSAMER_CONFIG": str(config_folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            if not line or collected is None:
                raise BadInput("the server did not start")
            client = PairedClient(json.loads(line)["address"], collected.token, process.pid)
            with closing(client.connection):
                yield client
        finally:
            process.terminate()


def measure_web(pages: int) -> dict[str, float]:
    """Return the figures of a web of so many pages."""
    with tempfile.TemporaryDirectory(prefix="gossamer-cards-") as name:
        folder = Path(name)
        began_s = time.perf_counter()
        make_web(folder / "grown.web", pages)
        print(f"{pages:,} pages written in {time.perf_counter() - began_s:.0f} s", file=sys.stderr)
        began_s = time.perf_counter()
        sort_look_ups(folder / "grown.web")  # as the server does by itself, in the background
        print(f"sorted for look-ups in {time.perf_counter() - began_s:.0f} s", file=sys.stderr)
        with serve(folder / "grown.web", folder / "config") as client:
            found = _ask(client, pages)
            bodies = [page.body for page in read_documentation_pages()]
            place = client.address, client.token
            return found | measure_previews(client.ask, folder / "grown.web", bodies, *place)


def _ask(client: PairedClient, pages: int) -> dict[str, float]:
    some, hub = random.Random(7), urlencode({"url": make_url(0)})

    def draw() -> str:
        return make_url(some.randrange(pages))

    def ask_card() -> float:
        return client.time(f"card?{urlencode({'url': draw()})}")

    def ask_marks() -> float:
        return client.time("marks", {"page": draw(), "links": [draw() for _ in range(MARKED_LINKS)]})

    def ask_backlinks(at: int) -> float:
        return client.time(f"backlinks?{hub}&offset={at * 20}")

    first_ms = client.time(f"backlinks?{hub}&offset=2000")
    rounds: dict[str, Callable[[], list[float]]] = {
        "card": lambda: [ask_card() for _ in range(CARDS)],
        "marks": lambda: [ask_marks() for _ in range(MARKS)],
        "backlinks": lambda: [ask_backlinks(at) for at in range(BACKLINKS)],
    }
    found = {"backlinks_first_ms": first_ms}
    for figure, ask in rounds.items():
        before_s = read_cpu_s(client.server)
        times = ask()
        found[f"{figure}_cpu_ms"] = 1_000 * (read_cpu_s(client.server) - before_s) / len(times)
        found[f"{figure}_p50_ms"] = float(np.percentile(times, 50))
        found[f"{figure}_p95_ms"] = float(np.percentile(times, 95))
    return found


def measure(sizes: tuple[int, ...] = SIZES) -> dict[str, float]:
    """Return the figures of all sizes."""
    found = dict[str, float]()
    for pages in sizes:
        found |= {f"link_cards.{name}_{pages}": value for name, value in measure_web(pages).items()}
    return found


if __name__ == "__main__":
    at = sys.argv.index("--pages") if "--pages" in sys.argv else len(sys.argv)
    chosen = tuple(int(one) for one in sys.argv[at + 1 :] if one.isdecimal()) or SIZES
    sys.exit(run_benchmark("link_cards", partial(measure, chosen), "--json" in sys.argv))
