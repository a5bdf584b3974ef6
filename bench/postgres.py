"""Measure the store on PostgreSQL: writers at once, round trips, the cost of a commit against SQLite's, and a take-over.

A batch is what a crawl commits: 200 finished pages with 100 links each, of which 20 are new URLs with a request each,
at 150 hosts, and the two questions that are asked before it. The server is started here, with its files synced as by
default. Processes of eight writers commit at once; a take-over reads the seen set of a quarter of the web, with 20
million keys in all.

    python bench/postgres.py [--keys N] [--grown N …] [--only growth|bytes] [--json]
"""

import argparse
import math
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.net.url import page_id
from gossamer.records import HostNote, Page, Request, Visit
from gossamer.store.batch import Batch, LinkColumns, TaskNote
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.binary_columns import Blobs, Int2s, Int8s, pack_copy
from gossamer.store.postgres.connect import CopyIn, Session
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.share_groups import GROUPS, share_of
from gossamer.store.sqlite.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from tests.postgres_server import PostgresServer

PAGES, LINKS, NEW, HOSTS = 200, 100, 20, 150
WRITERS, BATCHES_EACH = 8, 8
ROUNDS, BATCHES = 3, 5
KEYS, GROWN = 20_000_000, 1_000_000
BYTES_BATCHES, BYTES_URLS = 25, 200_000
_KEYS_A_ROW = 20
SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "shared_buffers": "512MB",
    "max_wal_size": "4GB",
}
FORK = multiprocessing.get_context("fork")


def make_batch(writer: int, number: int) -> tuple[Batch, list[int]]:
    """Return a batch of a crawl, and the share of each key that it schedules."""
    rnd = random.Random(writer * 1_000_003 + number)
    hosts = [f"www{rnd.randrange(20_000)}.w{writer}.example.org" for _ in range(HOSTS)]
    first = (number * WRITERS + writer) * PAGES * NEW
    requests = []
    for place in range(PAGES * NEW):
        host = rnd.choice(hosts)
        url = f"http://{host}/section/{rnd.randrange(50)}/page-{first + place}.html"
        requests.append(
            Request(page_id(url), url, host, 1, 3, rnd.choice((0.0, 0.5, 1.0)), 7, "a", 0, first + place + 1)
        )
    ids = [request.id for request in requests]
    pages = [
        Page(
            one.id,
            one.url,
            one.host,
            1,
            2,
            1.79e9,
            200,
            "html",
            "A title of a page",
            "en",
            digest=f"sha1:{one.id:032X}",
        )
        for one in requests[:PAGES]
    ]
    links = [
        LinkColumns(page.id, rnd.choices(ids, k=LINKS), bytes(LINKS), ["some words of a link"] * LINKS)
        for page in pages
    ]
    batch = Batch(
        pages=pages,
        links=links,
        known=[(one.id, one.url) for one in requests],
        scheduled=[one.id ^ 12345 for one in requests],
        requests=requests,
        finished=requests[:PAGES],
        visits=[Visit(page.id, 1, 1.79e9, "fetched", 200, took_s=0.2, body_bytes=30_000) for page in pages],
        hosts=[
            HostNote(host, 1.79e9, 1.0, 0, "192.0.2.1", b"User-agent: *\n" * 20, 200, 1.79e9)
            for host in hosts
        ],
        counted=[
            (1, {"downloaded": PAGES, "checked": PAGES * LINKS, "queued": PAGES * NEW, "finished": PAGES})
        ],
        archive_ends={f"w{writer}.warc.gz": number * 1_000_000},
    )
    return batch, [share_of(one.host) for one in requests]


def commit_like_a_crawl(store: PostgresStore | SqliteStore, batch: Batch, shares: list[int]) -> None:
    """Ask what a crawl asks before a commit, and commit."""
    store.pages_by_digest(page.digest for page in batch.pages)
    store.page_urls(request.parent for request in batch.finished)
    if isinstance(store, PostgresStore):
        store.commit(batch, key_shares=shares)
    else:
        store.commit(batch)


