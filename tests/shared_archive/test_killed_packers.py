"""A packer or its server dies at any moment, and nothing is lost."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.object_server import ObjectServer
from tests.shared_archive.packing import check_readable, list_names, write_segments
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.store.shared_archive.location import create_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import clean_up, pack_segments
from gossamer.store.wait_for_store import Patience, wait_for_store


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
    # The next run, a day later, packs what is left and removes what is not read any more.
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
