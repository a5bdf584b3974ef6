"""The package of docs/extending.md works as it is written there: it is installed, named in a task file, and crawls."""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import Pages, Toy, make_link_page
from tests.unit.ui.library import crawl_library
from tests.unit.ui.navigate.running_server import run_server

from gossamer.cli.main import run_verb
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.navigate.client.reading_client import ReadingClient
from gossamer.reading_proxy.addon.page_rewriters import PageRewriters, ProxiedPage
from gossamer.reading_proxy.start_proxy import check_rewriters
from gossamer.web import Web

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"
CSV = (("Content-Type", "text/csv; charset=utf-8"),)
BROKEN = """
[project.entry-points."gossamer.page_classifiers"]
broken = "library_plugins.broken:classify"

[project.entry-points."gossamer.schemes"]
shout = "library_plugins.broken:shout"
"""

PANEL_LINES = '[project.entry-points."gossamer.panel_lines"]'
READING_PAGES = '[project.entry-points."gossamer.reading_pages"]'
RAISING = 'raising = "library_plugins.broken:shout"'
MODULE = """
def classify(reading):
    raise ValueError('no idea')

def shout(url, address, most_bytes):
    if url.endswith("/bad"):
        raise ValueError("no voice")
    return "text/html", f"<title>{url} at {address}</title><a href='shout://127.0.0.1/two'>2</a><a href=bad>3</a>".encode()
"""


def write_package(folder: Path) -> None:
    blocks = re.findall(
        r"^```(?:toml|python)\n# (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert [name for name, _ in blocks] == [
        "pyproject.toml",
        "library_plugins/csv_reader.py",
        "library_plugins/short_first.py",
        "library_plugins/no_calendar.py",
        "library_plugins/reading_time.py",
        "library.toml",
        "no_autoplay.py",
    ]
    for name, text in blocks:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for group in (PANEL_LINES, READING_PAGES):
            text = text.replace(group, f"{group}\n{RAISING}")
        (folder / name).write_text(text, "utf-8")
    (folder / "library_plugins" / "__init__.py").touch()
    with (folder / "pyproject.toml").open("a") as project:
        project.write(BROKEN)
    (folder / "library_plugins" / "broken.py").write_text(MODULE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library-plugins")
    write_package(folder)
    target = tmp_path_factory.mktemp("installed")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*pip, "--target", str(target), str(folder)], check=True, capture_output=True, cwd=folder)
    (target / "library.toml").write_text((folder / "library.toml").read_text())
    return target


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gossamer.cli.main", *words],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        check=False,
    )


def crawl(installed: Path, web: Path, seed: str, *words: str) -> list[dict[str, object]]:
    task = web.with_suffix(".toml")
    task.write_text((installed / "library.toml").read_text().replace("http://www.example.org/", seed))
    ran = run(
        installed,
        *("crawl", "--task", str(task), "--web", str(web), "--json", "--delay", "0", "--no-robots"),
        *("--allow-private", "127.0.0.0/8", *words),
    )
    assert ran.returncode == 0, ran.stderr
    return [msgspec.json.decode(line) for line in ran.stdout.splitlines()]


PAGES: Pages = {
    "127.0.0.1": {
        "/": make_link_page("/a/long/way/to/go", "/books.csv", "/b", "/calendar/2026", "/c?month=7"),
        "/books.csv": LabAnswer(200, CSV, b"title,page\nWalden,/walden\nEmma,/emma and more\n"),
        "/b": make_link_page(text="short"),
        "/a/long/way/to/go": make_link_page(text="long"),
        "/walden": make_link_page(text="a pond in the woods"),
        "/calendar/2026": make_link_page(text="dates"),
        "/c?month=7": make_link_page(text="dates"),
    }
}


@pytest.mark.slow
def test_the_package_of_the_page_crawls(installed: Path, tmp_path: Path) -> None:
    with serving(Toy(PAGES)) as lab:
        seed = lab.url()
        events = crawl(installed, tmp_path / "w", seed)
    visited = [str(one["url"]).removeprefix(seed) for one in events if one["event"] == "page"]
    assert visited[0] == "", "the start page"
    first, second = visited[1:3]
    assert (first, second) == ("b", "books.csv"), "short addresses first"
    assert visited.index("walden") < visited.index("a/long/way/to/go")
    assert "walden" in visited, "the reader found the link in the table"
    assert not [url for url in visited if "calendar" in url or "month" in url]
    [end] = [one for one in events if one["event"] == "end"]
    counts = end["counts"]
    assert isinstance(counts, dict)
    assert counts["filtered:no_calendar"] == 2

    explained = run(installed, "explain", f"{seed}calendar/2026", "--web", str(tmp_path / "w"))
    assert "no_calendar" in explained.stdout
    assert run(installed, "index", "--web", str(tmp_path / "w")).returncode == 0
    found = run(installed, "search", "walden type:document", "--web", str(tmp_path / "w"), "--json")
    assert "books.csv" in found.stdout, found.stdout + found.stderr


@pytest.mark.slow
def test_a_plugin_that_raises_is_named_and_the_page_is_kept(installed: Path, tmp_path: Path) -> None:
    with serving(Toy(PAGES)) as lab:
        seed = lab.url()
        events = crawl(installed, tmp_path / "w", seed, "--page-classifiers", "broken")
    notices = [str(one["text"]) for one in events if one["event"] == "notice"]
    assert (
        len([text for text in notices if "the page classifier broken raised ValueError: no idea" in text])
        == 1
    )
    [end] = [one for one in events if one["event"] == "end"]
    counts = end["counts"]
    assert isinstance(counts, dict)
    assert counts["plugin-failed:broken"] == counts["downloaded"] == 5
    explained = run(installed, "explain", f"{seed}b", "--web", str(tmp_path / "w"))
    assert "plugin-failed" in explained.stdout