@contextmanager
def run_server() -> Iterator["PostgresServer"]:
    """Run a server in a temporary folder, as the tests do."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.postgres_server import PostgresServer, find_program

    if find_program("postgres") is None:
        raise BadInput("there is no PostgreSQL: apt-get install postgresql-15")
    folder = Path(tempfile.mkdtemp(prefix="gossamer-pg-"))
    try:
        server = PostgresServer(folder, SETTINGS)
        server.make_shared_web()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_empty_web(server: "PostgresServer") -> str:
    """Return the address of an empty web, without what earlier measurements left in its files."""
    address = server.empty_web()
    server.execute("vacuum", "shared_web")
    return address


def measure_commits(server: "PostgresServer") -> dict[str, float]:
    """Commit the same batches to both stores, alternately; the best round of each counts."""
    best: dict[str, float] = {}
    for round_number in range(ROUNDS):
        batches = [make_batch(round_number, number) for number in range(BATCHES)]
        with tempfile.TemporaryDirectory() as folder:
            sqlite = SqliteStore(Path(folder) / "state.sqlite", create=True)
            for name, store in (("sqlite", sqlite), ("postgres", PostgresStore(make_empty_web(server)))):
                store.commit(Batch(tasks=[TaskNote(1, "one", b"{}")]))
                commit_like_a_crawl(store, *make_batch(99, round_number))  # so that plans are made
                for figure, value in time_commits(server, store, batches).items():
                    key = f"{name} {figure}"
                    best[key] = min(best.get(key, value), value)
                store.close()
    a_page = 1e3 / (BATCHES * PAGES)
    return {
        "postgres.round_trips": best["postgres trips"] * a_page,
        "postgres.commit_time_vs_sqlite": best["postgres s"] / best["sqlite s"],
        "postgres.commit_cpu_vs_sqlite": best["postgres cpu"] / best["sqlite cpu"],
        "postgres.commit_cpu_ms": best["postgres cpu"] * a_page,
        "postgres.server_cpu_ms": best["postgres server"] * a_page,
        "postgres.sqlite_cpu_ms": best["sqlite cpu"] * a_page,
    }


def time_commits(
    server: "PostgresServer", store: PostgresStore | SqliteStore, batches: list[tuple[Batch, list[int]]]
) -> dict[str, float]:
    """Return the seconds, the CPU seconds here and at the server, and the round trips of some commits."""
    trips = store.round_trips if isinstance(store, PostgresStore) else 0
    began_s, cpu_s, server_s = time.perf_counter(), time.process_time(), server.measure_cpu_s()
    for batch, shares in batches:
        commit_like_a_crawl(store, batch, shares)
    return {
        "s": time.perf_counter() - began_s,
        "cpu": time.process_time() - cpu_s,
        "server": server.measure_cpu_s() - server_s,
        "trips": (store.round_trips if isinstance(store, PostgresStore) else 0) - trips,
    }


def write_many(address: str, writer: int, go: "Event", ready: "Event") -> None:
    """Commit batches as one of several writers."""
    batches = [make_batch(writer, number) for number in range(BATCHES_EACH)]
    store = PostgresStore(address)
    ready.set()
    go.wait()
    for batch, shares in batches:
        store.commit(batch, key_shares=shares)
    store.close()


def measure_writers(server: "PostgresServer") -> dict[str, float]:
    """Let writers commit at once; return how many new requests they wrote in a second."""
    address = make_empty_web(server)
    go, ready = FORK.Event(), [FORK.Event() for _ in range(WRITERS)]
    writers = [
        FORK.Process(target=write_many, args=(address, number, go, ready[number]))
        for number in range(WRITERS)
    ]
    for each in writers:
        each.start()
    for one in ready:
        one.wait(120)
    began_s, server_s = time.perf_counter(), server.measure_cpu_s()
    go.set()
    for each in writers:
        each.join()
    took_s = time.perf_counter() - began_s
    if any(each.exitcode for each in writers):
        raise BadInput("a writer failed")
    requests = WRITERS * BATCHES_EACH * PAGES * NEW
    spent_s = server.measure_cpu_s() - server_s
    return {
        "postgres.requests_a_second": requests / took_s,
        "postgres.requests_a_server_cpu_second": requests / spent_s,
    }


def measure_take_over(server: "PostgresServer", keys: int) -> dict[str, float]:
    """Fill the seen set, and read what a fetcher needs that takes a quarter of the web."""
    address = make_empty_web(server)
    session = Session(parse_address(address))
    rnd = random.Random(5)
    rows = keys // _KEYS_A_ROW
    copy = "copy seen (number, share_group, keys) from stdin (format binary)"
    for first in range(0, rows, 50_000):
        some = [
            (number, rnd.randrange(GROUPS), rnd.randbytes(8 * _KEYS_A_ROW))
            for number in range(first + 1, min(first + 50_000, rows) + 1)
        ]
        session.transact([CopyIn(copy, pack_copy([Int8s, Int2s, Blobs], some))])
    session.close()
    store = PostgresStore(address)
    figures = {}
    for name, groups in (("group", range(1)), ("quarter", range(0, GROUPS, 4))):
        began_s = time.perf_counter()
        read = sum(len(packed) for _, packed in store.seen_keys(groups=groups)) // 8
        figures[f"postgres.take_over_{name}_s"] = time.perf_counter() - began_s
        if not 0.5 < read / (keys * len(groups) / GROUPS) < 2:
            raise BadInput(f"{read:,} keys were read instead of about {keys * len(groups) // GROUPS:,}")
    store.close()
    return figures


FILL = (
    "insert into gossamer.known select hashint8extended(n, 0), 'http://www' || n % 20000 || '.example.com/some/page/' || n "
    "from generate_series({first}, {last}) as given (n)",
    "insert into gossamer.request select (n::bigint * 7919 % 65536)::integer, 1, -(n % 3) / 2.0, n, hashint8extended(n, 0), 7, 3, 0, 0, "
    "'www' || n::bigint * 7919 % 65536 || '.example.com', 'http://www' || n % 20000 || '.example.com/some/page/' || n, 'a' "
    "from generate_series({first}, {last}) as given (n)",
)


def measure_growth(server: "PostgresServer", sizes: Sequence[int]) -> dict[str, float]:
    """Compare the CPU time of the server for a commit in webs with many URLs with that in an empty one, alternately."""
    stores = [fill_web(server, size) for size in (0, *sizes)]
    server.execute("checkpoint")
    best = [math.inf] * len(stores)
    for round_number in range(2 * ROUNDS):
        for place, store in enumerate(stores):
            batches = [
                make_batch(50 + place, max(sizes) + round_number * BATCHES + number)
                for number in range(BATCHES)
            ]
            spent_s = time_commits(server, store, batches)["server"]
            if round_number:  # the first one makes plans
                best[place] = min(best[place], spent_s)
    for store in stores:
        store.close()
    names = ["postgres.growth", *(f"postgres.growth_{size // 1_000_000}_million" for size in sizes[1:])]
    return {name: spent_s / best[0] for name, spent_s in zip(names, best[1:], strict=True)}


def measure_bytes(server: "PostgresServer") -> dict[str, float]:
    """Return how many bytes of tables and indexes a page takes, with its links and new URLs, and a waiting URL alone."""
    name = server.make_database()
    store = PostgresStore(server.make_address(name), create=True)
    sizes = []
    for number in range(-1, BYTES_BATCHES):
        if number >= 0:
            batch, shares = make_batch(70, number)
            store.commit(batch, key_shares=shares)
        if number in (-1, BYTES_BATCHES - 1):
            sizes.append(_read_size(server, name))
    store.close()
    waiting = _read_size(server, fill_web(server, BYTES_URLS).address.parameters["dbname"]) - sizes[0]
    return {
        "postgres.bytes_a_page": (sizes[1] - sizes[0]) / (BYTES_BATCHES * PAGES),
        "postgres.bytes_a_waiting_url": waiting / BYTES_URLS,
    }


def _read_size(server: "PostgresServer", name: str) -> int:
    [(size_bytes,)] = server.execute("select pg_database_size(current_database())", name)
    return int(size_bytes)


def fill_web(server: "PostgresServer", size: int) -> PostgresStore:
    """Make a web with so many known URLs, each with a request that waits."""
    name = server.make_database()
    store = PostgresStore(server.make_address(name), create=True)
    store.commit(Batch(tasks=[TaskNote(1, "one", b"{}")]))
    for first in range(0, size, 500_000):
        for statement in FILL:
            server.execute(statement.format(first=first + 1, last=min(first + 500_000, size)), name)
    server.execute("vacuum analyze", name)
    print(f"{size:,} known URLs with a request: {_read_size(server, name) / 1e6:,.0f} MB", file=sys.stderr)
    return store


def measure(keys: int = KEYS, grown: Sequence[int] = (GROWN,), only: str = "") -> dict[str, float]:
    """Measure all of it, or one thing only."""
    with run_server() as server:
        if only == "growth":
            return measure_growth(server, grown)
        if only == "bytes":
            return measure_bytes(server)
        figures = measure_commits(server) | measure_writers(server)
        figures |= measure_bytes(server) | measure_growth(server, grown)
        return figures | measure_take_over(server, keys)


def main() -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Measure the store on PostgreSQL.")
    parser.add_argument("--keys", type=int, default=KEYS, help="keys in the seen set of the take-over")
    parser.add_argument(
        "--grown", type=int, nargs="+", default=[GROWN], help="known URLs with a request in the grown webs"
    )
    parser.add_argument("--only", choices=["growth", "bytes"], default="", help="measure this only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("postgres", lambda: measure(given.keys, given.grown, given.only), given.json)


if __name__ == "__main__":
    sys.exit(main())
