"""Segments are packed without a moment in which one of their records cannot be read."""

import io
import json
import subprocess
import sys
import threading
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.shared_archive.exchanges import make_exchange, open_reader, open_writer, write_batch
from tests.shared_archive.packing import check_readable, list_names, write_segments
from tests.shared_archive.sqlite_pack_table import SqlitePackTable
from warcio.archiveiterator import ArchiveIterator

from gossamer.errors import StoreFailed
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader
from gossamer.store.shared_archive.location import open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import ORPHAN_S, clean_up, pack_segments, remove_orphans
from gossamer.store.shared_archive.segment_name import SegmentName, locate_index
from gossamer.store.verify.check_segments import find_missing_segments

INDEXER = Path(sys.prefix) / "archive-tools" / "bin" / "cdxj-indexer"


def test_a_thousand_records_are_the_same_before_and_after(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 20, 50)
    before = [store.read(f"segments/{name}") for name in table.committed()]
    result = pack_segments(store, table, whole_only=False)
    assert (result.packs, result.segments, result.damaged) == (1, 20, ())
    clean_up(store, table, grace_s=0)
    assert list_names(store, "segments") == []
    check_readable(store, table, tmp_path / "cache", places)
    check_readable(store, table, tmp_path / "fresh", places)
    (pack,) = list_names(store, "packs")
    content = store.read(pack)
    assert content is not None
    assert content == b"".join(each or b"" for each in before)
    check_with_other_readers(content, places, tmp_path)


def check_with_other_readers(content: bytes, places: dict[int, WarcPosition], folder: Path) -> None:
    """Check that warcio and fastwarc find every record of a packed file."""
    expected = {make_exchange(number).url: make_exchange(number).payload for number in places}
    found = {
        record.rec_headers["WARC-Target-URI"]: record.content_stream().read()
        for record in ArchiveIterator(io.BytesIO(content))
        if record.rec_type == "response"
    }
    assert found == expected
    (folder / "pack.warc.gz").write_bytes(content)
    reader = WarcReader(folder / "pack.warc.gz")
    blocks = {each.headers["warc-target-uri"]: each.block for each in reader if each.type == "response"}
    assert {url: block.partition(b"\r\n\r\n")[2] for url, block in blocks.items()} == expected
    assert reader.damage == []


@pytest.mark.slow
@pytest.mark.skipif(not INDEXER.exists(), reason="no environment `archive-tools` with cdxj-indexer")
def test_the_indexer_of_replay_tools_finds_records_where_we_do(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 5, 20)
    pack_segments(store, table, whole_only=False)
    (pack,) = list_names(store, "packs")
    path = tmp_path / "pack.warc.gz"
    path.write_bytes(store.read(pack) or b"")
    lines = subprocess.run([INDEXER, path], capture_output=True, text=True, check=True).stdout.splitlines()
    entries = [json.loads(line.split(" ", 2)[2]) for line in lines]
    bases = table.find(table.committed())
    assert {entry["url"]: int(entry["offset"]) for entry in entries} == {
        make_exchange(number).url: bases[place.warc].base + place.offset for number, place in places.items()
    }
    own = (store.read(locate_index(pack.removeprefix("packs/"))) or b"").decode().splitlines()
    assert [(*line.split(" ", 2)[:2], _read_place(line)) for line in own] == [
        (*line.split(" ", 2)[:2], _read_place(line)) for line in sorted(lines)
    ]


def _read_place(line: str) -> tuple[str, str, str, str]:
    fields = json.loads(line.split(" ", 2)[2])
    return fields["url"], fields["offset"], fields["length"], fields["digest"].removeprefix("sha1:")


def test_a_pack_has_a_sorted_index_of_all_its_pages(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 5, 20)
    pack_segments(store, table, whole_only=False)
    (pack,), (index,) = list_names(store, "packs"), list_names(store, "indexes")
    content, lines = store.read(pack) or b"", (store.read(index) or b"").decode().splitlines()
    assert lines == sorted(lines)
    fields = [json.loads(line.split(" ", 2)[2]) for line in lines]
    assert {one["filename"] for one in fields} == {pack.removeprefix("packs/")}
    assert sorted(one["url"] for one in fields) == sorted(make_exchange(number).url for number in places)
    for one in fields:
        begin = int(one["offset"])
        member = zlib.decompress(content[begin : begin + int(one["length"])], 31)
        assert f"WARC-Target-URI: {one['url']}\r\n".encode() in member


