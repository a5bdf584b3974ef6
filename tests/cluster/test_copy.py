"""A web is copied from a directory to a database and back: without loss, whole or marked as unfinished."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database
from tests.cluster.whole_state import make_web, read_all
from tests.shared_archive.exchanges import make_exchange

from gossamer.cli.main import run_verb
from gossamer.crawl.control.command_mailbox import Mailbox, Submit
from gossamer.crawl.control.reach_crawl import open_mailbox
from gossamer.errors import BadInput
from gossamer.net import fingerprint
from gossamer.records import Page
from gossamer.store.archive import cdxj_index
from gossamer.store.batch import Batch
from gossamer.store.copy.copy_web import CopyResult, Orders, copy_web
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.copy.write_warc_files import OnBytes, WarcFolder
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE, open_store
from gossamer.store.opening.web_archive import WebArchive
from gossamer.store.opening.web_location import read_database, resolve_web
from gossamer.store.shared_archive.location import create_archive
from gossamer.web import Web

COMMAND = "gossamer export web TARGET --web SOURCE"
ORDERS = Orders("mailbox", lambda *_: None)
FORK = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True)
def _working_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def address(database: Database, tmp_path: Path) -> str:
    return f"{database.address}?archive={tmp_path / 'archive'}"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A web in the middle of its work."""
    return make_web(tmp_path / "a.web")


def copy(source: Path, target: Path, on_progress: Callable[[float], None] = lambda _: None) -> CopyResult:
    return copy_web(source, target, COMMAND, ORDERS, on_progress)


def test_a_round_trip_keeps_every_record_and_every_byte(
    directory: Path, address: str, tmp_path: Path
) -> None:
    database, back = resolve_web(address), tmp_path / "back.web"
    copy(directory, database)
    assert read_all(database) == read_all(directory)
    shares: list[float] = []
    copy(database, back, shares.append)
    assert read_all(back) == read_all(directory)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for old in (directory / "archive").iterdir():
        assert (back / "archive" / old.name).read_bytes() == old.read_bytes()
    assert (back / "models" / "topic-birds.bin").read_bytes() == b"birds"
    assert _list_names(back) == {"archive", "lock", "models", STATE}


def test_a_directory_is_copied_to_a_directory(directory: Path, tmp_path: Path) -> None:
    copy(directory, tmp_path / "b.web")
    assert read_all(tmp_path / "b.web") == read_all(directory)
    assert list(_read_places(tmp_path / "b.web")) == list(_read_places(directory))


def test_a_database_is_copied_to_a_database(
    directory: Path, database: Database, address: str, tmp_path: Path
) -> None:
    one = resolve_web(address)
    name = database.server.make_database()
    two = resolve_web(f"{database.server.make_address(name)}?archive={tmp_path / 'second'}")
    copy(directory, one)
    copy(one, two)
    assert read_all(two) == read_all(directory)


