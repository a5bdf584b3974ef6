import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import HTML, Toy, make_quick_task

from gossamer.cli import main
from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.records import Page
from gossamer.search.index.index_status import count_left_out
from gossamer.search.index.refresh_index import Collection, RefreshCounts, refresh
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import read_ranks
from gossamer.store.batch import KIND_OF_TYPE, SPANS_SITES, Batch, LinkColumns
from gossamer.web import Web, open_web

HOST = "127.9.0.1"


def page(title: str, text: str, head: str = "") -> LabAnswer:
    links = "".join(
        f"<li><a href='/{n}'>{name}</a></li>" for n, name in enumerate(("Haydn", "Pumps", "Secret"))
    )
    body = f"<html><head><title>{title}</title>{head}</head><body><ul>{links}</ul><p>{text}</p></body></html>"
    return LabAnswer(200, HTML, body.encode())


WORLD = Toy(
    {
        HOST: {
            "/robots.txt": LabAnswer(404),
            "/": page("Start", "This is where readers begin, and from here links lead to other pages."),
            "/0": page(
                "Composer", "He wrote symphonies for the prince in Eisenstadt, and for London in later years."
            ),
            "/1": page(
                "Engines", "Engines drive pumps in deep mines, and their boilers need water every day."
            ),
            "/2": page(
                "Hidden",
                "This unspeakable page asks not to be indexed.",
                "<meta name=robots content=noindex>",
            ),
        }
    }
)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched") / "web"
    with serving(WORLD) as running, Web(folder) as web:
        web.run([make_quick_task(running, delay_s=0.0)])
    return folder


@pytest.fixture
def web(crawled: Path, tmp_path: Path) -> Iterator[Web]:
    with open_web(shutil.copytree(crawled, tmp_path / "web")) as opened:
        yield opened


def titles(web: Web, query: str) -> list[str]:
    return [answer.title for answer in web.search(query).answers]


def titled(web: Web, title: str) -> Page:
    return next(page for page in web.store.pages() if page.title == title)


def test_a_crawled_web_is_indexed_and_searched(web: Web) -> None:
    assert web.index() == RefreshCounts(added=3)
    assert titles(web, "symphony") == ["Composer"]
    assert titles(web, "title:composer haydn") == ["Composer"]  # the word is only in link texts and menus
    assert titles(web, "unspeakable") == []
    best = web.search("boilers").answers[0]
    assert (best.language, best.type, best.depth) == ("en", "html", 1)
    assert "Engines drive pumps" in best.snippet.text


@pytest.mark.slow
def test_a_crawl_keeps_the_index_fresh(tmp_path: Path) -> None:
    with serving(WORLD) as running, Web(tmp_path / "web") as web:
        pages = list(web.crawl(make_quick_task(running, delay_s=0.0), index=True))
        assert (len(pages), web.pages_indexed()) == (4, 3)
        assert web.index() == RefreshCounts(unchanged=3)


def test_a_refresh_reads_only_changed_pages(web: Web) -> None:
    web.index()
    assert web.index() == RefreshCounts(unchanged=3)
    changed = msgspec.structs.replace(titled(web, "Engines"), digest="sha1:OTHER")
    hidden = msgspec.structs.replace(titled(web, "Composer"), index=False)
    shown = msgspec.structs.replace(titled(web, "Hidden"), index=True)
    web.store.commit(Batch(pages=[changed, hidden, shown]))
    assert web.index() == RefreshCounts(added=1, changed=1, removed=1, unchanged=1)
    assert titles(web, "boilers") == ["Engines"]
    assert titles(web, "symphony") == []
    assert titles(web, "unspeakable") == ["Hidden"]


