"""Tasks are listed, stopped, paused, changed and given start pages, whether they are running or not."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.cli.programs import Program, crawling
from tests.wait_until import wait_until

from gossamer.cli import main
from gossamer.cli.crawl.crawl_views import summarise
from gossamer.crawl.control.command_mailbox import Change, Mailbox, Stop, Submit, Withdraw
from gossamer.crawl.events import TaskEnded
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import LabServer
from gossamer.store.batch import Batch
from gossamer.store.lock import Lock
from gossamer.web import Web


def run_verb(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main.run_verb([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_tasks_are_listed(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_verb(capsys, "tasks", "--web", web)
    assert "all" in shown
    assert "nothing left to fetch" in shown
    [task] = map(json.loads, run_verb(capsys, "tasks", "--web", web, "--json").splitlines())
    assert (task["name"], task["state"], task["active"]) == ("all", "finished", False)
    assert task["counts"]["downloaded"] > 10
    assert task["spec"]["scope"] == "any"


def test_a_task_whose_process_died_is_shown_as_left(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Web(web) as opened:
        [note] = opened.tasks()
        opened.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="running", reason="")]))
    assert "left" in run_verb(capsys, "tasks", "--web", web)
    with Lock(web):
        assert "running" in run_verb(capsys, "tasks", "--web", web)
    run_verb(capsys, "stop", "--web", web)
    with Web(web) as opened:
        assert (opened.tasks()[0].state, opened.tasks()[0].reason) == ("stopped", "stopped by a person")
    assert run_verb(capsys, "stop", "--web", web) == f"No task of the web at {web} is running.\n"


def test_changed_options_let_a_finished_task_continue(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_verb(capsys, "change", "all", "--pages", "500", "--exclude", "/calendar/", "--web", web)
    [task] = map(json.loads, run_verb(capsys, "tasks", "--web", web, "--json").splitlines())
    assert task["spec"]["limits"]["pages"] == 500
    assert task["spec"]["filters"]["exclude"] == ["/calendar/"]
    assert task["spec"]["scope"] == "any"
    assert (task["state"], task["reason"]) == ("stopped", "its options were changed")


def test_orders_from_before_a_kill_do_not_undo_later_ones(
    lab: LabServer, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mailbox = Mailbox(web)
    page = lab.seeds[0] + "submitted/"
    for order in (Change(1, {"pages": 5, "depth": 4}), Submit(1, (page,)), Stop(1), Change(2, {"pages": 7})):
        mailbox.append(order)
    run_verb(capsys, "change", "all", "--pages", "500", "--web", web)
    [task] = map(json.loads, run_verb(capsys, "tasks", "--web", web, "--json").splitlines())
    assert (task["spec"]["limits"]["pages"], task["spec"]["limits"]["depth"]) == (500, 4)
    assert Mailbox(web).read_new() == [Change(2, {"pages": 7}), Submit(1, (page,))]


def test_start_pages_are_submitted_without_a_running_crawl(
    lab: LabServer, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = lab.seeds[0] + "submitted/"
    run_verb(capsys, "submit", page, "--web", web)
    run_verb(capsys, "resume", "--web", web)
    [task] = json.loads(run_verb(capsys, "explain", page, "--web", web, "--json"))["tasks"]
    assert (task["verdict"], task["start_page"], task["tries"]) == ("failed", True, 1)
    assert not (web / "control").read_bytes()
    assert "Nothing to do" in run_verb(capsys, "resume", "--web", web)


def list_states(capsys: pytest.CaptureFixture[str], web: Path) -> dict[str, str]:
    lines = run_verb(capsys, "submit", "--list", "--web", web, "--json").splitlines()
    return {page["url"]: page["state"] for page in map(json.loads, lines)}


def test_submitted_pages_are_listed_with_their_states(
    lab: LabServer, quick: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web, first = tmp_path / "web", lab.seeds[0]
    pages = [lab.seeds[1], first + "missing/", first + "later/"]
    run_verb(capsys, "crawl", first, *quick, "--pages", "1", "--web", web)
    assert "No pages were submitted." in run_verb(capsys, "submit", "--list", "--web", web)
    run_verb(capsys, "submit", *pages, "--web", web)
    assert list_states(capsys, web) == dict.fromkeys(pages, "submitted")
    shown = " ".join(run_verb(capsys, "explain", pages[2], "--web", web).split())
    assert "It is waiting to be fetched. Detail: it was submitted, and no crawl has taken it up yet" in shown
    withdrawn = run_verb(capsys, "submit", "--withdraw", pages[2], "--web", web)
    assert "1 page withdrawn before a crawl had taken it up." in withdrawn
    assert list_states(capsys, web) == dict.fromkeys(pages[:2], "submitted")
    run_verb(capsys, "change", "1", "--pages", "500", "--web", web)
    run_verb(capsys, "resume", "--web", web)
    assert list_states(capsys, web) == {pages[0]: "fetched", pages[1]: "failed"}
    shown = " ".join(run_verb(capsys, "submit", "--list", "--web", web).replace("│", "").split())
    assert "failed: the server answered 404" in shown


def test_a_page_that_a_crawl_has_taken_up_can_be_withdrawn(
    lab: LabServer, quick: list[str], crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web, first = tmp_path / "web", lab.seeds[0]
    with Web(crawled, create=False) as opened:
        pages = [page.url for page in opened.store.pages() if page.depth >= 2][:2]
    run_verb(capsys, "crawl", first, *quick, "--pages", "1", "--web", web)
    run_verb(capsys, "submit", *pages, "--web", web)
    run_verb(capsys, "change", "1", "--pages", "2", "--web", web)
    run_verb(capsys, "resume", "--web", web)
    [first_waiting, *_] = [url for url, state in list_states(capsys, web).items() if state == "waiting"]
    run_verb(capsys, "submit", "--withdraw", first_waiting, "--web", web)
    assert list_states(capsys, web)[first_waiting] == "withdrawn"
    run_verb(capsys, "change", "1", "--pages", "500", "--web", web)
    run_verb(capsys, "resume", "--web", web)
    [task] = json.loads(run_verb(capsys, "explain", first_waiting, "--web", web, "--json"))["tasks"]
    assert (task["verdict"], task["rule"], task["start_page"]) == ("refused", "withdrawn", False)
    assert [visit["result"] for visit in task["visits"]] == ["refused"]
    [other] = set(pages) - {first_waiting}
    assert list_states(capsys, web) == {first_waiting: "withdrawn", other: "fetched"}
    assert main.run_verb(["submit", "--withdraw", other, "--web", str(web)]) == 2
    assert "can no longer be withdrawn: it is fetched" in capsys.readouterr().err


def test_a_crawl_does_not_request_a_page_that_is_withdrawn_while_it_waits(
    lab: LabServer, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, gone = lab.seeds[0] + "kept/", lab.seeds[0] + "gone/"
    run_verb(capsys, "submit", kept, gone, "--web", web)
    Mailbox(web).append(Withdraw(1, (gone,)))  # as if the crawl were running: it reads both orders
    run_verb(capsys, "resume", "--web", web)
    assert list_states(capsys, web) == {kept: "failed", gone: "withdrawn"}
    [task] = json.loads(run_verb(capsys, "explain", gone, "--web", web, "--json"))["tasks"]
    assert (task["verdict"], task["rule"], task["tries"]) == ("refused", "withdrawn", 1)
    assert [visit["status"] for visit in task["visits"]] == [0]
    assert not (web / "control").read_bytes()
    run_verb(capsys, "submit", gone, "--web", web)
    assert list_states(capsys, web) == {kept: "failed", gone: "submitted"}
    run_verb(capsys, "submit", "--withdraw", gone, "--web", web)
    assert list_states(capsys, web)[gone] == "withdrawn"
    run_verb(capsys, "submit", gone, "--web", web)
    run_verb(capsys, "resume", "--web", web)
    assert list_states(capsys, web) == {kept: "failed", gone: "failed"}
    [task] = json.loads(run_verb(capsys, "explain", gone, "--web", web, "--json"))["tasks"]
    assert [visit["result"] for visit in task["visits"]] == ["refused", "failed"]


@pytest.mark.parametrize("processes", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_page_that_was_withdrawn_can_be_submitted_again(
    lab: LabServer,
    quick: list[str],
    crawled: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    processes: str,
) -> None:
    web = tmp_path / "web"
    with Web(crawled, create=False) as opened:
        page = next(page.url for page in opened.store.pages() if page.depth >= 2)
    run_verb(capsys, "crawl", lab.seeds[0], *quick, "--pages", "1", "--depth", "1", "--web", web)
    Mailbox(web).append(Submit(1, (page,)))
    Mailbox(web).append(Withdraw(1, (page,)))
    run_verb(capsys, "change", "1", "--pages", "500", "--web", web)
    resume = ("resume", "--processes", processes, "--web", web)
    run_verb(capsys, *resume)
    assert list_states(capsys, web) == {page: "withdrawn"}
    run_verb(capsys, "submit", page, "--web", web)
    run_verb(capsys, *resume)
    assert list_states(capsys, web) == {page: "fetched"}
    run_verb(capsys, *resume)
    [task] = json.loads(run_verb(capsys, "explain", page, "--web", web, "--json"))["tasks"]
    results = [visit["result"] for visit in task["visits"]]
    # Another process may have read the withdrawal before the request, which then was refused without a visit.
    assert results == ["refused", "fetched"] or (results == ["fetched"] and processes == "2")


def test_a_page_that_is_submitted_again_while_it_waits_is_requested_once(
    lab: LabServer, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = lab.seeds[0] + "again/"
    run_verb(capsys, "submit", page, "--web", web)
    for order in (Withdraw(1, (page,)), Submit(1, (page,))):
        Mailbox(web).append(order)
    run_verb(capsys, "resume", "--web", web)
    assert list_states(capsys, web) == {page: "failed"}
    [task] = json.loads(run_verb(capsys, "explain", page, "--web", web, "--json"))["tasks"]
    assert [visit["result"] for visit in task["visits"]] == ["failed"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--list", "http://a.example/"), "--list takes no pages"),
        ((), "give at least one page"),
        (("--withdraw", "http://a.example/"), "http://a.example/ was not submitted"),
    ],
)
def test_wrong_submissions_get_one_sentence(
    web: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert main.run_verb(["submit", *arguments, "--web", str(web)]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_pages_left_by_a_limit_or_a_stop_are_mentioned(
    lab: LabServer, quick: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "web"
    shown = run_verb(capsys, "crawl", lab.seeds[0], *quick, "--pages", "1", "--web", web)
    assert f"{web} holds 1 page and " in shown
    assert "gossamer resume" not in shown
    assert "Raise a limit with `gossamer change TASK` to fetch" in run_verb(capsys, "resume", "--web", web)
    with Web(web) as opened:
        [note] = opened.tasks()
        summarise(opened, [TaskEnded(0.0, note.name, "stopped", "stopped by a person", note.counts)])
    assert f"`gossamer resume --web {web}` continues" in capsys.readouterr().out


# While a crawl is running


def state(web: Path, name: str = "docs") -> dict[str, object]:
    with Web(web, create=False) as opened:
        note = opened.task(name)
        return {"state": note.state, "reason": note.reason, "counts": note.counts}


@pytest.mark.slow
def test_a_running_task_is_stopped(
    lab: LabServer, quick: list[str], program: Program, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    with crawling(lab.seeds[0], *quick, "--delay", "0.5", "--name", "docs", "--web", web) as process:
        ended = program("stop", "docs", "--web", web)
        assert ended.returncode == 0, ended.stderr
        assert state(web)["state"] == "stopped"
        assert process.wait(300) == 0
    assert state(web)["reason"] == "stopped by a person"


@pytest.mark.slow
def test_a_running_task_gets_other_limits_and_more_start_pages(
    lab: LabServer, quick: list[str], program: Program, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    page = lab.seeds[0] + "submitted/"
    with crawling(lab.seeds[0], *quick, "--delay", "2", "--name", "docs", "--web", web) as process:
        ended = program("submit", page, "--web", web)
        assert ended.returncode == 0, ended.stderr
        ended = program("change", "docs", "--delay", "0.01", "--pages", "9", "--web", web)
        assert ended.returncode == 0, ended.stderr
        assert process.wait(300) == 0
    task = state(web)
    assert task["reason"] == "limit reached: 9 pages"
    [visits] = json.loads(program("explain", page, "--web", web, "--json").stdout)["tasks"]
    assert visits["start_page"]


@pytest.mark.slow
def test_one_of_two_running_tasks_pauses_and_continues(
    lab: LabServer, program: Program, tmp_path: Path
) -> None:
    """A paused task sends no requests; afterwards it fetches each page once."""
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
        running.wait(300)
        assert {note.reason for note in opened.tasks()} == {"nothing left to fetch"}
        visits = [visit for visit in opened.store.all_visits() if visit.result == "fetched"]
        assert len({(visit.page, visit.task) for visit in visits}) == len(visits)
