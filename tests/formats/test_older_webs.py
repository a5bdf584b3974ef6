"""Webs of each version of the format still open, with their contents."""

import io
import tarfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

from gossamer.cli.main import run_verb
from gossamer.lab.world.world import World
from gossamer.records import PageLink
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.backup.restore_web import restore_web
from gossamer.store.sqlite.schema import VERSION
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web

WEBS = sorted(Path(__file__).parent.glob("web-*.tar.xz"))


def test_there_is_a_web_of_this_version() -> None:
    assert f"web-{VERSION}.tar.xz" in [path.name for path in WEBS], "run tests/formats/make_web.py"


@pytest.mark.parametrize("path", WEBS, ids=lambda path: path.name)
def test_an_older_web_opens_and_can_be_continued(path: Path, tmp_path: Path) -> None:
    with tarfile.open(path) as tar:
        tar.extractall(tmp_path, filter="data")
    store = SqliteStore(tmp_path / "state.sqlite")
    (page,) = store.pages()
    assert (page.url, page.title, page.marks) == ("http://www.example.org/", "Kept", {"topic": "age"})
    assert (page.language, page.declared_language) in (("", ""), ("en", "en-GB")), "none before version 5"
    assert store.links_to(2) == [PageLink(1, 2, "a", "next")]
    assert store.url(2) == "http://www.example.org/next"
    (request,) = store.requests("www.example.org", 1, 9)
    assert (request.id, request.attempt, request.number) == (2, 2, 5)
    assert store.last_number() == 5
    assert store.waiting_hosts(1) == ["www.example.org"]
    assert sum(len(keys) for _, keys in store.seen_keys()) == 3 * 8
    assert [decision.rule for decision in store.decisions(3)] == ["trap"]
    assert [visit.result for visit in store.visits(1)] == ["fetched"]
    assert [task.counts for task in store.tasks()] == [{"downloaded": 1}]
    assert [request.id for _, request in store.inbox(0, 1)] == [4]
    assert store.count_remaining(1) == 1
    assert [widening.depth for widening in store.widenings()] in ([], [3]), "none before version 4"
    assert store.notes("order") in ([], [("learnt", b"\1")]), "none before version 6"
    host = store.host("www.example.org")
    assert host is not None
    assert host.robots == b"User-agent: *\n"
    archive = Archive(tmp_path / "archive", store.archive_ends())
    found = archive.read(WarcPosition(page.warc, page.warc_offset))
    assert found is not None
    assert found.payload.startswith(b"<title>Kept</title>")
    archive.close()
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("path", WEBS, ids=lambda path: path.name)
def test_an_older_web_is_crawled_backed_up_forgotten_and_searched(path: Path, tmp_path: Path) -> None:
    web, kept = tmp_path / "web", tmp_path / "kept"
    with tarfile.open(path) as tar:
        tar.extractall(web, filter="data")

    def run(verb: str, *arguments: str) -> list[str]:
        out = io.StringIO()
        with redirect_stdout(out):
            assert run_verb([verb, *arguments, "--web", str(web), "--json"]) == 0, out.getvalue()
        return out.getvalue().splitlines()

    with serve_lab(World(seed=5, hosts=1, pages=5)) as lab:
        run("crawl", lab.url("127.1.0.1"), "--delay", "0", "--allow-private", "127.0.0.0/8", "--pages", "3")
    pages = len(run("sql", "select url from pages"))
    assert pages > 1
    run("backup", str(kept))
    run("forget", r"www\.example\.org/$", "--yes")  # the ids in this web are not those of its URLs
    assert len(run("sql", "select url from pages")) == pages - 1
    run("index")
    with Web(web) as opened:
        assert opened.search("kept").answers == ()
    restore_web(kept, tmp_path / "again")
    with Web(tmp_path / "again") as again:
        assert sum(page.title == "Kept" for page in again.store.pages()) == 1
