"""The time left follows from limits, the pace and the longest queue."""

from typing import Any

import pytest
from tests.unit.cli.crawl.test_live_display import draw, task_with

from gossamer.cli.crawl.crawl_views import LineView
from gossamer.cli.crawl.time_left import LongestQueue, TimeLeft
from gossamer.crawl.events import Progress
from gossamer.crawl.run.background import RunningCrawl


def progress(when_s: float, downloaded: int, queued: int = 0, finished: int = 0) -> Progress:
    counts = {"downloaded": downloaded, "queued": queued, "finished": finished}
    return Progress(when_s, {"docs": counts}, {}, 1.0, 0.0)


def describe(*events: Progress, queue: LongestQueue | None = None, **limits: Any) -> str:
    left = TimeLeft()
    for event in events:
        left.add(event)
    return left.describe([task_with(**limits)], queue or LongestQueue())


def test_a_time_limit_is_exact() -> None:
    assert describe(progress(130.0, 20), time_s=90) == "at most 1:00, the time limit"
    assert describe(progress(300.0, 20), time_s=90) == "at most 0:00, the time limit"


def test_pages_up_to_the_limit_take_their_pace() -> None:
    # the task has 20 pages of 50; two a second were fetched
    events = [progress(100.0, 0), progress(110.0, 20)]
    assert describe(*events, pages=50) == "at most 0:15 at this pace, for 30 pages up to the limit"
    assert describe(*events, pages=50, time_s=17) == "at most 0:07, the time limit", (
        "the limit that comes first"
    )
    assert describe(events[0], pages=50) == "", "no pace yet"


def test_without_a_limit_what_waits_counts() -> None:
    events = [progress(100.0, 0, queued=10), progress(110.0, 5, queued=70, finished=10)]
    text = "for what waits now; links found meanwhile add to it"
    assert describe(*events) == f"about 1:00 {text}", "60 at one a second"
    slow = LongestQueue(50, 5.0)
    assert describe(*events, queue=slow) == f"about 4:10 {text}", (
        "one host has 50 of them, and a pause of 5 s"
    )
    assert describe(events[0], queue=slow) == f"about 4:10 {text}", "before there is a pace"
    assert describe(progress(100.0, 0), progress(110.0, 0)) == ""


def test_the_pace_is_that_of_the_last_minute() -> None:
    events = [progress(0.0, 0), progress(100.0, 1000), progress(160.0, 1060)]
    assert describe(*events, pages=50) == "at most 0:30 at this pace, for 30 pages up to the limit"


def test_nothing_is_said_before_the_first_progress() -> None:
    assert TimeLeft().describe([task_with(time_s=9)]) == ""


def test_the_display_shows_it() -> None:
    shown = draw(progress(130.0, 20), tasks=[task_with(time_s=90)])
    assert "time left     at most 1:00, the time limit" in shown


def test_a_line_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    view = LineView()
    view.attach(RunningCrawl(None, [task_with(time_s=90)]))  # type: ignore[arg-type]
    view.show_event(progress(130.0, 20))
    assert capsys.readouterr().out.endswith("; time left: at most 1:00, the time limit\n")
