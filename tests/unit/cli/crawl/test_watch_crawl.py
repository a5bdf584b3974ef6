"""What a person sees of a crawl: a live display, lines or events; how it is stopped; how it ends."""

import asyncio
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, get_args
from unittest.mock import ANY

import pytest
from rich.console import Console
from tests.unit.cli.programs import PROGRAM, Program, crawling

from gossamer.cli.crawl import watch_crawl
from gossamer.cli.crawl.crawl_views import Lines
from gossamer.cli.crawl.live_display import LiveDisplay, facts_of, limits_of
from gossamer.cli.crawl.watch_crawl import JsonLines
from gossamer.cli.output import wording
from gossamer.crawl.events import Notice, PageVisited, Progress, TrapFound
from gossamer.crawl.run import assemble
from gossamer.crawl.run.background import RunningCrawl
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.lab.server.serve_world import Running
from gossamer.records import FailureCause, RefusalCause
from gossamer.store.batch import TaskNote
from gossamer.web import Web

COUNTS = {
    "checked": 100,
    "queued": 40,
    "seen": 50,
    "filtered:scope": 7,
    "filtered:no_calendar": 3,
    "downloaded": 20,
    "redirected": 2,
    "refused:robots": 4,
    "failed:404": 3,
    "failed:timeout": 1,
    "finished": 30,
    "bytes": 1_234_567,
    "elapsed_ms": 5,
}
HOSTS = {"busy": 2, "ready": 1, "waiting": 30, "dead": 1}


def test_counts_are_named_in_words_and_add_up() -> None:
    told = dict(wording.list_counts(COUNTS))
    assert told["pages fetched"] == 20
    assert told["refused: robots.txt forbids it"] == 4
    assert told["failed: the server says 404"] == 3
    assert told["failed: no answer in time"] == 1
    assert told["  not followed: outside the task's scope"] == 7
    assert told["  not followed: by 'no_calendar'"] == 3
    assert told["still waiting"] == 10
    assert not {"finished", "elapsed_ms"} & told.keys()


def test_events_are_written_in_order_and_none_is_left_behind(capsys: pytest.CaptureFixture[str]) -> None:
    view = JsonLines()
    pages = [PageVisited(100 + when_s, "t", f"http://a/{when_s}", "fetched") for when_s in (0, 0.01, 0.02)]
    with view.shown():
        view.hear(pages[0])
        assert capsys.readouterr().out.count("\n") == 1  # nobody waits for the first one
        view.hear(pages[1])
        view.hear(Notice(100.015, "a notice"))
        heard = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [event["event"] for event in heard] == ["page", "notice"]
        view.hear(pages[2])
    assert json.loads(capsys.readouterr().out)["url"] == pages[2].url


def test_a_crawl_with_json_output_loads_nothing_that_only_a_display_needs() -> None:
    program = f"import sys, {watch_crawl.__name__}, {assemble.__name__}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert watch_crawl.__name__ in loaded
    assert not {"rich", "aiodns", "numpy", "publicsuffixlist", "turbohtml"} & loaded


def test_every_rule_and_cause_of_the_crawl_has_words() -> None:
    for cause in (*get_args(FailureCause), *get_args(RefusalCause)):
        assert cause in wording.CAUSES or cause in wording.RULES


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2.5e9, "2.5 GB"), (3e15, "3000.0 TB")]
)
def test_bytes_in_words(number: float, said: str) -> None:
    assert wording.format_bytes(number) == said


def test_times_in_words() -> None:
    assert [wording.format_duration(seconds) for seconds in (0, 59.9, 61, 3723)] == [
        "0:00",
        "0:59",
        "1:01",
        "1:02:03",
    ]


def test_one_is_not_called_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert [wording.format_count(number, "page") for number in (0, 1, 2000)] == [
        "0 pages",
        "1 page",
        "2,000 pages",
    ]
    Lines().hear(Progress(10.0, {"docs": {"downloaded": 1}}, {"busy": 1, "waiting": 2}, 1.0, 0.0))
    assert capsys.readouterr().out == "1 page, 1/s, 0 B/s, 0 waiting, 1 host busy, 2 hosts waiting\n"
    assert limits_of(task_with(pages=1), 130.0)[0][2] == "20 of 1 page"


def task_with(**told: Any) -> RunningTask:
    note = TaskNote(1, "docs", b"", counts={"downloaded": 20, "bytes": 1000})
    return RunningTask(
        note,
        Task(seeds=["http://a.example/"], **told),
        ("http://a.example/",),
        SeenSet(),
        TrapDetector(),
        100.0,
    )


def test_progress_is_told_against_each_limit() -> None:
    limits = limits_of(task_with(pages=50, time_s=60, body_bytes=4000), 130.0)
    assert [said for _, _, said in limits] == ["20 of 50 pages", "1.0 kB of 4.0 kB", "0:30 of 1:00"]
    assert limits_of(task_with(), 130.0) == []


def drawn(*events: object, tasks: list[RunningTask]) -> str:
    screen = StringIO()
    with LiveDisplay(
        Console(file=screen, force_terminal=True, width=120), "Crawling", lambda: {1: 7, 2: 3}
    ) as display:
        display.follow(tasks)
        for event in events:
            display.hear(event)
            if display._counting:
                display._counting.join()
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())


