"""Make segments to pack, and check that every record can still be read."""

from pathlib import Path

from tests.shared_archive.exchanges import make_exchange, open_reader, open_writer, write_batch
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.shared_archive.object_store import ObjectStore


def write_segments(
    store: ObjectStore, table: SqlitePackTable, cache: Path, segments: int, each: int
) -> dict[int, WarcPosition]:
    writer = open_writer(store, table, cache)
    places: dict[int, WarcPosition] = {}
    for number in range(segments):
        places |= write_batch(writer, table, range(number * each, (number + 1) * each))
    return places


def check_readable(
    store: ObjectStore, table: SqlitePackTable, cache: Path, places: dict[int, WarcPosition]
) -> None:
    reader = open_reader(store, table, cache)
    for number, place in places.items():
        found = reader.read(place)
        assert found is not None, place
        assert found.payload == make_exchange(number).payload


def list_names(store: ObjectStore, folder: str) -> list[str]:
    return [found.name for found in store.list(folder)]