def test_an_index_without_its_pack_is_deleted(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    write_segments(store, table, tmp_path / "cache", 2, 2)
    pack_segments(store, table, whole_only=False)
    (kept,) = list_names(store, "indexes")
    store.upload(locate_index("pack-of-a-killed-packer.warc.gz"), [b"x"])
    assert clean_up(store, table, grace_s=0) == []
    assert list_names(store, "indexes") == [kept]


def test_only_full_packs_are_made_while_the_crawl_goes_on(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 9, 10)
    size = sum(list(table.committed().values())[:4])
    result = pack_segments(store, table, pack_bytes=size - 1)
    assert (result.packs, result.segments) == (2, 8)
    assert len(table.unpacked(100)) == 1
    clean_up(store, table, grace_s=0)
    assert len(list_names(store, "segments")) == 1
    check_readable(store, table, tmp_path / "cache", places)


def test_segments_stay_for_the_grace_time(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    write_segments(store, table, tmp_path / "cache", 3, 2)
    pack_segments(store, table, whole_only=False)
    clean_up(store, table)
    assert len(list_names(store, "segments")) == 3
    table.age_s = 3601
    clean_up(store, table)
    assert list_names(store, "segments") == []


def test_segments_stay_if_their_pack_is_damaged(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    write_segments(store, table, tmp_path / "cache", 3, 2)
    pack_segments(store, table, whole_only=False)
    (pack,) = list_names(store, "packs")
    store.delete([pack])
    store.upload(pack, [b"short"])
    clean_up(store, table, grace_s=0)
    assert len(list_names(store, "segments")) == 3


def test_a_damaged_segment_does_not_stop_the_others(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 5, 4)
    name = places[8].warc
    store.delete([f"segments/{name}"])
    result = pack_segments(store, table, whole_only=False)
    assert result.damaged == (name,)
    assert result.segments == 4
    clean_up(store, table, grace_s=0)
    assert len(list_names(store, "packs")) == 1
    check_readable(
        store, table, tmp_path / "new", {n: place for n, place in places.items() if place.warc != name}
    )


def test_packs_that_an_older_database_does_not_know_are_kept(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 3, 2)
    pack_segments(store, table, whole_only=False)
    assert clean_up(store, table, grace_s=0) == []
    (pack,) = list_names(store, "packs")
    restored = SqlitePackTable(tmp_path / "older")
    assert clean_up(store, restored, grace_s=0) == [pack.removeprefix("packs/")]
    check_readable(store, table, tmp_path / "new", places)


def test_two_packers_at_once_pack_each_segment_once(
    address: str, store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 24, 5)
    size = sum(list(table.committed().values())[:3]) - 1
    results = []
    threads = [
        threading.Thread(
            target=lambda: results.append(pack_segments(open_archive(address), table, pack_bytes=size))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(result.segments for result in results) + len(table.unpacked(100)) == 24
    clean_up(store, table, grace_s=0)
    assert len(list_names(store, "packs")) == sum(result.packs for result in results)
    check_readable(store, table, tmp_path / "cache", places)


def test_a_reader_notices_nothing_of_packing(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 30, 5)
    size = sum(list(table.committed().values())[:6]) - 1
    stop, failures = threading.Event(), list[object]()

    def read() -> None:
        rounds = 0
        reader = open_reader(store, table, tmp_path / "none" / str(rounds))
        while not stop.is_set() or rounds < 2:
            rounds += 1
            for number, place in places.items():
                # Without a cache of its own, each round asks the store again, with what the last one remembers.
                reader._last = ("", 0, b"")
                found = reader.read(place)
                if found is None or found.payload != make_exchange(number).payload:
                    failures.append(place)

    (tmp_path / "none").write_text("no folder: nothing is cached", "utf-8")
    thread = threading.Thread(target=read)
    thread.start()
    try:
        while pack_segments(store, table, pack_bytes=size).packs:
            clean_up(store, table, grace_s=0)
        pack_segments(store, table, whole_only=False)
        clean_up(store, table, grace_s=0)
    finally:
        stop.set()
        thread.join()
    assert failures == []
    assert list_names(store, "segments") == []


def test_orphans_of_writers_that_are_over_are_removed(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    dead, alive = (open_writer(store, table, tmp_path / "cache", name) for name in ("dead", "alive"))
    kept = write_batch(dead, table, range(2))
    for writer in (dead, alive):
        writer.write(make_exchange(5), "")
        writer.flush()  # and no commit

    def find_abandoned(names: Sequence[SegmentName]) -> list[str]:
        return [str(name) for name in names if name.fetcher == "dead" and str(name) not in table.committed()]

    written_s = max(found.written_s for found in store.list("segments"))
    assert remove_orphans(store, find_abandoned, written_s + ORPHAN_S - 60) == 0, "they are not old enough"
    assert remove_orphans(store, find_abandoned, written_s + ORPHAN_S + 60) == 1
    assert len(list_names(store, "segments")) == 2
    check_readable(store, table, tmp_path / "new", kept)


def test_a_store_that_is_away_leaves_everything_as_it_was(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 3, 2)

    class Away:
        address = store.address

        def __getattr__(self, name: str) -> object:
            raise StoreFailed("the archive cannot be reached", full=True)

    with pytest.raises(StoreFailed, match="cannot be reached"):
        pack_segments(Away(), table, whole_only=False)  # type: ignore[arg-type]
    assert len(table.unpacked(10)) == 3
    check_readable(store, table, tmp_path / "new", places)


def test_missing_segments_are_found(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    places = write_segments(store, table, tmp_path / "cache", 4, 1)
    names = list(table.committed())
    assert list(find_missing_segments(store, table, table.committed().items())) == []
    pack_segments(store, table, sum(list(table.committed().values())[:2]) - 1, whole_only=True)
    clean_up(store, table, grace_s=0)
    store.delete([f"packs/{table.find(names)[names[0]].pack}"])
    writer = open_writer(store, table, tmp_path / "cache", "two")
    writer.write(make_exchange(99), "")
    ((short, length),) = writer.flush().items()
    committed = {**table.committed(), short: length + 1}
    assert dict(find_missing_segments(store, table, committed.items())) == {
        names[0]: "it is missing",
        names[1]: "it is missing",
        short: f"it is shorter than the {length + 1} bytes that were committed",
    }
    assert places