def test_pages_that_are_left_out_are_counted_by_reason(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    engines, start = titled(web, "Engines"), titled(web, "Start")
    picture = msgspec.structs.replace(engines, kind="image", words=0)
    broken = msgspec.structs.replace(start, status=500)
    web.store.commit(Batch(pages=[picture, broken]))
    assert count_left_out(web.store) == {"noindex": 1, "no text": 1, "an error page": 1}
    assert main.run_verb(["index", "--web", str(web.folder)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ": 1 added. Left out: 3 pages: 1 with noindex, 1 without text, " in shown
    assert shown.endswith("1 with an error status.")
    assert main.run_verb(["index", "--web", str(web.folder), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["left_out"] == {"noindex": 1, "no text": 1, "an error page": 1}
    assert counts.keys() >= {"added", "changed", "removed", "unchanged", "missing"}


def in_links(web: Web, title: str) -> int:
    ids = [titled(web, title).id]
    return read_ranks(web.folder / "index").look_up("in_links", ids)[0]


def test_new_links_change_ranks_but_not_entries(web: Web) -> None:
    web.index()
    assert (in_links(web, "Start"), in_links(web, "Engines")) == (0, 3)
    links = LinkColumns(titled(web, "Engines").id, [titled(web, "Start").id], bytes(1), [""])
    web.store.commit(Batch(links=[links]))
    assert web.index() == RefreshCounts(unchanged=3)
    assert (in_links(web, "Start"), in_links(web, "Engines")) == (1, 3)


def test_a_new_anchor_text_changes_the_entry(web: Web) -> None:
    web.index()
    kinds = bytes([KIND_OF_TYPE["a"] + SPANS_SITES])
    web.store.commit(Batch(links=[LinkColumns(999, [titled(web, "Engines").id], kinds, ["Dreadnought"])]))
    assert web.index() == RefreshCounts(changed=1, unchanged=2)
    assert titles(web, "dreadnought") == ["Engines"]


def test_pages_missing_from_the_archive_are_counted(web: Web) -> None:
    shutil.rmtree(web.folder / "archive")
    assert web.index() == RefreshCounts(missing=3)


def test_an_interrupted_refresh_is_continued(web: Web) -> None:
    def interrupt(share: float) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    collection = Collection(web.store, web.folder, decode_content)
    index = Index(web.folder / "index")
    with pytest.raises(KeyboardInterrupt):
        refresh(index, collection, interrupt, pages_a_commit=1)
    done = index.pages
    assert 0 < done < 3
    del index
    assert web.index() == RefreshCounts(added=3 - done, unchanged=done)


KILLED = """
import os, signal, sys
from pathlib import Path
from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.search.index import Index
from gossamer.search.index.index_status import count_left_out
from gossamer.search.index.refresh_index import Collection, refresh
from gossamer.web import open_web

def kill(share):
    if share >= 0.5:
        os.kill(os.getpid(), signal.SIGKILL)

web = open_web(sys.argv[1])
refresh(Index(web.folder / "index"), Collection(web.store, web.folder, decode_content), kill, pages_a_commit=1)
"""


@pytest.mark.slow
def test_a_killed_refresh_leaves_a_usable_index(web: Web) -> None:
    ran = subprocess.run([sys.executable, "-c", KILLED, web.folder], env=dict(os.environ), timeout=600)
    assert ran.returncode == -signal.SIGKILL
    assert list(web.folder.glob(".gossamer-*.part"))
    (web.folder / ".links-left").mkdir()
    assert web.search("type:html").total in (1, 2)
    assert web.index().added in (1, 2)
    assert web.search("type:html").total == 3
    assert not list(web.folder.glob(".[gl]*-*"))


FULL = """
import resource, signal, sys
from gossamer.errors import StoreFailed
from gossamer.web import open_web

with open_web(sys.argv[2]) as web:
    web.index()  # now SQLite and the engine have their files, and only what a refresh writes cannot grow
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
    try:
        web.index()
    except StoreFailed as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("most_bytes", [0, 20, 60])
def test_files_that_cannot_grow_end_in_one_sentence(web: Web, most_bytes: int) -> None:
    command = [sys.executable, "-c", FULL, str(most_bytes), str(web.folder)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "the index" in ran.stdout
    assert ran.stdout.count("\n") == 1
    assert not list(web.folder.glob(".gossamer-*"))
    assert web.index().unchanged == 3
    assert web.search("type:html").total == 3


def test_temporary_files_of_a_killed_engine_are_removed(web: Web) -> None:
    web.index()
    (web.folder / "index" / ".tmpA1b2C3").write_bytes(b"left behind")
    web.index()
    assert not list((web.folder / "index").glob(".tmp*"))


def test_wrong_use_is_refused(web: Web) -> None:
    with pytest.raises(BadInput, match=r"no index yet; `gossamer index --web"):
        web.search("x")
    web.index()
    with pytest.raises(BadInput, match="paeg"):
        web.search("x", paeg=2)
    with pytest.raises(BadInput, match="page"):
        web.search("x", page=0)
