"""`gossamer web pack` packs what fetchers wrote, and every page is still there."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database
from tests.shared_archive.exchanges import make_exchange

from gossamer.cli.main import run_verb
from gossamer.net.fingerprint import digest
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch
from gossamer.store.opening.web_archive import WebArchive, open_shared_reader
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.postgres_store import PostgresStore

SEGMENTS = 20
_PROGRAM = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"


@pytest.fixture
def web(database: Database, tmp_path: Path) -> str:
    return f"{database.address}?archive={tmp_path / 'archive'}"


def write_segments(store: PostgresStore, web: str, folder: Path) -> dict[int, WarcPosition]:
    """Write segments as a fetcher does, and commit them."""
    archive = WebArchive(parse_address(web), folder / "writer", "one", print)
    writer, places = archive.open_writer(1), {}
    for number in range(SEGMENTS):
        one = make_exchange(number)
        places[number] = writer.write(one, digest(one.payload))
        store.commit(Batch(archive_ends=writer.flush()))
    archive.close()
    return places


def check_readable(web: str, places: dict[int, WarcPosition], cache: Path) -> None:
    reader = open_shared_reader(parse_address(web), cache)
    for number, place in places.items():
        found = reader.read(place)
        assert found is not None
        assert found.payload == make_exchange(number).payload


def test_small_files_become_one_with_an_index(
    database: Database, store: PostgresStore, web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = write_segments(store, web, tmp_path)
    assert run_verb(["web", "pack", "--web", web, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["packs"] == 0, "they do not fill a file"
    assert run_verb(["web", "pack", "--web", web, "--all", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["packs"], done["segments"], done["damaged"]) == (1, SEGMENTS, [])
    database.execute("update pack set since = since - interval '2 hours'")
    assert run_verb(["web", "pack", "--web", web]) == 0
    assert "0 files were packed" in capsys.readouterr().out
    archive = tmp_path / "archive"
    assert not list((archive / "segments").iterdir())
    (pack,), (index,) = (archive / "packs").iterdir(), (archive / "indexes").iterdir()
    assert index.read_text().count(pack.name) == SEGMENTS
    check_readable(web, places, tmp_path / "cache")


def test_what_dead_fetchers_left_is_deleted_after_a_week(
    database: Database, store: PostgresStore, web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = write_segments(store, web, tmp_path)
    alive = database.open_leases()
    for name, number in (("dead", 7_000), ("alive", alive.fetcher)):
        archive = WebArchive(parse_address(web), tmp_path / name, name, print)
        writer = archive.open_writer(number)
        writer.write(make_exchange(99), "")
        writer.flush()  # and no commit
        archive.close()
    segments = tmp_path / "archive" / "segments"
    (segments / "other.txt").write_text("not ours")
    assert pack(web, capsys)["orphans"] == 0, "they are new"
    for path in segments.iterdir():
        os.utime(path, (time.time() - 8 * 86_400,) * 2)
    before = {path.name for path in segments.iterdir()}
    assert pack(web, capsys)["orphans"] == 1
    [gone] = before - {path.name for path in segments.iterdir()}
    assert gone.startswith("segment-dead-")
    check_readable(web, places, tmp_path / "cache")


def test_nothing_is_deleted_for_a_database_that_is_older_than_its_archive(
    database: Database, store: PostgresStore, web: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_segments(store, web, tmp_path)
    assert run_verb(["web", "pack", "--web", web, "--all"]) == 0
    capsys.readouterr()
    segments = tmp_path / "archive" / "segments"
    for path in segments.iterdir():
        if path.name < max(each.name for each in segments.iterdir()):
            path.unlink()
        else:
            os.utime(path, (time.time() - 8 * 86_400,) * 2)
    database.execute("delete from pack; delete from archive")
    found = pack(web, capsys, code=1)
    assert (len(found["unknown"]), found["orphans"], len(list(segments.iterdir()))) == (1, 0, 1)


def pack(web: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    """Pack, and return what was done."""
    assert run_verb(["web", "pack", "--web", web, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_directory_needs_no_packing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["web", "pack", "--web", str(tmp_path)]) == 2
    assert "is a directory" in capsys.readouterr().err


@pytest.mark.slow
def test_a_killed_packer_leaves_every_page_readable(
    database: Database, store: PostgresStore, web: str, tmp_path: Path
) -> None:
    places = write_segments(store, web, tmp_path)
    chance = random.Random(7)
    for _ in range(3):
        packer = subprocess.Popen([sys.executable, "-c", _PROGRAM, "web", "pack", "--web", web, "--all"])
        time.sleep(chance.uniform(0.3, 1.0))
        packer.kill()
        packer.wait()
        check_readable(web, places, tmp_path / f"cache{packer.pid}")
    database.execute("update pack set since = since - interval '2 days'")
    assert run_verb(["web", "pack", "--web", web, "--all"]) == 0
    check_readable(web, places, tmp_path / "cache")
    [(left,)] = database.execute("select count(*) from archive where pack is null")
    assert left == 0