def test_the_display_shows_speed_hosts_outcomes_and_limits() -> None:
    shown = drawn(
        PageVisited(1.0, "docs", "http://a.example/[bold]x", "fetched", depth=2),
        Progress(10.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0),
        Progress(11.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0),
        TrapFound(2.0, "docs", "near copies", "http://a.example/cal/#"),
        Notice(2.0, "The disk is full"),
        tasks=[task_with(pages=50)],
    )
    for said in (
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
        assert said in shown


def test_names_stay_when_the_terminal_is_narrow() -> None:
    screen = StringIO()
    with LiveDisplay(Console(file=screen, force_terminal=True, width=60), "Crawling", dict) as display:
        display.hear(Progress(1.0, {"docs": COUNTS}, HOSTS, 12.0, 3_400_000.0))
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert "trouble       2 redirected" in shown
    assert all(len(line) <= 60 for line in shown.splitlines())
    assert re.search(r"trouble .*…\n", shown), "what does not fit is said to go on"
    assert re.search(r"\nlast +\n\r", shown), (
        "what the terminal writes behind the picture starts a line of its own"
    )


def test_facts_that_are_none_are_left_out() -> None:
    names = [name for name, _ in facts_of(Progress(0.0, {}, HOSTS, 0.0, 0.0), Counter(), {}, {})]
    assert names == ["pages", "bytes", "hosts", "waiting"]


# The whole program


def events(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.slow
def test_a_crawl_tells_lines_and_a_summary_and_exits_0(
    lab: Running, quick: list[str], program: Program, tmp_path: Path
) -> None:
    ended = program("crawl", lab.seeds[0], *quick, "--web", tmp_path / "web", "--name", "docs")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "docs: finished, nothing left to fetch" in ended.stdout
    assert "pages fetched" in ended.stdout
    assert "failed: the server says 404" in ended.stdout
    assert "\x1b" not in ended.stdout


@pytest.mark.slow
def test_json_gives_one_event_a_line(
    lab: Running, quick: list[str], program: Program, tmp_path: Path
) -> None:
    ended = program("crawl", lab.seeds[0], *quick, "--web", tmp_path / "web", "--json")
    told = events(ended.stdout)
    assert told[-1]["event"] == "end"
    counts = told[-1]["counts"]
    assert isinstance(counts, dict)
    assert sum(one["event"] == "page" and one["result"] == "fetched" for one in told) == counts["downloaded"]


@pytest.mark.slow
def test_a_crawl_that_gets_no_page_at_all_exits_1(program: Program, tmp_path: Path) -> None:
    ended = program("crawl", "http://127.0.0.1:9/", "--web", tmp_path / "web", "--json")
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert "could fetch no page: its address is not public" in ended.stderr


@pytest.mark.slow
def test_a_terminal_gets_a_display_that_goes_away_and_a_summary(
    lab: Running, quick: list[str], tmp_path: Path
) -> None:
    command = [*PROGRAM, "crawl", lab.seeds[0], *quick, "--delay", "0.3", "--pages", "9"]
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(
        [*command, "--web", str(tmp_path / "web")], stdout=side, stderr=side, stdin=side, env=environment
    )
    os.close(side)
    shown = read_all(main)
    assert process.wait(30) == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
    assert "Crawling into" in plain
    assert "of 9 pages" in plain
    assert "hosts" in plain
    assert "limit reached: 9 pages" in plain


def read_all(descriptor: int) -> str:
    shown = bytearray()
    while True:
        try:
            piece = os.read(descriptor, 65_536)
        except OSError:  # the other side is gone
            break
        if not piece:
            break
        shown += piece
    os.close(descriptor)
    return shown.decode("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_cleanly_and_resume_finishes(
    lab: Running, quick: list[str], program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    web = tmp_path / "web"
    with crawling(lab.seeds[0], *quick, "--delay", "0.3", "--name", "docs", "--web", web) as process:
        process.send_signal(number)
        out, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Ctrl-C once more stops at once" in said
    assert events(out)[-1]["reason"] == "stopped by a signal"
    with Web(web) as opened:
        [note] = opened.tasks()
        assert note.state == "stopped"
        assert note.counts["downloaded"] == opened.store.counts()["pages"]
    ended = program("change", "docs", "--delay", "0", "--web", web)
    assert ended.returncode == 0, ended.stderr
    ended = program("resume", "--web", web)
    assert ended.returncode == 0, ended.stderr
    assert "docs: finished, nothing left to fetch" in ended.stdout


class Deaf:
    """A crawl out of whose steps no exception leads, as none leads out of libcurl's callbacks."""

    stopped = ""

    def stop(self, why: str) -> None:
        self.stopped = why

    async def run(self) -> None:
        for _ in range(2):
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)


def test_no_step_of_a_crawl_can_swallow_a_signal() -> None:
    before, said = signal.getsignal(signal.SIGINT), list[str]()
    deaf = Deaf()
    under_way = RunningCrawl(deaf, ())
    with pytest.raises(KeyboardInterrupt), watch_crawl._Stopping(said.append) as stopping:  # noqa: PT012
        stopping.use(under_way)
        asyncio.run(under_way.run())
    assert deaf.stopped == "stopped by a signal"
    assert len(said) == 2
    assert said[1] == "Stopped at once. `gossamer resume` goes on."
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_the_second_signal_stops_at_once_and_harms_nothing(program: Program, tmp_path: Path) -> None:
    """The first one waits for a server that never answers; the second does not."""
    web = tmp_path / "web"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        page = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with crawling(page, "--allow-private", "127.0.0.1", "--no-robots", "--web", web) as process:
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert "Ctrl-C once more stops at once" in process.stderr.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, "gossamer: Stopped at once. `gossamer resume` goes on.\n")
    [told] = events(program("tasks", "--web", web, "--json").stdout)
    assert told["counts"] == {"checked": 1, "queued": 1, "seen": 0, "elapsed_ms": ANY}