@pytest.mark.slow
def test_a_missing_plugin_is_refused_before_a_web_is_made(installed: Path, tmp_path: Path) -> None:
    ran = run(installed, "crawl", "http://a.example/", "--web", str(tmp_path / "w"), "--readers", "cvs")
    assert ran.returncode == 2
    assert "there is no reader 'cvs'; did you mean 'csv'?" in ran.stderr
    assert not (tmp_path / "w").exists()
    ran = run(installed, "crawl", "http://a.example/", "--web", str(tmp_path / "w"), "--order", "shortest")
    assert ran.returncode == 2
    assert "short_first" in ran.stderr


@pytest.mark.slow
def test_a_scheme_may_be_a_plugin(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "crawl",
        "shout://127.0.0.1/one",
        "--web",
        str(tmp_path / "w"),
        "--json",
        "--delay",
        "0.01",
        "--tries",
        "1",
    ]
    refused = run(installed, *words, "--schemes", "shout")
    assert '"cause":"private address"' in refused.stdout, "the guard for addresses holds"
    ran = run(installed, *words, "--schemes", "shout", "--allow-private", "127.0.0.0/8")
    assert ran.returncode == 0, ran.stderr
    events = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    results = {one["url"]: (one["result"], one["cause"]) for one in events if one["event"] == "page"}
    assert results == {
        "shout://127.0.0.1/one": ("fetched", ""),
        "shout://127.0.0.1/two": ("fetched", ""),
        "shout://127.0.0.1/bad": ("failed", "internal"),
    }
    assert run(installed, *words).returncode == 2, "it must be named"

    web = ["--web", str(tmp_path / "w")]
    assert run_verb(["explain", "shout://127.0.0.1/two", *web]) == 0, (
        "a web keeps its URLs without the plug-in"
    )
    assert "shout://127.0.0.1/one" in capsys.readouterr().out, "where it was found"
    assert run_verb(["explain", "whisper://127.0.0.1/two", *web]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with serving(Toy(PAGES)) as lab:
        crawl(installed, tmp_path / "plain", lab.url())
    plain = ["explain", "SHOUT://127.0.0.1/one", "--web", str(tmp_path / "plain")]
    assert run(installed, *plain).returncode == 0, "the plug-in is installed"
    assert run_verb(plain) == 2, "and here it is not"


@pytest.mark.parametrize("size", [1, 3, 8, 1_000])
def test_the_rewriter_of_the_page_changes_a_word_however_the_page_is_cut(tmp_path: Path, size: int) -> None:
    write_package(tmp_path)
    file = tmp_path / "no_autoplay.py"
    check_rewriters([file])
    page = b"<video autoplay src=a></video> autopla <video src=b autoplay>" * 3
    rewriters = PageRewriters([file])
    assert rewriters.begin(ProxiedPage("https://other.example/", {})) is None
    rewriter = rewriters.begin(ProxiedPage("https://news.example/", {}))
    assert rewriter is not None
    pieces = [page[at : at + size] for at in range(0, len(page), size)]
    sent = b"".join([*(rewriter.rewrite(piece) for piece in pieces), rewriter.end()])
    assert sent == page.replace(b"autoplay", b"data-off")


@pytest.mark.slow
def test_plugins_for_readers_add_lines_and_hear_of_visits(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl_library(tmp_path / "music.web")
    with Web(tmp_path / "music.web") as web:
        haydn = next(page for page in web.store.pages() if page.url.endswith("/haydn"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(installed), *filter(None, sys.path)]))
    monkeypatch.setenv("HOME", str(tmp_path))
    named = ("--plugins", "reading_time", "--plugins", "raising", "--history")
    with run_server(tmp_path / "music.web", tmp_path / "config", *named) as server:
        client = ReadingClient(f"http://{server.host}:{server.port}/", server.token)
        minutes = f"{1 + haydn.words // 230} min to read"
        assert client.card(haydn.url)["lines"] == [{"plugin": "reading_time", "text": minutes}]
        assert client.card("http://unknown.example/")["lines"] == []
        # The other one raises: its lines are missing, and those of this one are there.
        lines = client.backlinks(haydn.url)["lines"]
        assert [one["plugin"] for one in lines] == ["reading_time"]
        assert " from 127.9.7.1" in lines[0]["text"]
        read = {"url": haydn.url, "title": "Haydn", "opened_s": 1_790_000_000.0, "seconds": 120}
        assert server.ask("POST", "visits", {"visits": [read]}) == (200, {"kept": 1})
        status, headers, diary = server.get("/plugins/reading_time")
        assert (status, f"{haydn.url}\tHaydn" in diary) == (200, True)
        assert "sandbox" in headers["content-security-policy"]
        assert server.get("/plugins/reading_time/other")[0] == 404
        assert server.get("/plugins/reading_tim")[0] == 404
        assert server.get("/plugins/raising")[0] == 500
    assert (tmp_path / "diary.txt").read_text("utf-8") == f"2 min\t{haydn.url}\tHaydn\n"

    missing = run(installed, "serve", "--plugins", "reading_tim", "--web", str(tmp_path / "music.web"))
    assert missing.returncode == 2
    assert (
        "there is no plug-in 'reading_tim' for readers; installed are raising, reading_time" in missing.stderr
    )
