"""A short soak: browsers and the crawl are killed among hostile pages, and what judges a soak notices what is wrong."""

from pathlib import Path

import pytest
from tests.rendering.harness import need_browser
from tests.rendering.process_watch import list_browser_folders, list_folders
from tests.rendering.soak import Watched, find_losses, is_whole, judge_memory, main

from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.web import Web


@pytest.mark.slow
def test_kills_lose_nothing_and_leave_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    need_browser()
    assert main(60, 3) == 0, capsys.readouterr().out
    assert "nothing was lost" in capsys.readouterr().out


def test_memory_that_grows_is_a_fault() -> None:
    assert judge_memory(Watched(crawl_mb=[50, 60, 61] * 9, browsers_mb=[0, 900, 800] * 9)) == []
    grown = judge_memory(Watched(crawl_mb=list(range(50, 410)), browsers_mb=[900]))
    assert grown == ["the crawl grew from 289 to 409 MB"]
    assert judge_memory(Watched(crawl_mb=[50], browsers_mb=[500] * 1_000 + [900] * 500)) == [
        "the browsers grew from 500 to 900 MB"
    ]
    # In a short soak, browsers are young at first, and kills keep them so.
    assert judge_memory(Watched(crawl_mb=[50], browsers_mb=[500] * 20 + [900] * 10)) == []
    assert judge_memory(Watched(crawl_mb=[50], browsers_mb=[3_500] * 3)) == ["the browsers took 3500 MB"]


def test_pages_that_a_web_lacks_are_a_fault(tmp_path: Path) -> None:
    with serving(World(hosts=1, pages=10, languages=("en",))) as running:
        Web(tmp_path / "web", create=True).close()
        assert any(
            fault.startswith("10 pages are missing") for fault in find_losses(running, tmp_path / "web")
        )


def test_pages_that_were_taken_at_the_limit_may_lack_links() -> None:
    assert is_whole({"rendered": "--render always"})
    assert not is_whole({"rendered": "--render always; it was not quiet in time"})
    assert not is_whole({"unrendered": "the page crashed in the browser"})


def test_folders_of_browsers_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert list_folders([1]) == set()
    (tmp_path / "gossamer-browser-1-x").mkdir()
    (tmp_path / "gossamer-browser-12-x").mkdir()
    assert list_folders([1]) == {str(tmp_path / "gossamer-browser-1-x")}
    assert all("gossamer-browser-" in one for one in list_browser_folders())
