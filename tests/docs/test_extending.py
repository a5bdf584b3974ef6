"""The package of docs/extending.md works as it is written there: it is installed, named in a task file, and crawls."""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import Pages, Toy, make_link_page

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"
CSV = (("Content-Type", "text/csv; charset=utf-8"),)
BROKEN = """
[project.entry-points."gossamer.page_classifiers"]
broken = "library_plugins.broken:classify"

[project.entry-points."gossamer.schemes"]
shout = "library_plugins.broken:shout"
"""

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
        "library.toml",
    ]
    for name, text in blocks:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
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
def test_a_scheme_may_be_a_plugin(installed: Path, tmp_path: Path) -> None:
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
