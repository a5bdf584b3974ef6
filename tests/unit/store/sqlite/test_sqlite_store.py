"""What is specific to SQLite: messages about bad files, errors, the late index and lots."""

import multiprocessing
import os
import sqlite3
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from tests.contract.rows import LinkRow, to_columns

from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.records import Decision, HostNote, LinkType, Page, Request, Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite import late_index, open_database
from gossamer.store.sqlite.schema import VERSION
from gossamer.store.sqlite.sqlite_store import SqliteStore

FORK = multiprocessing.get_context("fork")


def page(number: int, title: str = "") -> Page:
    return Page(number, f"http://a.example/{number}", "a.example", 1, 0, 0.0, 200, "html", title)


def make_store(path: Path, pages: int = 300) -> None:
    store = SqliteStore(path, create=True)
    store.commit(Batch(pages=[page(number, "A title that takes some room " * 8) for number in range(pages)]))
    store.close()


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


# Files that are not webs


def bad_files() -> dict[str, Callable[[Path], object]]:
    def foreign(path: Path) -> None:
        db = connect(path)
        db.execute("create table contacts (name text)")
        db.close()

    def newer(path: Path) -> None:
        make_store(path)
        db = connect(path)
        db.execute(f"pragma user_version = {VERSION + 1}")
        db.close()

    def older(path: Path) -> None:
        make_store(path)
        db = connect(path)
        db.execute("pragma user_version = 0")
        db.close()

    def truncated(path: Path) -> None:
        make_store(path)
        os.truncate(path, path.stat().st_size // 2)

    def scribbled(path: Path) -> None:
        make_store(path)
        with path.open("r+b") as file:
            for at in range(8192, path.stat().st_size, 8192):
                file.seek(at)
                file.write(b"\xff" * 60)

    return {
        "is not the state of a web": lambda path: (
            path.write_bytes(b"<html>no database</html>" * 100) and None
        ),
        "is a directory": Path.mkdir,
        "is a database of another program": foreign,
        f"is in format {VERSION + 1} .*: update Gossamer": newer,
        "is in format 0 .*: make a new web from its archive": older,
        "is damaged .*: make a new web": truncated,
        r"is damaged \(.*\): make a new web": scribbled,
    }


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("says", bad_files())
def test_a_bad_file_gets_one_sentence_and_stays_unchanged(says: str, create: bool, tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    bad_files()[says](path)
    before = digest(path) if path.is_file() else ""
    with pytest.raises(BadInput, match=says) as caught:
        SqliteStore(path, create=create)
    assert "\n" not in str(caught.value)
    if before:
        assert digest(path) == before
    assert [each.name for each in tmp_path.iterdir()] == ["state.sqlite"]


def test_a_missing_and_an_empty_file_are_not_a_web(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no web at"):
        SqliteStore(tmp_path / "state.sqlite")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadInput, match="there is no folder"):
        SqliteStore(tmp_path / "none" / "state.sqlite", create=True)
    (tmp_path / "state.sqlite").touch()
    with pytest.raises(BadInput, match="is empty"):
        SqliteStore(tmp_path / "state.sqlite")
    make_store(tmp_path / "state.sqlite")


def test_special_characters_of_uris_are_allowed_in_paths(tmp_path: Path) -> None:
    folder = tmp_path / "100%?mode=ro#x y"
    folder.mkdir()
    make_store(folder / "state.sqlite")
    assert SqliteStore(folder / "state.sqlite").counts()["pages"] == 300


def run_unprivileged(act: Callable[[], None]) -> str:
    """Run a function as a user without rights; return what it raised."""
    hears, tells = FORK.Pipe(duplex=False)

    def run() -> None:
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        try:
            act()
            tells.send("done")
        except GossamerError as error:
            tells.send(f"{type(error).__name__}: {error}")

    child = FORK.Process(target=run)
    child.start()
    child.join()
    assert child.exitcode == 0
    return str(hears.recv())


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A folder that other users can reach."""
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):
        if folder.owner() == tmp_path.owner() and "pytest" in str(folder):
            folder.chmod(0o755)
    folder = tmp_path / "web"
    folder.mkdir(mode=0o755)
    return folder


def test_a_file_without_permission(public: Path) -> None:
    make_store(public / "state.sqlite")
    (public / "state.sqlite").chmod(0)
    told = run_unprivileged(lambda: SqliteStore(public / "state.sqlite").close())
    assert told.startswith("BadInput: no permission to read")


def test_a_folder_without_permission(public: Path) -> None:
    make_store(public / "state.sqlite")
    public.chmod(0)
    told = run_unprivileged(lambda: SqliteStore(public / "state.sqlite", create=True).close())
    public.chmod(0o755)
    assert told.startswith("BadInput: ")
    assert told.endswith("cannot be opened: Permission denied")


def test_a_read_only_folder_can_be_read(public: Path) -> None:
    make_store(public / "state.sqlite")
    (public / "state.sqlite").chmod(0o444)
    public.chmod(0o555)
    before = digest(public / "state.sqlite")

    def read() -> None:
        store = SqliteStore(public / "state.sqlite", read_only=True)
        assert len(list(store.pages())) == 300
        assert (store.visits(1), store.links_to(1)) == ([], [])
        store.close()

    assert run_unprivileged(lambda: SqliteStore(public / "state.sqlite").close()).startswith(
        "BadInput: no permission to write"
    )
    assert run_unprivileged(lambda: SqliteStore(public / "new.sqlite", create=True).close()).startswith(
        "BadInput: no perm"
    )
    assert run_unprivileged(read) == "done"
    assert digest(public / "state.sqlite") == before
    public.chmod(0o755)


def test_a_store_for_reading_refuses_to_write(tmp_path: Path) -> None:
    make_store(tmp_path / "s")
    store = SqliteStore(tmp_path / "s", read_only=True)
    with pytest.raises(StoreFailed, match="reading only"):
        store.commit(Batch(pages=[page(1)]))
    store.close()


# Errors while writing


def test_a_full_disk_is_named_and_the_next_commit_works(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s", create=True)
    store.commit(Batch(pages=[page(1)]))
    assert store._writer is not None
    pages = store._writer.execute("pragma page_count").fetchone()[0]
    store._writer.execute(f"pragma max_page_count = {pages + 3}")
    big = Batch(
        pages=[page(number, "x" * 1000) for number in range(1, 500)], visits=[Visit(1, 1, 0.0, "fetched")]
    )
    with pytest.raises(StoreFailed, match="the disk is full") as caught:
        store.commit(big)
    assert caught.value.full
    assert [each.title for each in store.pages()] == [""]
    assert store.visits(1) == []
    store._writer.execute("pragma max_page_count = 1000000")
    store.commit(big)
    assert store.counts()["pages"] == 499
    store.close()


@pytest.mark.parametrize(
    "table",
    ["page", "link", "known", "seen", "request", "waiting", "visit", "decision", "host", "task", "archive"],
)
def test_an_error_in_any_table_undoes_the_whole_batch(table: str, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s", create=True)
    db = connect(tmp_path / "s")
    db.execute(f"create trigger no before insert on {table} begin select raise(abort, 'no more'); end")
    batch = Batch(
        pages=[page(1)],
        links=to_columns([(1, 2, "a", "", False, False, False)]),
        known=[(1, "http://a.example/1")],
        requests=[Request(1, "http://a.example/1", "a.example", 1, number=1)],
        visits=[Visit(1, 1, 0.0, "fetched")],
        decisions=[Decision(1, 1, 0.0, "trap")],
        hosts=[HostNote("a.example")],
        tasks=[TaskNote(1, "one", b"")],
        archive_ends={"a": 1},
    )
    with pytest.raises(StoreFailed, match="no more") as caught:
        store.commit(batch)
    assert not caught.value.full
    assert set(store.counts().values()) == {0}
    assert store.tasks() == []
    assert store.archive_ends() == {}
    db.execute("drop trigger no")
    db.close()
    store.commit(batch)
    assert store.counts()["waiting"] == 1
    store.close()


def test_a_web_that_stays_locked_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_database, "WAIT_FOR_OTHERS_S", 0.05)
    store = SqliteStore(tmp_path / "s", create=True)
    other = connect(tmp_path / "s")
    other.execute("begin immediate")
    with pytest.raises(StoreFailed, match="locked"):
        store.commit(Batch(pages=[page(1)]))
    assert store.url(1) is None, "reading goes on"
    other.execute("rollback")
    other.close()
    store.commit(Batch(pages=[page(1)]))
    store.close()


def test_damage_found_while_reading_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path / "s", 2000)
    monkeypatch.setattr(open_database, "_CHECKED_UP_TO_BYTES", 0)
    with (tmp_path / "s").open("r+b") as file:
        for at in range(8192 * 30, (tmp_path / "s").stat().st_size, 8192):
            file.seek(at)
            file.write(b"\xff" * 60)
    store = SqliteStore(tmp_path / "s")
    with pytest.raises(BadInput, match="is damaged"):
        list(store.pages())
    with pytest.raises(StoreFailed, match="is damaged"):
        store.commit(Batch(pages=[page(number) for number in range(2000)]))
    store.close()


def write_until_full(store: SqliteStore) -> int:
    for written in range(10_000):
        try:
            store.commit(Batch(pages=[page(written, "x" * 3000)]))
        except StoreFailed as error:
            return written if error.full else -1
    return -1


@pytest.mark.slow
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        ballast = tmp_path / "ballast"
        ballast.write_bytes(bytes(1_000_000))
        store = SqliteStore(tmp_path / "s", create=True)
        written = write_until_full(store)
        assert store.counts()["pages"] == written
        ballast.unlink()
        store.commit(Batch(pages=[page(written, "x" * 3000)]))
        assert [each.id for each in store.pages()] == list(range(written + 1))
        store.close()
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


# The late index


@pytest.mark.slow
def test_there_are_few_runs_and_look_ups_find_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(late_index._SHORTEST, "known", 10)
    monkeypatch.setitem(late_index._LONGEST, "known", 200)
    monkeypatch.setattr(late_index, "_PAUSE_S", 0)
    store = SqliteStore(tmp_path / "s", create=True)
    for number in range(0, 1500, 15):
        some = [(-7 * each, f"http://a.example/{each}") for each in range(number, number + 15)]
        store.commit(Batch(known=some))
        assert store.url(some[3][0]) == some[3][1]
        assert store.url(0) == "http://a.example/0"
    db = connect(tmp_path / "s")
    runs = db.execute("select count(*), max(upto) from run where name = 'known'").fetchone()
    assert runs[0] <= 1500 / 200 * 2 + 4
    assert runs[1] == 1500
    kept = db.execute("select sum(length(keys)), sum(length(numbers)) from sorted").fetchone()
    assert kept == (1500 * 8, 1500 * 8), "each row stands in one run"
    db.close()
    assert len(store.urls(-7 * each for each in range(1500))) == 1500
    store.close()


# Requests in lots


def test_the_best_requests_are_found_in_all_lots(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    lots = [1, 1 << 18, 5 << 18]
    requests = [
        Request(
            number, f"http://a.example/{number}", "a.example", 1, priority=float(number % 7), number=number
        )
        for first in lots
        for number in range(first, first + 20)
    ]
    store.commit(Batch(requests=requests))
    in_order = sorted(requests, key=lambda request: (-request.priority, request.number))
    for most in (1, 7, 30, 59, 60, 100):
        assert store.requests("a.example", 1, most) == in_order[:most]
    store.commit(Batch(finished=[one for one in requests if one.number >= lots[1]]))
    assert store.requests("a.example", 1, 100) == [one for one in in_order if one.number < lots[1]]
    assert store.count_waiting("a.example", 1) == 20
    store.close()


def test_all_rows_of_a_key_are_found_across_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(late_index._SHORTEST, "link", 1)
    monkeypatch.setattr(late_index, "_PIECE_KEYS", 4)
    store = SqliteStore(tmp_path / "s", create=True)
    links: list[LinkRow] = [
        (source, target, "a", "", False, False, False)
        for source in range(1, 31)
        for target in (5, 7, -source)
    ]
    store.commit(Batch(links=to_columns(links)))
    assert [link.source for link in store.links_to(7)] == list(range(1, 31))
    assert [link.source for link in store.links_to(-12)] == [12]
    assert store.links_to(6) == []
    assert [store.count_links_to(target) for target in (7, -12, 6)] == [30, 1, 0]
    store.commit(Batch(links=to_columns([(3, 7, "a", "", False, False, False)] * 2), read=[4]))
    assert store.count_links_to(7) == len(store.links_to(7)) == 30, "rows that are gone do not count"
    store.close()


def test_sorting_reports_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(late_index._SHORTEST, "known", 10)
    monkeypatch.setitem(late_index._LONGEST, "known", 20)
    store = SqliteStore(tmp_path / "s", create=True)
    heard: list[tuple[str, int, int]] = []
    store.sorter.watch = lambda table, done, rows: heard.append((table, done, rows))
    store.commit(Batch(known=[(number, f"http://a.example/{number}") for number in range(1, 51)]))
    for _ in range(2):
        assert store.url(50) == "http://a.example/50"
        assert heard == [("known", done, 50) for done in (0, 20, 40, 50)], "nothing is sorted twice"
    store.close()


def test_links_can_be_looked_up_before_they_are_sorted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(late_index._SHORTEST, "link", 10)
    store = SqliteStore(tmp_path / "s", create=True)
    heard: list[str] = []
    store.sorter.watch = lambda table, done, rows: heard.append(table)
    rows: list[tuple[int, int, LinkType, str, bool, bool, bool]] = [
        (source, target, "a", "", False, False, False) for source in range(1, 31) for target in (5, 7, 7)
    ]
    store.commit(Batch(links=to_columns(rows)))
    store.sorter.allow_link_scans(2)
    assert len(store.links_to(7)) == store.count_links_to(7) == 60
    assert heard == []
    assert len(store.links_to(7)) == 60
    assert set(heard) == {"link"}, "further look-ups sort first"
    store.commit(Batch(links=to_columns([(source, *row[1:]) for source, row in enumerate(rows[:40], 50)])))
    monkeypatch.setattr(late_index, "_MOST_SCANNED", 20)
    store.sorter.allow_link_scans(1)
    heard.clear()
    assert len(store.links_to(5)) == 30 + 14
    assert set(heard) == {"link"}, "too many to scan"
    store.close()
