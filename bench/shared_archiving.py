"""Compare writing and reading a shared archive with the archive of one machine: MB/s, and CPU of this process.

The same batches of 200 real pages (`pages.py`) are written into a local folder as a crawl does, into a local folder that is
synced with each batch, into a shared folder, and into an S3 server: that of the tests, or the one that AWS_ENDPOINT_URL
names, in its bucket `web-bytes`. Then every page is read back, in the order of writing, with an empty cache. Rounds
alternate, and the best of each counts.

    python bench/shared_archiving.py [--json]
"""

import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.object_server import ObjectServer, find_missing_programs
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from archiving import make_exchanges
from gossamer.records import Exchange
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.shared_archive.block_cache import BlockCache
from gossamer.store.shared_archive.location import create_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_reader import SegmentReader
from gossamer.store.shared_archive.segment_writer import SegmentWriter
from pages import describe, read_documentation_pages

ROUNDS = 5
BATCH_PAGES = 200
BATCHES = 10
Batches = list[list[tuple[Exchange, str]]]
Result = tuple[int, list[WarcPosition], ArchiveReader]


def write_locally(batches: Batches, folder: Path, sync: bool) -> Result:
    """Write into WARC files of a local folder."""
    archive = Archive(folder / "archive", {})
    places, size = [], 0
    for batch in batches:
        places += [archive.write(one, digest) for one, digest in batch]
        size = sum((archive.flush(sync) or {"": size}).values())
    return size, places, ArchiveReader(folder / "archive")


def write_segments(batches: Batches, folder: Path, store: ObjectStore) -> Result:
    """Write into segments of a shared archive."""
    reader = SegmentReader(store, SqlitePackTable(folder / "rows"), BlockCache(folder / "cache"))
    writer = SegmentWriter(store, reader, f"bench-{os.urandom(4).hex()}", 1)
    places, size = [], 0
    for batch in batches:
        places += [writer.write(one, digest) for one, digest in batch]
        size += sum(writer.flush().values())
    return size, places, reader


@contextmanager
def find_server() -> Iterator[str]:
    """Yield the address of an archive in an S3 server; "" if there is none."""
    prefix = f"s3://web-bytes/bench-{os.urandom(4).hex()}"
    with ExitStack() as stack:
        if "AWS_ENDPOINT_URL" not in os.environ:
            if find_missing_programs():
                yield ""
                return
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            server = stack.enter_context(ObjectServer(folder))
            os.environ.update(server.environment)
            server.make_bucket("web-bytes")
        yield prefix


def measure(do: Callable[[], object]) -> tuple[float, float]:
    """Return the CPU seconds and the seconds that a call takes."""
    cpu_s, began_s = time.process_time(), time.perf_counter()
    do()
    return time.process_time() - cpu_s, time.perf_counter() - began_s


def measure_round(write: Callable[[Path], Result], folder: Path, best: dict[str, float]) -> None:
    """Write and read once in a new folder, and keep the least of each figure."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    results: list[Result] = []
    cpu_s, took_s = measure(lambda: results.append(write(folder)))
    size, places, reader = results[0]
    read_cpu_s, read_s = measure(lambda: [reader.read(place) for place in places])
    segments = BATCHES
    for name, value in {
        "CPU ms a batch": 1000 * cpu_s / segments,
        "ms a batch": 1000 * took_s / segments,
        "read CPU µs a page": 1e6 * read_cpu_s / len(places),
        "read µs a page": 1e6 * read_s / len(places),
    }.items():
        best[name] = min(best.get(name, math.inf), value)
    best["MB a batch"] = size / segments / 1e6


def main() -> None:
    """Measure all places, and print a line for each."""
    exchanges = make_exchanges(read_documentation_pages())
    if not exchanges:
        sys.exit(describe([]))
    many = (exchanges * (1 + BATCH_PAGES * BATCHES // len(exchanges)))[: BATCH_PAGES * BATCHES]
    # The same page twice would be a revisit, which has no bytes.
    batches = [_make_different(many[at : at + BATCH_PAGES], at) for at in range(0, len(many), BATCH_PAGES)]
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as name, find_server() as address:
        folder = Path(name)
        places: dict[str, Callable[[Path], Result]] = {
            "local folder": lambda here: write_locally(batches, here, sync=False),
            "local folder, synced": lambda here: write_locally(batches, here, sync=True),
            "shared folder": lambda here: write_segments(batches, here, create_archive(str(here / "shared"))),
        }
        if address:
            places["S3"] = lambda here: write_segments(batches, here, create_archive(address))
        best: dict[str, dict[str, float]] = {name: {} for name in places}
        for _ in range(ROUNDS):
            for place, write in places.items():
                measure_round(write, folder / "round", best[place])
    for figures in best.values():
        figures["MB/s"] = 1000 * figures["MB a batch"] / figures["ms a batch"]
    if "--json" in sys.argv:
        print(json.dumps(best))
    else:
        for place, figures in best.items():
            print(f"{place}: " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items()))


def _make_different(batch: list[tuple[Exchange, str]], at: int) -> list[tuple[Exchange, str]]:
    return [(one, f"{digest}-{at + number}") for number, (one, digest) in enumerate(batch)]


if __name__ == "__main__":
    main()
