"""A running task sends its passwords to the origins that they were given for."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.fetch.credentials import Credential, Login, save_credentials
from gossamer.fetch.fetcher import FetchOptions
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.records import Request
from gossamer.store.batch import TaskNote

SEEDS = ("https://a.example/", "http://submitted.example/")
LOGIN, PROXY = Login("https://a.example", "alice"), Login("http://p.example:3128", "bob")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))
    save_credentials(tmp_path, [Credential(LOGIN, "pw"), Credential(PROXY, "proxy")])
    return tmp_path


def start(folder: Path, **options: Any) -> RunningTask:
    task = Task(seeds=SEEDS, **options)
    return RunningTask(TaskNote(1, "a", b""), task, SEEDS, SeenSet(), TrapDetector(), 1.0, folder=folder)


def ask(task: RunningTask, url: str) -> FetchOptions:
    return task.fetch_options(Request(1, url, url.split("/")[2], 1))


@pytest.mark.parametrize(
    ("url", "auth"),
    [
        ("https://a.example/x", "alice:pw"),
        ("http://a.example/", ""),
        ("https://a.example:8443/", ""),
        ("https://www.a.example/", ""),
        ("http://submitted.example/", ""),
        ("https://a.example.evil.example/", ""),
    ],
)
def test_a_password_is_sent_to_its_origin_only(folder: Path, url: str, auth: str) -> None:
    assert ask(start(folder, auth="https://alice@a.example"), url).auth == auth
    assert ask(start(folder), url).auth == "", "another task of the web"
    assert ask(start(folder, auth="https://carol@a.example"), url).auth == ""


def test_changed_passwords_are_read_again(folder: Path) -> None:
    task = start(folder, auth="https://alice@a.example", proxy="http://bob@p.example:3128")
    first = ask(task, SEEDS[0])
    assert (first.auth, first.settings.proxy) == ("alice:pw", "http://bob:proxy@p.example:3128")
    task.reload_access()
    assert ask(task, SEEDS[0]) is first
    save_credentials(folder, [Credential(LOGIN, "new"), Credential(PROXY, "newer")])
    task.reload_access()
    again = ask(task, SEEDS[0])
    assert (again.auth, again.settings.proxy) == ("alice:new", "http://bob:newer@p.example:3128")
    assert "new" not in task.to_note(1.0).spec.decode(), "what is stored has no password"
