"""Webs are exported to files, and files of any program are imported."""

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from gossamer.cli import main
from gossamer.net.url import page_id
from gossamer.store.archive.warc_records import WarcReader
from gossamer.web import Web

SITE = "http://site.example"


def run_verb(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main.run_verb([str(argument) for argument in arguments]) == code
    return capsys.readouterr().out


def pages(folder: Path) -> dict[str, tuple[object, ...]]:
    with Web(folder, create=False) as web:
        return {
            page.url: (page.title, page.digest, page.simhash, page.kind, page.status)
            for page in web.store.pages()
        }


def page_links(folder: Path) -> set[tuple[object, ...]]:
    with Web(folder, create=False) as web:
        return {
            (link.source, link.target, link.type, link.text, link.nofollow)
            for link in web.store.links()
            if link.type != "redirect"
        }


@pytest.mark.parametrize(("form", "name"), [("warc", "all.warc.gz"), ("wacz", "all.wacz")])
def test_an_exported_web_can_be_imported_as_if_crawled(
    form: str, name: str, crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_verb(capsys, "export", form, tmp_path / name, "--web", crawled)
    told = json.loads(run_verb(capsys, "import", tmp_path / name, "--web", tmp_path / "web", "--json"))
    assert told["damage"] == []
    assert pages(tmp_path / "web") == pages(crawled)
    assert page_links(tmp_path / "web") == page_links(crawled)


def test_an_import_has_no_start_pages(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "web"
    run_verb(capsys, "import", crawled / "archive", "--name", "theirs", "--web", web)
    for named, why in (([], "no task that crawls"), (["--task", "theirs"], "theirs is an import")):
        assert main.run_verb(["submit", "http://a.example/", *named, "--web", str(web)]) == 2
        assert why in capsys.readouterr().err
    assert run_verb(capsys, "resume", "--web", web) == "Nothing to do: all tasks of this web have finished.\n"


def test_a_repeated_import_adds_nothing(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "web"
    run_verb(capsys, "import", crawled / "archive", "--web", web)
    before = pages(web)
    with Web(web) as opened:
        captures = opened.store.counts()["visits"]
    assert captures > len(before)
    told = json.loads(run_verb(capsys, "import", crawled / "archive", "--web", web, "--json"))
    assert told["known"] == captures
    assert told["counts"] == {}
    assert pages(web) == before
    with Web(web) as opened:
        assert opened.store.counts()["visits"] == captures


def record(url: str, answer: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid4()}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(answer)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + answer + b"\r\n\r\n")


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A file as another crawler writes it: robots.txt, a packed page, a redirect, an error, a strange scheme."""
    html = b"<title>Packed</title><a href='/next'>on</a><a href='/old' rel=nofollow>back</a>"
    path = tmp_path / "foreign.warc.gz"
    path.write_bytes(
        record(f"{SITE}/robots.txt", b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /no\n")
        + record(
            f"{SITE}/",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
            + gzip.compress(html),
        )
        + record(f"{SITE}/old", b"HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n")
        + record(
            f"{SITE}/gone", b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<a href=/x>no</a>"
        )
        + record("dns:site.example", b"site.example")
    )
    return path


def test_pages_of_other_crawlers_are_read_like_our_own(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "web"
    run_verb(capsys, "import", foreign, "--name", "theirs", "--web", web)
    assert {url: page[0] for url, page in pages(web).items()} == {f"{SITE}/": "Packed"}
    with Web(web) as opened:
        note = opened.task("theirs")
        assert (note.state, note.counts["downloaded"], note.counts["redirected"]) == ("finished", 1, 1)
        assert note.counts["failed:404"] == 1
        host = opened.store.host("site.example")
        assert host is not None
        assert host.robots == b"User-agent: *\nDisallow: /no\n"
    verdicts = {
        path: json.loads(run_verb(capsys, "explain", f"{SITE}{path}", "--web", web, "--json"))["tasks"][0]
        for path in ("/", "/old", "/new", "/gone", "/next", "/no")
    }
    assert verdicts["/"]["verdict"] == "fetched"
    assert (verdicts["/old"]["verdict"], verdicts["/old"]["detail"]) == ("redirected", "/new")
    assert [found["type"] for found in verdicts["/new"]["found_on"]] == ["redirect"]
    assert (verdicts["/gone"]["verdict"], verdicts["/gone"]["detail"]) == ("failed", "404")
    assert (verdicts["/next"]["verdict"], verdicts["/next"]["rule"]) == ("not followed", "scope")
    assert verdicts["/no"]["robots_allow"] is False


def test_a_304_refers_to_the_page_it_confirms(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = record(f"{SITE}/", b"HTTP/1.1 304 Not Modified\r\n\r\n")
    foreign.write_bytes(foreign.read_bytes() + later)
    web = tmp_path / "web"
    run_verb(capsys, "import", foreign, "--web", web)
    [file] = (web / "archive").glob("*.warc.gz")
    [revisit] = [each for each in WarcReader(file) if each.type == "revisit"]
    assert revisit.headers["warc-profile"].endswith("/server-not-modified")
    assert revisit.headers["warc-refers-to-target-uri"] == f"{SITE}/"
    assert revisit.headers["warc-refers-to-date"] == "2024-05-06T07:08:09Z"
    with Web(web) as opened:
        page = opened.store.page(page_id(f"{SITE}/"))
        assert page is not None
        assert [visit.result for visit in opened.store.visits(page.id)] == ["fetched", "not modified"]
        assert revisit.headers["warc-payload-digest"] == page.digest


def test_a_damaged_file_is_read_up_to_its_damage(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = record(f"{SITE}/image", b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + os.urandom(5000))
    foreign.write_bytes(foreign.read_bytes() + image[:-1000])
    shown = run_verb(capsys, "import", foreign, "--web", tmp_path / "web")
    assert "left out:" in shown
    assert f"{SITE}/" in pages(tmp_path / "web")


def test_files_without_pages_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("no WARC at all")
    assert main.run_verb(["import", str(tmp_path / "notes.txt"), "--web", str(tmp_path / "web")]) == 1
    assert "these files contain no page" in capsys.readouterr().err


def test_tables_and_pages_can_be_chosen(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_verb(capsys, "export", "csv", tmp_path / "links.csv", "--table", "links", "--web", crawled)
    with (tmp_path / "links.csv").open(newline="") as file:
        assert sum(1 for _ in csv.reader(file)) > 50
    some = json.loads(
        run_verb(
            capsys, "export", "csv", tmp_path / "some", "--include", "127.1.0.2", "--web", crawled, "--json"
        )
    )
    wanted = [url for url in pages(crawled) if "127.1.0.2" in url]
    assert some["counts"]["pages"] == len(wanted) > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export", "xml", "out"], "FORMAT"),
        (["export", "csv", "out", "--table", "nothing"], "there is no table 'nothing'"),
        (["export", "csv", "out", "--include", "("], "regular expression"),
        (["export", "warc", "there"], "there"),
        (["export", "csv", "out.csv"], "name one of the tables"),
        (["import", "missing.warc.gz"], "cannot read missing.warc.gz"),
    ],
)
def test_wrong_use_is_explained(
    arguments: list[str],
    sentence: str,
    web: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("something of somebody's")
    assert main.run_verb([*arguments, "--web", str(web)]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("form", "name"), [("warc", "out.warc.gz"), ("wacz", "out.wacz"), ("corpus", "out.txt")]
)
def test_an_export_of_a_damaged_archive_says_what_it_left_out_and_exits_1(
    form: str, name: str, web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(web, create=False) as opened:
        page = next(page for page in opened.store.pages() if page.kind == "html" and page.words > 50)
    warc = web / "archive" / page.warc
    data = bytearray(warc.read_bytes())
    data[page.warc_offset + 300] ^= 0x11
    warc.write_bytes(bytes(data))
    assert main.run_verb(["export", form, str(tmp_path / name), "--web", str(web)]) == 1
    told = capsys.readouterr()
    assert "left out: " in told.out
    assert "gossamer verify" in told.err
    assert (tmp_path / name).stat().st_size > 1000
    arguments = ["export", form, str(tmp_path / f"json-{name}"), "--json", "--web", str(web)]
    assert main.run_verb(arguments) == 1
    assert json.loads(capsys.readouterr().out)["left_out"]


KILLED = """
import os, signal, sys
from gossamer.cli import main
from gossamer.store.export import parquet_files, table_columns, warc_files, wacz

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

warc_files._copy_bytes = kill
wacz._Wacz.finish = kill
table_columns._split = kill
main.run_verb(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("form", "name"), [("warc", "out"), ("wacz", "out.wacz"), ("csv", "out")])
def test_what_a_killed_export_left_is_removed_by_the_next(
    form: str, name: str, crawled: Path, tmp_path: Path
) -> None:
    arguments = ["export", form, str(tmp_path / name), "--web", str(crawled)]
    ran = subprocess.run([sys.executable, "-c", KILLED, *arguments], timeout=60, check=False)
    assert ran.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".gossamer-")
    assert main.run_verb(arguments) == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]
