"""The queries of docs/sql.md run on a crawled web, with the same answers in SQLite, in its bare shell and in PostgreSQL."""

# ruff: noqa: S608 - names of views and columns go into queries

import re
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.crawl.harness import make_command, make_quick_task, run, serve_lab
from tests.postgres_server import PostgresServer

from gossamer.cli.main import run_verb
from gossamer.lab.options import Trouble
from gossamer.lab.world.world import World
from gossamer.store.opening.open_store import STATE, open_store
from gossamer.store.opening.web_location import resolve_web
from gossamer.store.query.run_query import run_query
from gossamer.store.sqlite.views import VIEWS, WRITTEN_BY

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sql.md"
QUERIES = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web that was not crawled to its end, with errors, redirects and copies."""
    folder = tmp_path_factory.mktemp("sql") / "a.web"
    trouble = Trouble(redirect=0.1, not_found=0.1, sessions=0.2, nofollow=0.2)
    with serve_lab(World(seed=5, pages=150, hosts=4, trouble=trouble)) as running:
        run(folder, make_quick_task(running, pages=90))
    return folder


@pytest.fixture(scope="module")
def database(web: Path, postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("sql-database")
    address = f"{postgres_server.make_address(postgres_server.make_database())}?archive={folder / 'archive'}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(folder / "home"))
        assert run_verb(["export", "web", address, "--web", str(web)]) == 0
    return address


def ask(web: Path, query: str) -> list[tuple[Any, ...]]:
    with run_query(web, query, 0) as found:
        return [tuple(map(plain, row)) for row in found.rows]


def plain(value: Any) -> Any:
    """Return a value as both databases have it: PostgreSQL has exact numbers where SQLite has integers."""
    if value is None or isinstance(value, str):
        return value
    return pytest.approx(float(value)) if isinstance(value, float) else int(value)


def test_there_are_ten_queries() -> None:
    assert len(QUERIES) == 10


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
def test_an_example_gives_the_same_answer_everywhere(
    query: str, web: Path, database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    here = ask(web, query)
    assert here or "digest" in query, "an example shows something"
    assert ask(resolve_web(database), query) == here
    with sqlite3.connect(web / STATE) as bare:
        assert [tuple(map(plain, row)) for row in bare.execute(query)] == here


@pytest.mark.slow
def test_the_views_have_the_columns_of_the_page(
    web: Path, database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [name for name, _ in rows] == [*VIEWS]
    for name, told in rows:
        without_remarks = re.sub(r"\([^)]*\)", "", told)
        for where in (web, resolve_web(database)):
            with run_query(where, f"select * from {name}", 0) as found:
                assert re.findall(r"`(\w+)`", without_remarks) == [*found.columns], name


@pytest.mark.slow
def test_links_are_those_of_the_store(
    web: Path, database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    store = open_store(web, read_only=True)
    names = ("source", "target", "type", "text", "nofollow", "other_host", "other_site")
    expected = [
        (one.source, one.target, one.type, one.text, one.nofollow, one.spans_hosts, one.spans_sites)
        for one in store.links()
    ]
    for where in (web, resolve_web(database)):
        assert sorted(ask(where, f"select {', '.join(names)} from links")) == sorted(expected)
    with sqlite3.connect(web / STATE) as bare:
        assert sorted(bare.execute(f"select {', '.join(names)} from links")) == sorted(expected)
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the shell of SQLite is not installed")
def test_the_shell_of_sqlite_reads_the_views(web: Path) -> None:
    query = "select count(*), sum(length(text)) from links"
    command = ["sqlite3", "-readonly", "-separator", " ", str(web / STATE), query]
    found = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100).stdout.split()
    assert [tuple(map(int, found))] == ask(web, query)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("delete from page", "only reads"),
        ("insert into task (number) values (9)", "only reads"),
        ("create table mine (x)", "only reads"),
        ("select 1; select 2", "one query"),
        ("", "is empty"),
        ("select nothing_like_that from pages", "does not work"),
        ("explain the web", "does not work"),
    ],
)
def test_a_query_that_is_wrong_or_writes_gets_one_sentence(
    query: str, why: str, web: Path, database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    pages = ask(web, "select count(*) from pages")
    assert run_verb(["sql", query, "--web", str(web)]) == 2
    assert why in capfd.readouterr().err
    assert run_verb(["sql", query, "--web", database]) == 2
    assert capfd.readouterr().err.count("\n") == 1
    for where in (web, resolve_web(database)):
        assert ask(where, "select count(*) from pages") == pages
    assert run_verb(["sql", "select 1", "--web", str(tmp_path / "none.web")]) == 2


@pytest.mark.slow
def test_a_query_without_end_is_ended_by_its_limit(
    web: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
    for where in (str(web), database):
        assert run_verb(["sql", endless, "--web", where, "--time-limit", "0.2"]) == 2
        assert "time" in capfd.readouterr().err


@pytest.mark.slow
def test_text_from_the_web_is_harmless_in_every_output(web: Path, capfd: pytest.CaptureFixture[str]) -> None:
    query = "select '=cmd()' as f, char(27) || ']0;x' as e, null as n, x'00ff' as b, 7 as i"
    capfd.readouterr()
    assert run_verb(["sql", query, "--csv", "--web", str(web)]) == 0
    assert capfd.readouterr().out.splitlines()[1].startswith("'=cmd(),")
    assert run_verb(["sql", query, "--json", "--web", str(web)]) == 0
    row = msgspec.json.decode(capfd.readouterr().out)
    assert row == {"f": "=cmd()", "e": "\x1b]0;x", "n": None, "b": "00ff", "i": 7}
    assert run_verb(["sql", query, "--web", str(web)]) == 0
    assert "\x1b" not in capfd.readouterr().out


@pytest.mark.slow
def test_a_query_comes_from_standard_input(web: Path) -> None:
    command = make_command("sql", "-", "--json", "--web", str(web))
    ended = subprocess.run(
        command,
        input="select count(*) as n from pages",
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert msgspec.json.decode(ended.stdout) == {"n": ask(web, "select count(*) from pages")[0][0]}


@pytest.mark.slow
def test_a_web_without_views_gets_them_and_is_asked_before(web: Path, tmp_path: Path) -> None:
    old = Path(shutil.copytree(web, tmp_path / "old.web"))
    with sqlite3.connect(old / STATE) as db:
        for name in VIEWS:
            db.execute(f"drop view {name}")
        db.execute("create view mine as select 1")
    assert ask(old, "select count(*) from links") == ask(web, "select count(*) from links")
    open_store(old).close()
    with sqlite3.connect(old / STATE) as db:
        found = {name for (name,) in db.execute("select name from sqlite_master where type = 'view'")}
    assert found == {*VIEWS, "mine", WRITTEN_BY}, "and the version that wrote it"
