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
from gossamer.crawl.finding import task_mark
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

_WORDS = (
    "archive", "bridge", "castle", "desert", "engine", "forest", "garden", "harbour", "island", "journey", "kitchen",
    "library", "market", "network", "orchard", "palace", "quarry", "river", "school", "theatre", "uplands", "village",
    "weather", "yearbook",
)  # fmt: skip


def host_of(number: int, port: int) -> str:
    """Return the host of the URL of this number."""
    at = number % HOSTS
    return f"127.64.{at // 250}.{at % 250 + 1}:{port}"


def url_of(number: int, port: int) -> str:
    """Return the URL of this number; the first ones are the start pages of their hosts."""
    host = host_of(number, port)
    if number < HOSTS:
        return f"http://{host}/"
    topic, word = _WORDS[number // HOSTS % len(_WORDS)], _WORDS[number * 7919 % len(_WORDS)]
    return f"http://{host}/{topic}/{word}-{number:x}.html"


def make_web(folder: Path, urls: int, port: int, pages: int) -> float:
    """Make a web that knows so many URLs, with a task that ends after so many pages; return the URLs made a second."""
    folder.mkdir(parents=True)
    store = SqliteStore(folder / STATE_FILE, create=True)
    began_s = time.perf_counter()
    try:
        store.commit(Batch(tasks=[_task(urls, port, pages)], hosts=list(_host_notes(port))))
        for first in range(0, urls, BATCH):
            store.commit(_batch(range(first, min(urls, first + BATCH)), port))
    finally:
        store.close()
    return urls / (time.perf_counter() - began_s)


def _task(urls: int, port: int, pages: int) -> TaskNote:
    spec = config.from_options(
        name="grown",
        seeds=[url_of(number, port) for number in range(HOSTS)],
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


def _batch(numbers: range, port: int) -> Batch:
    mark = int(task_mark(TASK))
    batch = Batch()
    for number in numbers:
        url = url_of(number, port)
        identity = page_id(url)
        depth = 0 if number < HOSTS else 1 + number // HOSTS % DEEPEST
        batch.known.append((identity, url))
        batch.scheduled.append(identity ^ mark)
        batch.requests.append(
            Request(
                identity,
                url,
                host_of(number, port),
                TASK,
                depth,
                breadth(Link(url), depth),
                number=number + 1,
            )
        )
    return batch


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
