"""A web that knows millions of URLs, made through the store and without fetching one of them; and its server.

The URLs are spread over two thousand hosts, which are loopback addresses. Every URL is known, scheduled for one
task and waiting to be fetched; every host was asked for its robots.txt a moment ago. The server has an answer for
all of them, and for all that they link to: one of the sample of documentation pages, chosen by the URL.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer import config
from gossamer.crawl.naming import task_mark
from gossamer.errors import BadInput
from gossamer.net.url import page_id
from gossamer.order.breadth import breadth
from gossamer.records import HostNote, Link, Request
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite import SqliteStore
from pages import describe, documentation_pages

HOSTS = 2_000
STATE_FILE = "state.sqlite"
TASK = 1
DEEPEST = 6
BATCH = 20_000

_MARK = int(task_mark(TASK))

_WORDS = (
    "archive", "bridge", "castle", "desert", "engine", "forest", "garden", "harbour", "island", "journey", "kitchen",
    "library", "market", "network", "orchard", "palace", "quarry", "river", "school", "theatre", "uplands", "village",
    "weather", "yearbook",
)  # fmt: skip


def host_of(number: int, port: int) -> str:
    """Return the host of this number."""
    return f"127.64.{number // 250}.{number % 250 + 1}:{port}"


def make_web(folder: Path, urls: int, port: int, pages: int) -> float:
    """Make a web that knows so many URLs, with a task that ends after so many pages; return the URLs made a second."""
    folder.mkdir(parents=True)
    store = SqliteStore(folder / STATE_FILE, create=True)
    began_s = time.perf_counter()
    try:
        store.commit(Batch(tasks=[_task(urls, port, pages)], hosts=list(_host_notes(port))))
        for batch in _batches(urls // HOSTS, port):
            store.commit(batch)
    finally:
        store.close()
    return urls / (time.perf_counter() - began_s)


def _task(urls: int, port: int, pages: int) -> TaskNote:
    spec = config.from_options(
        name="grown",
        seeds=[f"http://{host_of(number, port)}/" for number in range(HOSTS)],
        scope="host",
        pages=pages,
        delay_s=0.0,
        adaptive=0.0,
        allow_private=["127.0.0.0/8"],
    )
    counts = {"checked": urls, "queued": urls}
    return TaskNote(TASK, spec.name, msgspec.json.encode(spec), created_s=time.time(), counts=counts)


def _host_notes(port: int) -> Iterator[HostNote]:
    now_s = time.time()
    for number in range(HOSTS):
        name = host_of(number, port)
        address = name.partition(":")[0]
        yield HostNote(name, now_s, address=address, robots=b"", robots_status=404, robots_s=now_s)


def _batches(per_host: int, port: int) -> Iterator[Batch]:
    """Make the URLs host by host: by turns, every row would go to another place of a file of two gigabytes."""
    batch = Batch()
    for host_number in range(HOSTS):
        host = host_of(host_number, port)
        for number in range(host_number * per_host, (host_number + 1) * per_host):
            first = number == host_number * per_host
            depth = 0 if first else 1 + number % DEEPEST
            _schedule(batch, number, f"http://{host}/{'' if first else _path(number)}", host, depth)
        if len(batch.known) >= BATCH or host_number == HOSTS - 1:
            yield batch
            batch = Batch()


def _path(number: int) -> str:
    return f"{_WORDS[number // 100 % len(_WORDS)]}/{_WORDS[number * 7919 % len(_WORDS)]}-{number:x}.html"


def _schedule(batch: Batch, number: int, url: str, host: str, depth: int) -> None:
    identity = page_id(url)
    batch.known.append((identity, url))
    batch.scheduled.append(identity ^ _MARK)
    priority = breadth(Link(url), depth)
    batch.requests.append(Request(identity, url, host, TASK, depth, priority, number=number + 1))


def write_answers(folder: Path, port: int) -> str:
    """Write the pages that the server answers with, and describe it to nginx."""
    sample = documentation_pages()
    if not sample:
        raise BadInput(f"no pages to answer with: {describe(sample)}")
    folder.mkdir(parents=True)
    for number, page in enumerate(sample):
        (folder / f"{number}.html").write_bytes(page.body)
    shares = " ".join(f"{99 / len(sample):.2f}% {number};" for number in range(1, len(sample)))
    return f"""
    split_clients "$server_addr$uri" $answer {{ {shares} * 0; }}
    server {{
        listen {port};
        root {folder};
        location = /robots.txt {{ return 404; }}
        location / {{ try_files /$answer.html =404; }}
    }}"""
