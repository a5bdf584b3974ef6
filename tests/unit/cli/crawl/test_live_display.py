"""The live display shows speed, hosts, results and limits, on wide and narrow terminals."""

import re
from collections import Counter
from io import StringIO
from typing import Any

from rich.console import Console
from tests.unit.cli.crawl.samples import COUNTS, HOSTS

from gossamer.cli.crawl.live_display import LiveDisplay, list_facts, list_limits
from gossamer.crawl.events import Notice, PageVisited, Progress, TrapFound
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.store.batch import TaskNote


def task_with(**options: Any) -> RunningTask:
    note = TaskNote(1, "docs", b"", counts={"downloaded": 20, "bytes": 1000})
    return RunningTask(
        note,
        Task(seeds=["http://a.example/"], **options),
        ("http://a.example/",),
        SeenSet(),
        TrapDetector(),
        100.0,
    )


def test_progress_is_shown_against_each_limit() -> None:
    limits = list_limits(task_with(pages=50, time_s=60, body_bytes=4000), 130.0)
    assert [text for _, _, text in limits] == ["20 of 50 pages", "1.0 kB of 4.0 kB", "0:30 of 1:00"]
    assert list_limits(task_with(), 130.0) == []
    assert list_limits(task_with(pages=1), 130.0)[0][2] == "20 of 1 page"


def draw(*events: object, tasks: list[RunningTask]) -> str:
    screen = StringIO()
    with LiveDisplay(
        Console(file=screen, force_terminal=True, width=120), "Crawling", lambda: {1: 7, 2: 3}
    ) as display:
        display.attach(tasks)
        for event in events:
            display.show_event(event)
            if display._counting:
                display._counting.join()
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())


def test_the_display_shows_speed_hosts_outcomes_and_limits() -> None:
    shown = draw(
        PageVisited(1.0, "docs", "http://a.example/[bold]x", "fetched", depth=2),
        Progress(10.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0),
        Progress(11.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0),
        TrapFound(2.0, "docs", "near copies", "http://a.example/cal/#"),
        Notice(2.0, "The disk is full"),
        tasks=[task_with(pages=50)],
    )
    for text in (
        "20 · 12/s",
        "1.2 MB · 3.4 MB/s",
        "2 busy · 1 ready · 30 waiting · 1 dead",
        "10 of 40 queued",
        "1 at depth 2",
        "7 at depth 1 · 3 at depth 2",
        "2 redirected · 3 failed: 404 · 1 failed: timeout · 4 refused: robots",
        "7 scope · 3 no_calendar",
        "20 of 50 pages",
        "http://a.example/[bold]x",
        "near copies",
        "The disk is full",
    ):
        assert text in shown


def test_labels_are_kept_on_a_narrow_terminal() -> None:
    screen = StringIO()
    with LiveDisplay(Console(file=screen, force_terminal=True, width=60), "Crawling", dict) as display:
        display.show_event(Progress(1.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0))
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert "trouble       2 redirected" in shown
    assert all(len(line) <= 60 for line in shown.splitlines())
    assert re.search(r"trouble .*…\n", shown), "text that does not fit ends with an ellipsis"
    assert re.search(r"\nlast +\n\r", shown), "the terminal prints ^C on a line of its own"


def test_empty_facts_are_left_out() -> None:
    names = [name for name, _ in list_facts(Progress(0.0, {}, HOSTS, 0.0, 0.0), Counter(), {}, {})]
    assert names == ["pages", "bytes", "hosts", "waiting"]
