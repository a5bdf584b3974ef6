"""The output of a crawl, its end, and how signals stop it."""

import asyncio
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import ANY

import pytest
from tests.unit.cli.programs import PROGRAM, Program, crawling

from gossamer.cli.crawl import watch_crawl
from gossamer.cli.crawl.watch_crawl import JsonView
from gossamer.crawl.events import Notice, PageVisited
from gossamer.crawl.run import assemble_crawl
from gossamer.crawl.run.background import RunningCrawl
from gossamer.lab.server.serve_world import LabServer
from gossamer.web import Web


def test_events_are_written_in_order_and_none_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    view = JsonView()
    pages = [PageVisited(100 + when_s, "t", f"http://a/{when_s}", "fetched") for when_s in (0, 0.01, 0.02)]
    with view.open():
        view.show_event(pages[0])
        assert capsys.readouterr().out.count("\n") == 1  # the first event is written at once
        view.show_event(pages[1])
        view.show_event(Notice(100.015, "a notice"))
        written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [event["event"] for event in written] == ["page", "notice"]
        view.show_event(pages[2])
    assert json.loads(capsys.readouterr().out)["url"] == pages[2].url


def test_a_crawl_with_json_output_loads_nothing_that_only_a_display_needs() -> None:
    program = f"import sys, {watch_crawl.__name__}, {assemble_crawl.__name__}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert watch_crawl.__name__ in loaded
    assert not {"rich", "aiodns", "numpy", "publicsuffixlist", "turbohtml"} & loaded


# The whole program


def events(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.slow
def test_a_crawl_prints_a_summary_and_exits_0(
    lab: LabServer, quick: list[str], program: Program, tmp_path: Path
) -> None:
    ended = program("crawl", lab.seeds[0], *quick, "--web", tmp_path / "web", "--name", "docs")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "docs: finished, nothing left to fetch" in ended.stdout
    assert "pages fetched" in ended.stdout
    assert "failed: the server answered 404" in ended.stdout
    assert "\x1b" not in ended.stdout


@pytest.mark.slow
def test_json_gives_one_event_a_line(
    lab: LabServer, quick: list[str], program: Program, tmp_path: Path
) -> None:
    ended = program("crawl", lab.seeds[0], *quick, "--web", tmp_path / "web", "--json")
    records = events(ended.stdout)
    assert records[-1]["event"] == "end"
    counts = records[-1]["counts"]
    assert isinstance(counts, dict)
    assert (
        sum(one["event"] == "page" and one["result"] == "fetched" for one in records) == counts["downloaded"]
    )


@pytest.mark.slow
def test_a_crawl_that_gets_no_page_at_all_exits_1(program: Program, tmp_path: Path) -> None:
    ended = program("crawl", "http://127.0.0.1:9/", "--web", tmp_path / "web", "--json")
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert "could not fetch any page: its address is not public" in ended.stderr


@pytest.mark.slow
def test_a_terminal_shows_a_display_and_then_a_summary(
    lab: LabServer, quick: list[str], tmp_path: Path
) -> None:
    command = [*PROGRAM, "crawl", lab.seeds[0], *quick, "--delay", "0.3", "--pages", "9"]
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(
        [*command, "--web", str(tmp_path / "web")], stdout=side, stderr=side, stdin=side, env=environment
    )
    os.close(side)
    shown = read_all(main)
    assert process.wait(300) == 0
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
    lab: LabServer, quick: list[str], program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    web = tmp_path / "web"
    with crawling(lab.seeds[0], *quick, "--delay", "0.3", "--name", "docs", "--web", web) as process:
        process.send_signal(number)
        out, said = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "Press Ctrl-C again to stop at once" in said
    names = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
    assert events(out)[-1]["reason"] == f"stopped by {names[number]}"
    with Web(web) as opened:
        [note] = opened.tasks()
        assert note.state == "stopped"
        assert note.counts["downloaded"] == opened.store.counts()["pages"]
    ended = program("change", "docs", "--delay", "0", "--web", web)
    assert ended.returncode == 0, ended.stderr
    ended = program("resume", "--web", web)
    assert ended.returncode == 0, ended.stderr
    assert "docs: finished, nothing left to fetch" in ended.stdout


class SwallowingCrawl:
    """A crawl whose steps swallow KeyboardInterrupt, as callbacks of libcurl do."""

    stopped = ""

    def stop(self, why: str) -> None:
        self.stopped = why

    async def run(self) -> None:
        for _ in range(2):
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)


def test_a_step_of_a_crawl_cannot_swallow_a_signal() -> None:
    before, said = signal.getsignal(signal.SIGINT), list[str]()
    crawl = SwallowingCrawl()
    under_way = RunningCrawl(crawl, ())
    with pytest.raises(KeyboardInterrupt), watch_crawl.StopSignals(said.append) as signals:  # noqa: PT012
        signals.attach(under_way)
        asyncio.run(under_way.run())
    assert crawl.stopped == "stopped by Ctrl-C"
    assert len(said) == 2
    assert said[1] == "Stopped at once by Ctrl-C. `gossamer resume` continues."
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_the_second_signal_stops_at_once_and_damages_nothing(program: Program, tmp_path: Path) -> None:
    """The first signal waits for a server that never answers; the second does not."""
    web = tmp_path / "web"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        page = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with crawling(page, "--allow-private", "127.0.0.1", "--no-robots", "--web", web) as process:
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert "Press Ctrl-C again to stop at once" in process.stderr.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (
        130,
        "gossamer: Stopped at once by Ctrl-C. `gossamer resume` continues.\n",
    )
    [record] = events(program("tasks", "--web", web, "--json").stdout)
    assert record["counts"] == {"checked": 1, "queued": 1, "seen": 0, "elapsed_ms": ANY}
