"""Tasks are listed, stopped, paused, changed and given start pages, whether they run or not."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.cli.programs import Program, crawling

from gossamer.cli import main
from gossamer.cli.crawl.crawl_views import summarise
from gossamer.crawl.control.mailbox import Change, Continue, Mailbox, Stop, Submit, is_running
from gossamer.crawl.events import TaskEnded
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import Running
from gossamer.store.batch import Batch
from gossamer.store.lock import Lock
from gossamer.web import Web


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main.run_verb([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_orders_are_kept_until_they_are_carried_out(tmp_path: Path) -> None:
    teller, hearer = Mailbox(tmp_path), Mailbox(tmp_path)
    assert hearer.read_new() == []
    teller.append(Stop(1, pause=True))
    teller.append(Submit(2, ("http://a.example/",)))
    assert hearer.read_new() == [Stop(1, pause=True), Submit(2, ("http://a.example/",))]
    assert hearer.read_new() == []
    teller.append(Change(1, {"pages": 5}))
    assert hearer.read_new() == [Change(1, {"pages": 5})]
    assert Mailbox(tmp_path).read_new() != []  # whoever comes after a kill hears all of it once more
    teller.append(Continue(1))
    hearer.forget({1})
    assert Mailbox(tmp_path).read_new() == [Submit(2, ("http://a.example/",)), Continue(1)]
    assert hearer.read_new() == [Continue(1)]


def test_lines_that_are_no_orders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "control").write_bytes(
        b'\xff\n{"order": "dance", "task": 1}\n[]\n\n{"order": "stop", "task": 3}\n{"ord'
    )
    mailbox = Mailbox(tmp_path)
    assert mailbox.read_new() == [Stop(3)]
    with (tmp_path / "control").open("ab") as file:
        file.write(b'er": "continue", "task": 4}\n')
    assert mailbox.read_new() == [Continue(4)]


def test_a_lock_tells_that_a_crawl_is_running(tmp_path: Path) -> None:
    assert not is_running(tmp_path)
    with Lock(tmp_path):
        assert is_running(tmp_path)
    assert not is_running(tmp_path)


def test_tasks_are_listed(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(capsys, "tasks", "--web", web)
    assert "all" in shown
    assert "nothing left to fetch" in shown
    [told] = map(json.loads, said(capsys, "tasks", "--web", web, "--json").splitlines())
    assert (told["name"], told["state"], told["active"]) == ("all", "finished", False)
    assert told["counts"]["downloaded"] > 10
    assert told["spec"]["scope"] == "any"


def test_a_task_whose_process_died_is_told_from_one_that_runs(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(web) as opened:
        [note] = opened.tasks()
        opened.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="running", reason="")]))
    assert "left" in said(capsys, "tasks", "--web", web)
    with Lock(web):
        assert "running" in said(capsys, "tasks", "--web", web)
    said(capsys, "stop", "--web", web)
    with Web(web) as opened:
        assert (opened.tasks()[0].state, opened.tasks()[0].reason) == ("stopped", "stopped by a person")
    assert said(capsys, "stop", "--web", web) == f"No task of the web at {web} is running.\n"


def test_options_of_a_finished_task_change_and_let_it_go_on(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "change", "all", "--pages", "500", "--exclude", "/calendar/", "--web", web)
    [told] = map(json.loads, said(capsys, "tasks", "--web", web, "--json").splitlines())
    assert told["spec"]["limits"]["pages"] == 500
    assert told["spec"]["filters"]["exclude"] == ["/calendar/"]
    assert told["spec"]["scope"] == "any"
    assert (told["state"], told["reason"]) == ("stopped", "its options were changed")


def test_what_was_told_before_a_kill_does_not_undo_what_is_told_after(
    lab: Running, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mailbox = Mailbox(web)
    page = lab.seeds[0] + "submitted/"
    for order in (Change(1, {"pages": 5, "depth": 4}), Submit(1, (page,)), Stop(1), Change(2, {"pages": 7})):
        mailbox.append(order)
    said(capsys, "change", "all", "--pages", "500", "--web", web)
    [told] = map(json.loads, said(capsys, "tasks", "--web", web, "--json").splitlines())
    assert (told["spec"]["limits"]["pages"], told["spec"]["limits"]["depth"]) == (500, 4)
    assert Mailbox(web).read_new() == [Change(2, {"pages": 7}), Submit(1, (page,))]


def test_start_pages_are_submitted_to_a_web_that_nobody_crawls(
    lab: Running, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = lab.seeds[0] + "submitted/"
    said(capsys, "submit", page, "--web", web)
    said(capsys, "resume", "--web", web)
    [told] = json.loads(said(capsys, "explain", page, "--web", web, "--json"))["tasks"]
    assert (told["verdict"], told["start_page"], told["tries"]) == ("failed", True, 1)
    assert not (web / "control").read_bytes()
    assert "Nothing is left to do" in said(capsys, "resume", "--web", web)


def test_what_a_limit_or_a_stop_left_is_pointed_out(
    lab: Running, quick: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "web"
    shown = said(capsys, "crawl", lab.seeds[0], *quick, "--pages", "1", "--web", web)
    assert f"{web} holds 1 page and " in shown
    assert "gossamer resume" not in shown
    assert "pages more would be fetched if `gossamer change TASK`" in said(capsys, "resume", "--web", web)
    with Web(web) as opened:
        [note] = opened.tasks()
        summarise(opened, [TaskEnded(0.0, note.name, "stopped", "stopped by a person", note.counts)])
    assert f"`gossamer resume --web {web}` goes on" in capsys.readouterr().out


# While a crawl is running


def state(web: Path, name: str = "docs") -> dict[str, object]:
    with Web(web, create=False) as opened:
        note = opened.task(name)
        return {"state": note.state, "reason": note.reason, "counts": note.counts}


@pytest.mark.slow
def test_a_running_task_is_stopped(lab: Running, quick: list[str], program: Program, tmp_path: Path) -> None:
    web = tmp_path / "web"
    with crawling(lab.seeds[0], *quick, "--delay", "0.5", "--name", "docs", "--web", web) as process:
        ended = program("stop", "docs", "--web", web)
        assert ended.returncode == 0, ended.stderr
        assert state(web)["state"] == "stopped"
        assert process.wait(30) == 0
    assert state(web)["reason"] == "stopped by a person"


@pytest.mark.slow
def test_a_running_task_gets_other_limits_and_more_start_pages(
    lab: Running, quick: list[str], program: Program, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    page = lab.seeds[0] + "submitted/"
    with crawling(lab.seeds[0], *quick, "--delay", "2", "--name", "docs", "--web", web) as process:
        ended = program("submit", page, "--web", web)
        assert ended.returncode == 0, ended.stderr
        ended = program("change", "docs", "--delay", "0.01", "--pages", "9", "--web", web)
        assert ended.returncode == 0, ended.stderr
        assert process.wait(30) == 0
    told = state(web)
    assert told["reason"] == "limit reached: 9 pages"
    [visits] = json.loads(program("explain", page, "--web", web, "--json").stdout)["tasks"]
    assert visits["start_page"]


@pytest.mark.slow
def test_one_of_two_running_tasks_pauses_and_goes_on(lab: Running, program: Program, tmp_path: Path) -> None:
    """Nothing of the paused task is asked for; what it then fetches, it fetches once."""
    web = tmp_path / "web"
    usual: dict[str, Any] = {"scope": "any", "allow_private": ["127.0.0.0/8"], "per_address": False}
    with Web(web) as opened:
        one = Task(seeds=lab.seeds[:1], name="docs", delay_s=1.5, **usual)
        other = Task(seeds=lab.seeds[:1], name="other", delay_s=1.5, **usual)
        running = opened.start(one, other)
        wait_until(lambda: running.tasks[0].tally["downloaded"] > 1)
        assert program("stop", "docs", "--pause", "--web", web).returncode == 0
        paused = state(web)
        assert (paused["state"], paused["reason"]) == ("paused", "paused by a person")
        time.sleep(1.5)
        assert state(web)["counts"] == paused["counts"]
        assert program("resume", "docs", "--web", web).returncode == 0
        assert program("change", "docs", "--delay", "0", "--web", web).returncode == 0
        assert program("change", "other", "--delay", "0", "--web", web).returncode == 0
        running.wait(60)
        assert {note.reason for note in opened.tasks()} == {"nothing left to fetch"}
        visits = [visit for visit in opened.store.all_visits() if visit.result == "fetched"]
        assert len({(visit.page, visit.task) for visit in visits}) == len(visits)


def wait_until(is_true: Callable[[], bool]) -> None:
    """Wait for something that takes well under a second; give up only when it must be hanging."""
    until_s = time.monotonic() + 120
    while not is_true():
        assert time.monotonic() < until_s
        time.sleep(0.1)
