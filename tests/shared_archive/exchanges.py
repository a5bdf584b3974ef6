"""Exchanges for tests, and a writer process that can be killed."""

import random
from pathlib import Path

from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.net.fingerprint import digest
from gossamer.records import Exchange
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.shared_archive.block_cache import BlockCache
from gossamer.store.shared_archive.location import open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_table import PackTable
from gossamer.store.shared_archive.segment_reader import SegmentReader
from gossamer.store.shared_archive.segment_writer import SegmentWriter
from gossamer.store.wait_for_store import Say, ignore

NOW_S = 1_790_000_000.0


def make_exchange(number: int, size: int = 3000) -> Exchange:
    """Return an exchange that is the same for the same number, half of it compressible."""
    chance = random.Random(number)
    payload = b"<p>%d " % number + chance.randbytes(size // 2) + b"text " * (size // 10)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(payload)
    return Exchange(
        url=f"http://www.example.org/{number}",
        status=200,
        request_head=b"GET /%d HTTP/1.1\r\nHost: www.example.org\r\n\r\n" % number,
        response_head=head,
        payload=payload,
        body=payload,
        headers=(("content-type", "text/html"),),
        address="192.0.2.7",
        began_s=NOW_S + number,
        first_byte_s=0.1,
        took_s=0.25,
    )


def open_writer(
    store: ObjectStore,
    table: PackTable,
    cache: Path,
    fetcher: str = "one",
    epoch: int = 1,
    say: Say = ignore,
) -> SegmentWriter:
    """Return a writer with a reader of its own."""
    return SegmentWriter(
        store, open_reader(store, table, cache), fetcher, epoch, {"isPartOf": "test"}, say=say
    )


def open_reader(store: ObjectStore, table: PackTable, cache: Path) -> SegmentReader:
    """Return a reader with a small cache."""
    return SegmentReader(store, table, BlockCache(cache, 50_000_000))


def write_batch(writer: SegmentWriter, table: SqlitePackTable, numbers: range) -> dict[int, WarcPosition]:
    """Write exchanges as one batch, and commit it."""
    places = {}
    for number in numbers:
        one = make_exchange(number)
        places[number] = writer.write(one, digest(one.payload))
    table.commit(writer.flush())
    return places


def write_until_killed(address: str, rows: Path, cache: Path, epoch: int, size: int) -> None:
    """Write and commit batches of one exchange for ever; print the number of each commit."""
    table = SqlitePackTable(rows)
    writer = open_writer(open_archive(address), table, cache, "killed", epoch)
    number = 0
    while True:
        one = make_exchange(number, size)
        writer.write(one, digest(one.payload))
        table.commit(writer.flush())
        print(number, flush=True)
        number += 1
