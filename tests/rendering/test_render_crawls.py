"""Whole crawls of pages that need a browser, by the command line: what they find, keep and leave behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rendering.harness import need_browser
from tests.rendering.scripted_site import ScriptedSite, serve_scripts
from tests.wait_until import wait_until

from gossamer.crawl.render.render_choice import FREE_PAGES
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader, WarcRecord
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

pytestmark = pytest.mark.slow
GOSSAMER = [sys.executable, "-m", "gossamer.cli.main"]


def crawl_site(
    site: ScriptedSite, web: Path, *more: str, start: str = "/"
) -> subprocess.CompletedProcess[str]:
    command = [*GOSSAMER, "crawl", site.url + start, "--web", str(web), "--allow-private", "127.0.0.2/32"]
    command += ["--delay", "0", "--no-per-address", *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def _list_browsers(owner: int = 0) -> set[Path]:
    """Return the folders of browsers that run for a crawl; by default those whose crawl has ended."""
    found: set[Path] = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            said = path.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        for part in said.split("\0"):
            name = part.rpartition("/")[2]
            if part.startswith("--user-data-dir=") and name.startswith("gossamer-browser-"):
                pid = int(name.split("-")[2])
                if pid == owner or (not owner and not Path("/proc", str(pid)).exists()):
                    found.add(Path(part.partition("=")[2]))
    return found


def test_auto_finds_what_always_finds_and_keeps_both_versions(tmp_path: Path) -> None:
    need_browser()
    with serve_scripts() as site:
        ran = crawl_site(site, tmp_path / "web", "--render", "auto", "--render-share", "1")
        assert ran.returncode == 0, ran.stderr
        with Web(tmp_path / "web") as web:
            pages = {
                page.url: page for page in web.store.pages() if page.kind == "html" and page.status == 200
            }
            assert {f"{site.url}/shell/{number}" for number in range(1, 13)} < set(pages)
            page = pages[f"{site.url}/shell/1"]
            assert page.marks["rendered"]
            assert page.words > 5
            reader = open_reader(tmp_path / "web" / "archive")
            rendered = reader.read(WarcPosition(page.warc, page.warc_offset))
            assert rendered is not None
            assert rendered.rendered_by
            assert b"Gadgets of /shell/1" in rendered.body
        records = [
            record.type
            for path in (tmp_path / "web" / "archive").glob("*.gz")
            for record in list_records(path)
        ]
        assert records.count("conversion") == 13
        assert records.count("response") + records.count("revisit") >= 13 + 13 + 1
        checked = subprocess.run(
            [*GOSSAMER, "verify", "--web", str(tmp_path / "web")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout
        explained = subprocess.run(
            [*GOSSAMER, "explain", f"{site.url}/shell/1", "--web", str(tmp_path / "web")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "shown in a browser" in explained
    assert _list_browsers() == set()


def test_pages_beyond_the_share_are_kept_as_they_came_and_that_is_said_once(tmp_path: Path) -> None:
    need_browser()
    with serve_scripts() as site:
        ran = crawl_site(site, tmp_path / "web", "--render", "auto", "--render-share", "0.01")
    assert ran.returncode == 0, ran.stderr
    said = " ".join((ran.stdout + ran.stderr).split())
    assert said.count("more pages seem to need a browser than --render-share 0.01 lets through") == 1
    with Web(tmp_path / "web") as web:
        marks = [page.marks for page in web.store.pages()]
        counts = next(iter(web.store.tasks())).counts
    assert sum("rendered" in each for each in marks) == counts["rendered"] == FREE_PAGES + 1
    left = [each["unrendered"] for each in marks if "unrendered" in each]
    assert len(left) == counts["not rendered"] > 0
    assert all("--render-share" in why for why in left)


def list_records(path: Path) -> list[WarcRecord]:
    return list(WarcReader(path))


def test_auto_leaves_articles_alone_and_starts_no_browser_for_them(tmp_path: Path) -> None:
    need_browser()
    with serve_scripts() as site:
        ran = crawl_site(site, tmp_path / "web", "--render", "auto", start="/article")
        assert ran.returncode == 0, ran.stderr
        assert "/tracker.js" not in [path for _, path, _ in site.requests]


def test_pages_that_cannot_be_shown_are_kept_as_they_came(tmp_path: Path) -> None:
    need_browser()
    with serve_scripts() as site:
        ran = crawl_site(site, tmp_path / "web", "--render", "always", "--render-time", "2", start="/hang")
        assert ran.returncode == 0, ran.stderr
        with Web(tmp_path / "web") as web:
            page = next(page for page in web.store.pages() if page.url.endswith("/hang"))
            assert page.marks["unrendered"]
            assert [link.type for link in web.store.links_from(page.id)] == ["a"]


def test_a_killed_crawl_leaves_no_browser_and_loses_nothing(tmp_path: Path) -> None:
    need_browser()
    with serve_scripts() as site:
        command = [
            *GOSSAMER,
            "crawl",
            f"{site.url}/",
            "--web",
            str(tmp_path / "web"),
            "--allow-private",
            "127.0.0.2/32",
        ]
        command += ["--delay", "0", "--render", "always"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            wait_until(lambda: any(path == "/api/shell/1" for _, path, _ in site.requests))
            folders = _list_browsers(running.pid)
            assert folders
            running.send_signal(signal.SIGKILL)
        wait_until(lambda: not _list_browsers(running.pid))
        wait_until(lambda: not any(one.exists() for one in folders))
        ran = subprocess.run(
            [*GOSSAMER, "resume", "--web", str(tmp_path / "web"), "--json"],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        with Web(tmp_path / "web") as web:
            pages = [page.url for page in web.store.pages() if page.kind == "html" and page.status == 200]
            assert len(pages) == len(set(pages)) == 13
    assert not list(Path(os.environ.get("TMPDIR", "/tmp")).glob(f"gossamer-browser-{running.pid}-*"))  # noqa: S108


@pytest.mark.parametrize("path", ["/nowhere/chromium", "README.md", "src"])
def test_a_wrong_browser_is_refused_before_the_crawl_begins(tmp_path: Path, path: str) -> None:
    ran = subprocess.run(
        [*GOSSAMER, "crawl", "http://127.0.0.2:9/", "--web", str(tmp_path / "web"), "--render", "auto", "--browser", path],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "browser" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "web").exists()


def test_a_browser_that_is_removed_during_the_crawl_costs_no_page(tmp_path: Path) -> None:
    program, tried = tmp_path / "chromium", tmp_path / "tried"
    program.write_text(
        f'#!/bin/sh\n[ -e "{tried}" ] && exit 1\ntouch "{tried}"\nexec "{need_browser().program}" "$@"\n'
    )
    program.chmod(0o755)
    with serve_scripts() as site:
        more = ["--render", "always", "--browser", str(program), "--pages", "3", "--json"]
        ran = crawl_site(site, tmp_path / "web", *more, start="/article")
        assert ran.returncode == 0, ran.stderr
        assert f"the browser {program} did not start" in ran.stderr + ran.stdout
        with Web(tmp_path / "web") as web:
            assert [page.url for page in web.store.pages()] == [f"{site.url}/article"]
            assert json.loads(json.dumps(next(web.store.pages()).marks))["unrendered"]
