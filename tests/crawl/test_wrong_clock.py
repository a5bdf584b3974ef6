"""Webs with times of a clock that was ahead: the crawl says so once, and goes on."""

import itertools
import time
from pathlib import Path

import pytest
from tests.crawl.harness import Pages, Toy, make_link_page, make_quick_task, run

from gossamer.crawl.run import assemble_crawl
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.web import Web

HOST = "127.0.0.1"
YEAR_S = 365 * 86_400.0
PAGES: Pages = {
    HOST: {"/": make_link_page("/a", "/b"), "/a": make_link_page(text="a"), "/b": make_link_page(text="b")}
}
WRONG = "the clock of this machine was wrong, or is now"


def crawl_ahead(folder: Path, task: Task, ahead_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crawl with a clock that is ahead."""
    with monkeypatch.context() as patch:
        patch.setattr(assemble_crawl, "steady_clock", lambda: lambda: time.time() + ahead_s)
        run(folder, task)


def count_requests(running: LabServer, target: str) -> int:
    return [entry.target for entry in running.log.entries()].count(target)


@pytest.mark.parametrize("ahead_s", [YEAR_S, 43_200.0])
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.slow
def test_a_crawl_goes_on_after_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead_s: float, processes: int
) -> None:
    with serving(Toy(PAGES)) as running:
        task = make_quick_task(running, seeds=[running.url(HOST)], pages=1, delay_s=0.3)
        crawl_ahead(tmp_path / "web", task, ahead_s, monkeypatch)
        began_s = time.monotonic()
        events = run(tmp_path / "web", again=True, processes=processes, pages=0)
        assert time.monotonic() - began_s < 60.0  # it took a day
        assert events.get_end().counts["downloaded"] == 3
        assert sum(WRONG in text for text in events.notices) == 1
        # Its age is not known, so robots.txt was fetched again, and before the pages.
        assert [entry.target for entry in running.log.entries()][2] == "/robots.txt"
        assert count_requests(running, "/robots.txt") == 2
        arrivals = [entry.arrived_s for entry in running.log.entries()]
        assert all(after - before >= 0.299 for before, after in itertools.pairwise(arrivals[2:]))
        with Web(tmp_path / "web") as web:
            note = web.store.host(f"{HOST}:{running.port}")
        assert note is not None
        assert max(note.robots_s, note.ready_s) < time.time() + 60.0


@pytest.mark.slow
def test_a_clock_that_is_right_is_not_reported(tmp_path: Path) -> None:
    with serving(Toy(PAGES)) as running:
        task = make_quick_task(running, seeds=[running.url(HOST)], pages=1, delay_s=0.3)
        run(tmp_path / "web", task)
        events = run(tmp_path / "web", again=True, pages=0)
        assert events.get_end().counts["downloaded"] == 3
        assert events.notices == []
        assert count_requests(running, "/robots.txt") == 1


@pytest.mark.slow
def test_a_copy_from_the_future_is_not_young(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Toy(PAGES)) as running, monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda real=time.time: real() + YEAR_S)
        run(tmp_path / "web", make_quick_task(running, seeds=[running.url(HOST)]))
        patch.undo()
        young = make_quick_task(running, seeds=[running.url(HOST)], max_age_s=3600.0, name="young")
        counts = run(tmp_path / "web", young).get_end().counts
        assert (counts["downloaded"], counts.get("cache hits", 0)) == (3, 0)
        again = make_quick_task(running, seeds=[running.url(HOST)], max_age_s=3600.0, name="again")
        counts = run(tmp_path / "web", again).get_end().counts
        assert (counts.get("downloaded", 0), counts["cache hits"]) == (0, 3)
