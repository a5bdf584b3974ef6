"""Segments are packed without a moment in which one of their records cannot be read."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.object_server import ObjectServer
from tests.shared_archive.exchanges import make_exchange, open_reader, open_writer, write_batch
from tests.shared_archive.sqlite_pack_table import SqlitePackTable
from warcio.archiveiterator import ArchiveIterator

from gossamer.errors import StoreFailed
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader
from gossamer.store.shared_archive.location import create_archive, open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import clean_up, pack_segments, remove_orphans
from gossamer.store.shared_archive.wait_for_store import Patience, wait_for_store
from gossamer.store.verify.check_segments import find_missing_segments

INDEXER = Path(sys.prefix) / "archive-tools" / "bin" / "cdxj-indexer"


@pytest.fixture
def table(tmp_path: Path) -> SqlitePackTable:
    return SqlitePackTable(tmp_path / "rows")


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


@pytest.mark.slow
def test_a_server_that_is_killed_while_a_pack_is_uploaded_loses_nothing(
    object_server: ObjectServer, table: SqlitePackTable, tmp_path: Path
) -> None:
    store = create_archive(f"s3://web-bytes/{os.urandom(6).hex()}")
    places = write_segments(store, table, tmp_path / "cache", 30, 100)

    class Fatal:
        """Kills the server in the middle of an upload, once."""

        address = store.address
        killed = False

        def read(self, name: str, start: int = 0, length: int | None = None) -> bytes | None:
            if name.endswith("20.warc.gz") and not self.killed:
                self.killed = True
                object_server.kill()
                threading.Timer(1, object_server.start_gateway).start()
            return store.read(name, start, length)

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

    fatal, said = Fatal(), list[str]()
    result = wait_for_store(
        lambda: pack_segments(fatal, table, whole_only=False),  # type: ignore[arg-type]
        Patience(),
        said.append,
    )
    assert (result.segments, len(said)) == (30, 2)
    assert clean_up(store, table, grace_s=0) == []
    assert len(list_names(store, "packs")) == 1
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


class Killed(BaseException):
    """Stands for the end of the process."""


class DyingStore:
    """Dies before or after one of its operations; afterwards nothing works."""

    def __init__(self, store: object, dies_at: int) -> None:
        self._store = store
        self._left = dies_at
        """How many beginnings and ends of operations are left; 0 if it does not die."""
        self.address = ""

    def __getattr__(self, name: str) -> object:
        def call(*arguments: object) -> object:
            self._left -= 1
            if self._left == 0:
                raise Killed
            done = getattr(self._store, name)(*arguments)
            self._left -= 1
            if self._left == 0:
                raise Killed
            return done

        return call


class DyingTable(DyingStore):
    """A table that dies. An exception makes the packer abandon its pack; a process that is killed does not."""

    def __getattr__(self, name: str) -> object:
        if name == "abandon" and self._left <= 0:
            return lambda _: False
        return super().__getattr__(name)


@pytest.mark.parametrize("dies_at", range(1, 15))
@pytest.mark.parametrize("which", ["store", "table"])
def test_a_packer_that_dies_anywhere_loses_nothing(dies_at: int, which: str, tmp_path: Path) -> None:
    store, table = create_archive(str(tmp_path / "shared")), SqlitePackTable(tmp_path / "rows")
    places = write_segments(store, table, tmp_path / "cache", 4, 2)
    dying_store = DyingStore(store, dies_at if which == "store" else 0)
    dying_table = DyingTable(table, dies_at if which == "table" else 0)
    try:
        pack_segments(dying_store, dying_table, whole_only=False)  # type: ignore[arg-type]
        clean_up(dying_store, dying_table, grace_s=0)  # type: ignore[arg-type]
    except Killed:
        pass
    check_readable(store, table, tmp_path / "one", places)
    # The next run, a day later, packs what is left and removes what nobody reads.
    table.age_s = 86_401
    clean_up(store, table, grace_s=0)
    pack_segments(store, table, whole_only=False)
    clean_up(store, table, grace_s=0)
    check_readable(store, table, tmp_path / "two", places)
    assert list_names(store, "segments") == []
    assert len(list_names(store, "packs")) == 1


@pytest.mark.slow
def test_a_packer_that_is_killed_while_it_uploads_loses_nothing(
    address: str, store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 40, 25)
    program = (
        "import sys; from pathlib import Path; from gossamer.store.shared_archive.location import open_archive; "
        "from gossamer.store.shared_archive.pack_segments import pack_segments; "
        "from tests.shared_archive.sqlite_pack_table import SqlitePackTable; print('ready', flush=True); "
        "pack_segments(open_archive(sys.argv[1]), SqlitePackTable(Path(sys.argv[2])), 100_000, False); print('done')"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for kill in range(5):
        command = [sys.executable, "-c", program, address, str(tmp_path / "rows")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.02 + 0.03 * kill)
            process.kill()
        check_readable(store, table, tmp_path / f"cache{kill}", places)
    table.age_s = 86_401
    clean_up(store, table, grace_s=0)
    pack_segments(store, table, whole_only=False)
    clean_up(store, table, grace_s=0)
    assert list_names(store, "segments") == []
    check_readable(store, table, tmp_path / "last", places)
    assert {name.removeprefix("packs/") for name in list_names(store, "packs")} == {
        place.pack for place in table.find(table.committed()).values()
    }


def test_a_packer_that_was_given_up_cannot_finish(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    places = write_segments(store, table, tmp_path / "cache", 3, 2)

    class Slow:
        """Another run takes the packer for dead while it uploads."""

        address = store.address

        def upload(self, name: str, pieces: Iterable[bytes]) -> None:
            store.upload(name, pieces)
            table.age_s = 86_401
            clean_up(store, table)
            table.age_s = 0.0

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

    slow = Slow()
    with pytest.raises(RuntimeError, match="enough"):
        stop_after(lambda: pack_segments(slow, table, whole_only=False), table, 3)  # type: ignore[arg-type]
    check_readable(store, table, tmp_path / "new", places)
    assert list_names(store, "packs") == []


def stop_after(do: object, table: SqlitePackTable, claims: int) -> None:
    """Let a packer that never succeeds claim a few packs, and stop it."""
    claim, left = table.claim, [claims]

    def counted(pack: str, segments: list[tuple[str, int]]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("enough")
        return claim(pack, segments)

    table.claim = counted  # type: ignore[method-assign, assignment]
    do()  # type: ignore[operator]


def test_orphans_of_writers_that_are_over_are_removed(
    store: ObjectStore, table: SqlitePackTable, tmp_path: Path
) -> None:
    dead, alive = (open_writer(store, table, tmp_path / "cache", name) for name in ("dead", "alive"))
    kept = write_batch(dead, table, range(2))
    for writer in (dead, alive):
        writer.write(make_exchange(5), "")
        writer.flush()  # and no commit
    removed = remove_orphans(store, table.committed().__contains__, lambda name: name.fetcher == "dead")
    assert removed == 1
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
