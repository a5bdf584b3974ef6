"""A web in a database is backed up while it is written to, and restored to an empty database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database
from tests.cluster.test_copy import ORDERS
from tests.cluster.whole_state import make_web, read_all
from tests.contract.rows import page

from gossamer.cli.main import run_verb
from gossamer.errors import BadInput
from gossamer.store.backup import database_source
from gossamer.store.backup.restore_web import list_backups, restore_web
from gossamer.store.backup.take_backup import BackupOptions, take_backup
from gossamer.store.batch import Batch
from gossamer.store.copy.copy_web import copy_web
from gossamer.store.opening.open_store import open_store
from gossamer.store.opening.web_location import resolve_web

PLAIN = BackupOptions()


@pytest.fixture(autouse=True)
def _working_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def web(database: Database, tmp_path: Path) -> Path:
    """A web in a database, in the middle of its work, with packs and with segments."""
    found = resolve_web(f"{database.address}?archive={tmp_path / 'archive'}")
    copy_web(make_web(tmp_path / "a.web"), found, "again", ORDERS)
    warc = tmp_path / "more.warc.gz"
    assert run_verb(["export", "warc", str(warc), "--web", str(tmp_path / "a.web")]) == 0
    assert run_verb(["import", str(warc), "--name", "more", "--web", str(found)]) in (0, 1)
    return found


@pytest.fixture
def empty(database: Database, tmp_path: Path) -> Path:
    name = database.server.make_database()
    return resolve_web(f"{database.server.make_address(name)}?archive={tmp_path / 'restored'}")


@pytest.mark.slow
def test_a_restored_database_has_every_record_and_every_byte(
    web: Path, empty: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first = take_backup(web, tmp_path / "kept", PLAIN).snapshot
    before = read_all(web)
    restore_web(tmp_path / "kept", empty)
    assert read_all(empty) == before
    assert first.kind == "database"
    assert not first.missing
    assert _verify(empty, capfd) == _verify(web, capfd)


def _verify(web: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is found: the totals of this web are not those of a crawl."""
    capfd.readouterr()
    run_verb(["verify", "--json", "--web", str(web)])
    return capfd.readouterr().out.replace(web.name, "WEB").splitlines()


@pytest.mark.slow
def test_a_second_back_up_of_a_database_stores_only_what_is_new(
    web: Path, empty: Path, tmp_path: Path
) -> None:
    first = take_backup(web, tmp_path / "kept", PLAIN).snapshot
    again = take_backup(web, tmp_path / "kept", PLAIN).snapshot
    assert again.new_bytes < first.new_bytes / 10
    store = open_store(web)
    store.commit(Batch(pages=[page(4242, title="late")]))
    store.close()
    take_backup(web, tmp_path / "kept", PLAIN)
    restore_web(tmp_path / "kept", empty, at=again.at)
    restored = open_store(empty)
    assert restored.page(page(4242).id) is None, "the back-up of that time had no such page"
    # Rows of a restored web have higher numbers than those that it had: a reader that continues from a number misses nothing.
    newest = restored.last_visit()
    restored.commit(Batch(pages=[page(4243, title="later")]))
    assert restored.last_visit() >= newest
    assert [one.title for one in restored.pages()][-1] == "later"
    restored.close()


@pytest.mark.slow
def test_a_back_up_is_one_moment_although_the_database_is_written_to(
    web: Path, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_all(web)
    whole = database_source._read_segments

    def write_meanwhile(*given: object) -> Iterator[object]:
        store = open_store(web)
        store.commit(Batch(pages=[page(4242, title="meanwhile")]))
        store.close()
        yield from whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(database_source, "_read_segments", write_meanwhile)
    take_backup(web, tmp_path / "kept", PLAIN)
    restore_web(tmp_path / "kept", empty)
    assert read_all(empty) == before


@pytest.mark.slow
def test_a_killed_restore_of_a_database_is_not_opened_and_begins_anew(
    web: Path, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_backup(web, tmp_path / "kept", PLAIN)
    assert [one.kind for one in list_backups(tmp_path / "kept")] == ["database"]
    with monkeypatch.context() as patched:
        patched.setattr("gossamer.store.backup.restore_database._write_table", _fail)
        with pytest.raises(InterruptedError):
            restore_web(tmp_path / "kept", empty)
    with pytest.raises(BadInput, match="run the same command again"):
        open_store(empty)
    restore_web(tmp_path / "kept", empty)
    assert read_all(empty) == read_all(web)


def _fail(*_: object) -> None:
    raise InterruptedError


@pytest.mark.slow
def test_a_back_up_is_restored_to_the_kind_of_place_that_it_comes_from(
    web: Path, empty: Path, tmp_path: Path
) -> None:
    take_backup(web, tmp_path / "kept", PLAIN)
    with pytest.raises(BadInput, match="address of an empty database"):
        restore_web(tmp_path / "kept", tmp_path / "folder.web")
    take_backup(tmp_path / "a.web", tmp_path / "other", PLAIN)
    with pytest.raises(BadInput, match="restore it to a folder"):
        restore_web(tmp_path / "other", empty)
    with pytest.raises(BadInput, match="another web"):
        take_backup(web, tmp_path / "other", PLAIN)
