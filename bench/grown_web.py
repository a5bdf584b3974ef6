"""Make a web that knows millions of URLs through the store, without fetching any of them; and its server.

A hundred URLs of each host are known: one was fetched and links to all of them, most wait to be fetched, and the rest
was refused. Waiting URLs were added in rounds over all hosts, as links are, not host by host. Hosts are loopback
addresses, more of them in a larger web; the robots.txt of each was fetched a moment ago. The server answers every URL,
and every URL that these link to, with one of the sample of documentation pages, chosen by the URL. The task refuses links
from them to the real web.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer import config
from gossamer.crawl.seen_keys import task_mark
from gossamer.errors import BadInput
from gossamer.lab.server.loopback_sockets import loopback_address
from gossamer.net.url import page_id
from gossamer.order.plain_orders import breadth_first
from gossamer.records import HostNote, Link, Page, Request, Visit
from gossamer.store.batch import NOFOLLOW, Batch, LinkColumns, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore
from pages import describe, read_documentation_pages

STATE_FILE = "state.sqlite"
TASK = 1
TASK_NAME = "grown"
PER_HOST = 100
ROUNDS = 5
WAITING_PER_ROUND = 15
WAITING_PER_HOST = ROUNDS * WAITING_PER_ROUND
HOSTS_PER_BATCH = 200
PAGE_BYTES = 42_000

_FIRST_ADDRESS = 64 * 256 * 254  # 127.64.0.1
_DEEPEST = 6
_MARK = int(task_mark(TASK))

_WORDS = (
    "archive", "bridge", "castle", "desert", "engine", "forest", "garden", "harbour", "island", "journey", "kitchen",
    "library", "market", "network", "orchard", "palace", "quarry", "river", "school", "theatre", "uplands", "village",
    "weather", "yearbook",
)  # fmt: skip


def make_host(number: int, port: int) -> str:
    """Return the host with this number."""
    return f"{loopback_address(_FIRST_ADDRESS + number)}:{port}"


def make_url(number: int, port: int) -> str:
    """Return the URL with this number; the first of each host is its front page."""
    at, place = divmod(number, PER_HOST)
    section, name = _WORDS[place // 10 % len(_WORDS)], _WORDS[number * 7919 % len(_WORDS)]
    return f"http://{make_host(at, port)}/{f'{section}/{name}-{number:x}.html' if place else ''}"


def make_web(folder: Path, urls: int, port: int, pages: int) -> float:
    """Make a web that knows `urls` URLs, with a task that ends after `pages` more pages; return the URLs a second."""
    folder.mkdir(parents=True)
    hosts = urls // PER_HOST
    began_s = time.perf_counter()
    store = SqliteStore(folder / STATE_FILE, create=True)
    try:
        store.commit(Batch(tasks=[_make_task(hosts, port, pages)]))
        for found in range(ROUNDS):
            for first in range(0, hosts, HOSTS_PER_BATCH):
                store.commit(
                    _make_batch(range(first, min(hosts, first + HOSTS_PER_BATCH)), hosts, found, port)
                )
    finally:
        store.close()
    return urls / (time.perf_counter() - began_s)


def _make_task(hosts: int, port: int, pages: int) -> TaskNote:
    spec = config.from_options(
        name=TASK_NAME,
        seeds=[make_url(0, port)],
        scope="any",
        include_hosts=[r"^127\."],
        pages=hosts + pages,
        delay_s=0.0,
        adaptive=0.0,
        allow_private=["127.0.0.0/8"],
    )
    waiting = hosts * WAITING_PER_HOST
    counts = {
        "checked": hosts * PER_HOST,
        "queued": hosts + waiting,
        "filtered:nofollow": hosts * (PER_HOST - 1 - WAITING_PER_HOST),
        "downloaded": hosts,
        "finished": hosts,
    }
    return TaskNote(TASK, spec.name, msgspec.json.encode(spec), created_s=time.time(), counts=counts)


def _make_batch(some: range, hosts: int, found: int, port: int) -> Batch:
    """Return the findings of a round on some hosts: pages and links in the first round, some requests in each."""
    batch = Batch()
    for at in some:
        host = make_host(at, port)
        if not found:
            _add_front_page(
                batch, [_identify(number, port) for number in range(at * PER_HOST, (at + 1) * PER_HOST)], host
            )
        first = at * PER_HOST
        waiting = [_identify(first + 1 + found + place * ROUNDS, port) for place in range(WAITING_PER_ROUND)]
        before = (found * hosts + at) * WAITING_PER_ROUND
        batch.requests += _make_requests(waiting, host, _identify(first, port)[0], before)
        batch.scheduled += [identity ^ _MARK for identity, _ in waiting]
    return batch


def _identify(number: int, port: int) -> tuple[int, str]:
    url = make_url(number, port)
    return page_id(url), url


def _add_front_page(batch: Batch, known: list[tuple[int, str]], host: str) -> None:
    """Add the front page of a host as fetched, with links to all pages of the host, and its robots.txt as missing."""
    now_s, address, (source, url) = time.time(), host.partition(":")[0], known[0]
    digest = f"sha1:{source & (1 << 64) - 1:032X}"
    title = f"The pages of {host}"
    page = Page(source, url, host, TASK, 0, now_s, 200, "html", title, body_bytes=PAGE_BYTES, digest=digest)
    batch.pages.append(page)
    batch.visits.append(
        Visit(source, TASK, now_s, "fetched", 200, took_s=0.1, body_bytes=PAGE_BYTES, address=address)
    )
    batch.hosts.append(HostNote(host, now_s, 0.0, 0, address, b"", 404, now_s))
    batch.known += known
    batch.scheduled.append(source ^ _MARK)
    kinds = bytes(NOFOLLOW if place > WAITING_PER_HOST else 0 for place in range(len(known)))
    texts = [url.rpartition("/")[2] for _, url in known]
    batch.links.append(LinkColumns(source, [target for target, _ in known], kinds, texts))


def _make_requests(waiting: list[tuple[int, str]], host: str, parent: int, before: int) -> Iterator[Request]:
    """Yield requests for some pages of a host; `before` is the number of earlier requests."""
    for number, (identity, url) in enumerate(waiting, before + 1):
        depth = 1 + number % _DEEPEST
        yield Request(
            identity, url, host, TASK, depth, breadth_first(Link(url), depth), parent, number=number
        )


def write_answers(folder: Path, port: int) -> str:
    """Write the pages that the server answers with; return its nginx configuration."""
    sample = read_documentation_pages()
    if not sample:
        raise BadInput(f"no pages to serve: {describe(sample)}")
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