def test_segments_become_warc_files_in_which_revisits_find_their_originals(
    directory: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, back = resolve_web(address), tmp_path / "back.web"
    copy(directory, database)
    _write_segments(database)
    monkeypatch.setattr("gossamer.store.copy.directory_web.WarcFolder", _make_small_files)
    copy(database, back)
    assert read_all(back) == read_all(database)
    files = sorted((back / "archive").glob("*.warc.gz"))
    assert len(files) > 2
    for file in files:
        lines = cdxj_index.index_path(file).read_text("utf-8").splitlines()
        assert lines == sorted(cdxj_index.index_warc(file))
        assert cdxj_index.is_fresh(file)


def _make_small_files(folder: Path, positions: MovedPositions, on_bytes: OnBytes) -> WarcFolder:
    return WarcFolder(folder, positions, on_bytes, rotate_bytes=20_000)


def _write_segments(folder: Path) -> None:
    """Write pages as two fetchers would: half of them have the bytes of earlier ones."""
    store, address = open_store(folder), read_database(folder)
    archive = WebArchive(address, folder, "one", lambda _: None)
    pages: list[Page] = []
    for fetcher in range(1, 8):
        writer = archive.open_writer(fetcher)
        for at in range(4):
            exchange = make_exchange(at + 1000 * (fetcher % 3))
            digest = fingerprint.digest(exchange.payload)
            same = next((one for one in pages if one.digest == digest), None)
            place = writer.write(exchange, digest, same)
            url = f"http://z.example/{fetcher}/{at}"
            pages.append(
                Page(100 * fetcher + at, url, "z.example", 1, 0, 0.0, 200, "html", digest=digest, warc=place.warc, warc_offset=place.offset)
            )  # fmt: skip
        store.commit(Batch(pages=pages[-4:], archive_ends=writer.flush()))
    archive.close()
    store.close()


@pytest.mark.parametrize("to", ["directory", "database"])
def test_a_copy_that_is_killed_is_not_opened_until_it_was_run_again(
    to: str, directory: Path, address: str, tmp_path: Path
) -> None:
    target = resolve_web(address) if to == "database" else tmp_path / "b.web"
    at_the_end = Orders("mailbox", _kill)
    kills: list[Callable[[], object]] = [
        *(
            partial(copy, directory, target, _Killer(calls))
            for calls in ((9,) if to == "database" else (1, 4, 9))
        ),
        partial(copy_web, directory, target, COMMAND, at_the_end),
    ]
    for kill in kills:
        assert _run_until_killed(kill) == -signal.SIGKILL
        with pytest.raises(BadInput, match=f"unfinished copy .* run the same command again, {COMMAND}"):
            open_store(target, create=True)
    copy(directory, target)
    assert read_all(target) == read_all(directory)
    if to == "database":
        assert len(list((tmp_path / "archive" / "packs").iterdir())) == 1
    else:
        assert _list_names(target) == {"archive", "lock", "models", STATE}


class _Killer:
    """Kills this process when progress was reported this often."""

    def __init__(self, calls: int) -> None:
        self._calls = calls

    def __call__(self, _: float) -> None:
        self._calls -= 1
        if not self._calls:
            _kill()


def _kill(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run_until_killed(call: Callable[[], object]) -> int | None:
    process = FORK.Process(target=call)
    process.start()
    process.join()
    return process.exitcode


def test_missing_bytes_are_named_and_lead_to_no_other_page(
    directory: Path, address: str, tmp_path: Path
) -> None:
    state, whole = read_all(directory)
    warc = min((directory / "archive").glob("*.warc.gz"))
    lacks = 1000
    os.truncate(warc, warc.stat().st_size - lacks)
    database = resolve_web(address)
    assert copy(directory, database).missing == {warc.name: lacks}
    copied, pages = read_all(database)
    assert copied == state
    assert all(page in (b"", expected) for page, expected in zip(pages, whole, strict=True))
    assert 0 < pages.count(b"") < len(pages)
    assert copy(database, tmp_path / "b.web").missing == {}
    assert read_all(tmp_path / "b.web") == read_all(directory)
    assert run_verb(["export", "web", str(tmp_path / "c.web"), "--web", str(directory)]) == 1


def test_a_segment_that_is_missing_is_named_and_leads_to_no_other_page(
    directory: Path, address: str, tmp_path: Path
) -> None:
    database, back = resolve_web(address), tmp_path / "back.web"
    copy(directory, database)
    _write_segments(database)
    segments = sorted((tmp_path / "archive" / "segments").iterdir())
    lost, short = segments[1], segments[3]
    missing = {lost.name: lost.stat().st_size, short.name: 2000}
    _, whole = read_all(database)
    lost.unlink()
    os.truncate(short, short.stat().st_size - 2000)
    assert copy(database, back).missing == missing
    _, pages = read_all(back)
    assert all(expected.startswith(page) for page, expected in zip(pages, whole, strict=True))
    assert 0 < pages.count(b"") < len(pages)


def test_orders_that_wait_for_the_next_crawl_are_carried_over(
    directory: Path, address: str, tmp_path: Path
) -> None:
    order = Submit(1, ("http://a.example/new",))
    Mailbox(directory, 0).append(order)
    database, back = resolve_web(address), tmp_path / "back.web"
    assert run_verb(["export", "web", address, "--web", str(directory)]) == 0
    with Web(database) as opened:
        assert open_mailbox(opened.store, database).read_new() == [order]
    assert run_verb(["export", "web", str(back), "--web", address]) == 0
    with Web(back) as opened:
        assert open_mailbox(opened.store, back).read_new() == [order]
        assert "mailbox" not in opened.store.rooms()


def test_what_cannot_be_copied_is_refused_with_one_sentence(
    directory: Path, database: Database, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(target: str, source: str) -> str:
        assert run_verb(["export", "web", target, "--web", source]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        return printed.err

    here, new = str(directory), str(tmp_path / "new.web")
    assert "there is no web" in refuse(new, str(tmp_path / "none.web"))
    assert "onto itself" in refuse(here, here)
    assert "is not empty" in refuse(str(tmp_path), here)
    assert "names no archive" in refuse(database.address, here)
    create_archive(str(tmp_path / "archive")).create("segments/a", b"")
    assert "the pages of another web" in refuse(address, here)
    (tmp_path / "archive" / "segments" / "a").unlink()
    with Lock(directory):
        assert "is in use by process" in refuse(new, here)
    assert run_verb(["export", "web", address, "--web", here]) == 0
    assert run_verb(["export", "web", new, "--web", here]) == 0
    capsys.readouterr()
    assert "holds a web already" in refuse(address, here)
    assert "holds a web already" in refuse(new, here)
    leases = database.open_leases()
    assert "stop its fetchers first" in refuse(str(tmp_path / "c.web"), address)
    leases.leave()
    assert not (tmp_path / "c.web").exists()


def _list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(f"{STATE}-")}


def _read_places(folder: Path) -> list[tuple[str, int]]:
    store = open_store(folder)
    try:
        return [(page.warc, page.warc_offset) for page in store.pages()]
    finally:
        store.close()
