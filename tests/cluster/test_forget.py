"""Pages are forgotten in a database and its shared archive as they are in a directory."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.forgets import run
from tests.crawl.harness import serve_lab
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.two_webs import TwoWebs

import gossamer
from gossamer.errors import BadInput
from gossamer.forget import forget_pages
from gossamer.lab.world.world import World
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.opening.open_store import open_store
from gossamer.store.opening.web_location import resolve_web
from gossamer.store.postgres.coordination.packs import DatabasePacks

pytestmark = pytest.mark.slow


@pytest.fixture
def webs(postgres_server: PostgresServer, tmp_path: Path) -> Iterator[TwoWebs]:
    with pytest.MonkeyPatch.context() as patch, serve_lab(World(seed=5, hosts=4, pages=60)) as lab:
        patch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
        made = TwoWebs(postgres_server, tmp_path)
        made.fill(lab)
        yield made


def read_all(web: str) -> tuple[list[Any], ...]:
    """Return what a web holds, without what two of them never have in common."""
    with gossamer.open(web, create=False) as opened:
        store, reader = opened.store, open_reader(opened.folder / "archive")
        pages = []
        for page in sorted(store.pages(), key=lambda one: one.url):
            found = reader.read(WarcPosition(page.warc, page.warc_offset))
            pages.append((page.url, page.title, page.digest, found.payload if found else None))
        links = sorted((one.source, one.target, one.text) for one in store.links())
        visits = sorted((one.page, one.result, one.status) for one in store.all_visits())
        counts = {name: count for name, count in store.counts().items() if name != "hosts"}
        answers = sorted(one.url for one in opened.search("page", size=1000).answers)
        return pages, links, visits, sorted(store.known_urls()), [counts], list(answers)


def choose(web: str) -> tuple[str, str, list[str]]:
    """Return a page that others link to, a host, and all URLs of both."""
    with gossamer.open(web, create=False) as opened:
        found = sorted(page.url for page in opened.store.pages())
    host = found[-1].split("/")[2]
    one = next(url for url in found[3:] if url.split("/")[2] != host)
    return one, host, [one, *(url for url in found if url.split("/")[2] == host)]


def verify(web: str) -> bool:
    return bool(json.loads(run("verify", "--web", web, "--json").splitlines()[-1])["sound"])


def test_both_webs_forget_alike_and_no_byte_is_left(webs: TwoWebs) -> None:
    one, host, gone = choose(str(webs.directory))
    for web in (str(webs.directory), webs.database):
        run("forget", one, "--yes", "--reason", "a letter", "--web", web)
        run("forget", host, "--yes", "--web", web)
    directory, database = read_all(str(webs.directory)), read_all(webs.database)
    assert database == directory
    assert {url for url, *_ in database[0]}.isdisjoint(gone)
    assert verify(webs.database)
    for url in gone:
        run("forget", "--check", url, "--web", webs.database)
    archive = b"".join(path.read_bytes() for path in (webs.folder / "archive").rglob("*") if path.is_file())
    assert not [url for url in gone if url.encode() in archive], "indexes and versions are not packed"
    files = webs.read_server_files()
    assert directory[0][0][0].encode() in files
    assert not [url for url in gone if url.encode() in files]
    log = [
        json.loads(line) for line in run("forget", "--list", "--web", webs.database, "--json").splitlines()
    ]
    assert [(entry["kind"], bool(entry["finished_s"])) for entry in log] == [("url", True), ("host", True)]
    assert [entry["pages"] for entry in log] == [1, len(gone) - 1]


def test_a_forgotten_page_comes_back_only_when_it_is_allowed(webs: TwoWebs) -> None:
    one, _, _ = choose(webs.database)
    warc = str(webs.folder / "crawled.warc.gz")
    run("forget", one, "--yes", "--web", webs.database)
    run("import", warc, "--name", "again", "--web", webs.database)
    with gossamer.open(webs.database) as opened:
        assert one not in {page.url for page in opened.store.pages()}
    run("forget", "--undo", one, "--web", webs.database)
    run("import", warc, "--name", "allowed", "--web", webs.database)
    with gossamer.open(webs.database) as opened:
        assert one in {page.url for page in opened.store.pages()}
    assert verify(webs.database)


@pytest.mark.parametrize("step", ["archive", "state", "files", "index"])
def test_a_killed_forgetting_is_finished_by_the_next_command_and_keeps_fetchers_away(
    webs: TwoWebs, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, _ = choose(webs.database)
    run("forget", one, "--yes", "--web", str(webs.directory))

    def stop(run_: forget_pages.ForgetRun, journal: object) -> object:
        def fail(name: str) -> None:
            if name == step:
                raise KeyboardInterrupt

        return whole(forget_pages.ForgetRun(run_.place, fail, run_.on_progress), journal)  # type: ignore[arg-type]

    whole = forget_pages.finish
    with monkeypatch.context() as patched:
        patched.setattr(forget_pages, "finish", stop)
        run("forget", one, "--yes", "--web", webs.database, code=130)
    with pytest.raises(BadInput, match="are being forgotten"):
        open_store(resolve_web(webs.database))
    assert [row["state"] for row in json_lines("tasks", webs.database)], "readers go on"
    assert read_all(webs.database) == read_all(str(webs.directory))
    assert verify(webs.database)
    run("forget", "--check", one, "--web", webs.database)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_forgetting_that_is_killed_while_a_pack_is_replaced_leaves_nothing(
    webs: TwoWebs, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, _ = choose(webs.database)
    run("forget", one, "--yes", "--web", str(webs.directory))
    replace = DatabasePacks.replace

    def die(table: DatabasePacks, old: str, new: str) -> None:
        if when == "after":
            replace(table, old, new)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(DatabasePacks, "replace", die)
        run("forget", one, "--yes", "--web", webs.database, code=130)
    run("forget", "--list", "--web", webs.database)
    assert read_all(webs.database) == read_all(str(webs.directory))
    assert verify(webs.database)
    run("forget", "--check", one, "--web", webs.database)
    assert len(list((webs.folder / "archive" / "packs").iterdir())) == 1, "replaced packs are deleted"


def json_lines(verb: str, web: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run(verb, "--web", web, "--json").splitlines()]
