"""Segments hold what was committed, and are read back as written."""

import gzip
import io
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest
from tests.object_server import ObjectServer
from tests.shared_archive.counting_store import CountingStore
from tests.shared_archive.exchanges import NOW_S, make_exchange, open_reader, open_writer, write_batch
from tests.shared_archive.sqlite_pack_table import SqlitePackTable
from warcio.archiveiterator import ArchiveIterator

from gossamer.errors import BadInput, StoreFailed
from gossamer.net.fingerprint import digest
from gossamer.records import Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.shared_archive.block_cache import BLOCK_BYTES, BlockCache
from gossamer.store.shared_archive.location import create_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import clean_up, pack_segments
from gossamer.store.shared_archive.segment_name import SegmentName, check_fetcher, parse_segment_name
from gossamer.store.shared_archive.segment_reader import SegmentReader


def test_records_are_read_back(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    writer = open_writer(store, table, tmp_path / "cache")
    places = write_batch(writer, table, range(5)) | write_batch(writer, table, range(5, 9))
    assert len({place.warc for place in places.values()}) == 2
    reader = open_reader(store, table, tmp_path / "other")
    for number, place in places.items():
        found = reader.read(place)
        assert found is not None
        assert found.payload == make_exchange(number).payload
        assert found.url == make_exchange(number).url
    assert dict(reader.list_files()) == table.committed()


def test_a_segment_is_a_warc_file_that_begins_with_its_description(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    writer = open_writer(store, table, tmp_path / "cache")
    place = write_batch(writer, table, range(3))[0]
    content = store.read(f"segments/{place.warc}")
    assert content is not None
    assert len(content) == table.committed()[place.warc]
    kinds = [record.rec_type for record in ArchiveIterator(io.BytesIO(content))]
    assert kinds == ["warcinfo", *["response", "request", "metadata"] * 3]
    assert f"WARC-Filename: {place.warc}".encode() in gzip.decompress(content)


def test_one_record_takes_one_request(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    places = write_batch(open_writer(store, table, tmp_path / "cache"), table, range(400))
    counting = CountingStore(store)
    reader = open_reader(counting, table, tmp_path / "other")  # type: ignore[arg-type]
    assert reader.read(places[250]) is not None
    assert counting.reads == 1
    assert reader.read(places[251]) is not None
    assert counting.reads == 1, "the next record was in what was read"
    again = open_reader(counting, table, tmp_path / "other")  # type: ignore[arg-type]
    assert again.read(places[250]) is not None
    assert counting.reads == 1, "another process finds it in the cache"


def test_records_longer_than_blocks_are_read(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    writer = open_writer(store, table, tmp_path / "cache")
    large = make_exchange(1, 30 * BLOCK_BYTES)
    before, place, after = (writer.write(one, "") for one in (make_exchange(0), large, make_exchange(2)))
    table.commit(writer.flush())
    reader = open_reader(store, table, tmp_path / "other")
    for where, one in ((place, large), (after, make_exchange(2)), (before, make_exchange(0))):
        found = reader.read(where)
        assert found is not None
        assert found.payload == one.payload


def test_places_without_a_record_give_nothing(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    place = write_batch(open_writer(store, table, tmp_path / "cache"), table, range(2))[1]
    reader = open_reader(store, table, tmp_path / "cache")
    assert reader.read(WarcPosition(place.warc, place.offset + 1)) is None
    assert reader.read(WarcPosition(place.warc, 10_000_000)) is None
    assert reader.read(WarcPosition("segment-none.warc.gz", 0)) is None
    assert reader.read(WarcPosition("../archive.json", 0)) is None
    assert reader.read(WarcPosition("", 0)) is None


def test_revisits_get_the_payload_of_the_original(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    one = make_exchange(1)
    first = open_writer(store, table, tmp_path / "cache")
    place = first.write(one, digest(one.payload))
    again = first.write(one, digest(one.payload))
    table.commit(first.flush())
    # Another fetcher knows the page from the database alone.
    second = open_writer(store, table, tmp_path / "other", "two")
    where = {"warc": place.warc, "warc_offset": place.offset}
    page = Page(1, one.url, "", 1, 0, NOW_S, 200, "html", digest=digest(one.payload), **where)  # type: ignore[arg-type]
    elsewhere = second.write(one, page.digest, page)
    unchanged = second.write(msgspec.structs.replace(one, status=304, payload=b"", body=b""), "", page)
    table.commit(second.flush())
    for revisit in (again, elsewhere, unchanged) * 2:
        reader = open_reader(store, table, tmp_path / os.urandom(4).hex())
        record, found = reader.read_record(revisit), reader.read(revisit)
        assert record is not None
        assert record.type == "revisit"
        assert found is not None
        assert found.payload == one.payload
        if revisit == unchanged:  # and all of it again from a pack
            pack_segments(store, table, whole_only=False)
            clean_up(store, table, grace_s=0)


def test_a_failed_flush_is_repeated_under_the_same_name(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    counting = CountingStore(store)
    said: list[str] = []
    writer = open_writer(counting, table, tmp_path / "cache", say=said.append)  # type: ignore[arg-type]
    place = writer.write(make_exchange(1), "")
    counting.failures = 2
    assert list(writer.flush()) == [place.warc]
    away, back = said
    assert away == "the archive cannot be reached; trying again until it is back"
    assert "is back" in back
    assert writer.flush() == {}


def test_an_attempt_whose_answer_was_lost_is_recognised(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    class Forgetful(CountingStore):
        def create(self, name: str, data: bytes) -> bool:
            created = super().create(name, data)
            if created:
                raise StoreFailed("the connection broke", full=True)
            return created

    writer = open_writer(Forgetful(store), table, tmp_path / "cache")  # type: ignore[arg-type]
    place = writer.write(make_exchange(1), "")
    assert list(writer.flush()) == [place.warc]


def test_two_writers_of_one_name_and_epoch_are_found_out(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    write_batch(open_writer(store, table, tmp_path / "cache"), table, range(1))
    with pytest.raises(StoreFailed, match="two fetchers have one name and epoch") as caught:
        write_batch(open_writer(store, table, tmp_path / "cache"), table, range(1, 2))
    assert not caught.value.full


def test_a_name_is_not_used_again_after_a_failed_commit(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    writer = open_writer(store, table, tmp_path / "cache")
    lost = writer.write(make_exchange(1), digest(make_exchange(1).payload))
    writer.flush()
    writer.rewind(table.committed())
    kept = writer.write(make_exchange(1), digest(make_exchange(1).payload))
    table.commit(writer.flush())
    assert kept.warc != lost.warc
    record = open_reader(store, table, tmp_path / "cache").read_record(kept)
    assert record is not None
    assert record.type == "response", "it must not refer to what was never committed"


@pytest.mark.parametrize("name", ["", "a/b", "../x", "-x", "x" * 101, "a b"])
def test_bad_names_of_fetchers_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a fetcher"):
        check_fetcher(name)


def test_names_are_parsed() -> None:
    name = SegmentName("host-1.example", 12, 345)
    assert parse_segment_name(str(name)) == name
    assert parse_segment_name("gossamer-20260921141321-000-00000.warc.gz") is None


@pytest.mark.slow
def test_a_writer_that_is_killed_loses_nothing_that_it_committed(
    address: str, store: ObjectStore, tmp_path: Path
) -> None:
    table = SqlitePackTable(tmp_path / "rows")
    for epoch in range(1, 6):
        program = (
            "import sys; from pathlib import Path; from tests.shared_archive.exchanges import write_until_killed; "
            "write_until_killed(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), 2_000_000)"
        )
        command = [
            sys.executable,
            "-c",
            program,
            address,
            str(tmp_path / "rows"),
            str(tmp_path / "cache"),
            str(epoch),
        ]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        ) as process:
            assert process.stdout is not None
            for _ in range(2):
                process.stdout.readline()
            time.sleep(epoch * 0.013)  # at another moment of an upload each time
            process.kill()
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)  # its disk is gone, too
    committed = table.committed()
    assert len(committed) >= 10
    for name, length in committed.items():
        content = store.read(f"segments/{name}")
        assert content is not None
        assert len(content) == length
        assert [record.rec_type for record in ArchiveIterator(io.BytesIO(content))][1] == "response"


@pytest.mark.slow
def test_a_server_that_is_killed_five_times_loses_nothing(
    object_server: ObjectServer, tmp_path: Path
) -> None:
    store = create_archive(f"s3://web-bytes/{os.urandom(6).hex()}")
    table = SqlitePackTable(tmp_path / "rows")
    said: list[str] = []
    writer = open_writer(store, table, tmp_path / "cache", say=said.append)
    places: dict[int, WarcPosition] = {}
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            begin = len(places)
            places.update(write_batch(writer, table, range(begin, begin + 50)))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for kill in range(5):
            written = len(places)
            while len(places) < written + 100:
                time.sleep(0.01)
            object_server.kill()
            if kill == 4:
                object_server.kill("disk")
                object_server.start_disk()
            time.sleep(0.5)
            object_server.start_gateway()
    finally:
        stop.set()
        thread.join()
    assert sum("trying again" in each for each in said) == sum("back after" in each for each in said) >= 5
    reader = open_reader(store, table, tmp_path / "cache")
    for number, place in places.items():
        found = reader.read(place)
        assert found is not None
        assert found.payload == make_exchange(number).payload


def test_a_deleted_cache_is_made_again(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    places = write_batch(open_writer(store, table, tmp_path / "cache"), table, range(3))
    reader = open_reader(store, table, tmp_path / "cache")
    assert reader.read(places[0]) is not None
    shutil.rmtree(tmp_path / "cache")
    reader = open_reader(store, table, tmp_path / "cache")
    assert reader.read(places[2]) is not None
    assert list((tmp_path / "cache").glob("??/*"))


def fill(folder: Path, letter: bytes) -> None:
    cache = BlockCache(folder, 4_000_000)
    for number in range(100):
        cache.put(letter.decode(), number, letter * 100_000)
        assert cache.get(letter.decode(), number) in (letter * 100_000, None)


def test_the_cache_stays_within_its_bounds_with_several_processes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=fill, args=(tmp_path, letter)) for letter in (b"a", b"b", b"c")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sum(path.stat().st_size for path in tmp_path.glob("??/*")) <= 4_000_000


def test_the_cache_deletes_what_was_not_used_for_longest(tmp_path: Path) -> None:
    cache = BlockCache(tmp_path, 1_600_000)
    for number in range(30):
        cache.put("a", number, b"x" * 100_000)
        os.utime(next(iter(tmp_path.glob("??/*"))))  # times of files are coarse
        time.sleep(0.002)
        assert cache.get("a", 0) is not None, "it is used all the time"
    assert cache.get("a", 1) is None


def test_a_damaged_block_is_read_again(store: ObjectStore, table: SqlitePackTable, tmp_path: Path) -> None:
    places = write_batch(open_writer(store, table, tmp_path / "cache"), table, range(3))
    assert open_reader(store, table, tmp_path / "cache").read(places[0]) is not None
    for path in (tmp_path / "cache").glob("??/*"):
        path.write_bytes(bytes(path.stat().st_size))
    found = open_reader(store, table, tmp_path / "cache").read(places[0])
    assert found is not None
    assert found.payload == make_exchange(0).payload


def test_a_reader_without_a_cache_folder_still_reads(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_batch(open_writer(store, table, tmp_path / "cache"), table, range(3))
    (tmp_path / "file").write_text("", "utf-8")
    reader = SegmentReader(store, table, BlockCache(tmp_path / "file"))
    assert reader.read(places[0]) is not None
