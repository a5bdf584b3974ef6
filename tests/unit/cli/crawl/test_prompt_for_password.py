"""Passwords are asked for on a terminal, and kept outside the web."""

import sys
from pathlib import Path

import pytest

from gossamer.cli.crawl import prompt_for_password
from gossamer.cli.main import run_verb
from gossamer.config import from_options
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.fetch.credential_file import read_passwords
from gossamer.web import Web

PAGE = "https://a.example/"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))
    with Web(tmp_path / "a.web") as made:
        start_tasks(made.store, [], [from_options(seeds=[PAGE], name="a")], 1.0)
    return tmp_path / "a.web"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sit at a terminal and answer each question with a password; collect the questions."""
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return "S3cret"

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", answer)
    return questions


def test_a_new_task_asks_for_what_is_missing(web: Path, asked: list[str]) -> None:
    task = Task(seeds=[PAGE], auth="alice", proxy="http://bob@p.example:3128")
    prompt_for_password.take_passwords(task, web)
    assert asked == ["Password of alice at https://a.example: ", "Password of bob at http://p.example:3128: "]
    assert [one.secret for one in task.credentials] == ["S3cret", "S3cret"]
    assert "S3cret" not in repr(task.spec)


@pytest.mark.usefixtures("asked")
def test_change_keeps_and_forgets_passwords(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change = ("change", "a", "--web", str(web), "--json")
    assert run_verb([*change, "--auth", "alice"]) == 0
    assert read_passwords(web) == {("https://a.example", "alice"): "S3cret"}
    assert run_verb([*change, "--auth", "bob:S3cret-2"]) == 0
    assert read_passwords(web) == {("https://a.example", "bob"): "S3cret-2"}
    assert run_verb([*change, "--auth", ""]) == 0
    assert read_passwords(web) == {}
    shown = capsys.readouterr().out
    assert "https://alice@a.example" in shown
    assert "S3cret" not in shown
    with Web(web) as opened:
        assert read_spec(opened.task("a")).fetching.auth == ""


@pytest.mark.parametrize("proxy", ["http://bob:S3cret@p.example:1", "http://S3cret:@p.example:1"])
def test_change_forgets_the_password_of_a_former_proxy(web: Path, proxy: str) -> None:
    with Web(web) as opened:
        start_tasks(opened.store, [], [from_options(seeds=[PAGE], name="b")], 1.0)
    for task in "ab":
        assert run_verb(["change", task, "--web", str(web), "--proxy", proxy]) == 0
    assert len(read_passwords(web)) == 1
    assert run_verb(["change", "a", "--web", str(web), "--proxy", ""]) == 0
    assert len(read_passwords(web)) == 1, "the other task needs it"
    assert run_verb(["change", "b", "--web", str(web), "--pages", "3"]) == 0
    assert len(read_passwords(web)) == 1
    assert run_verb(["change", "b", "--web", str(web), "--proxy", ""]) == 0
    assert read_passwords(web) == {}


def test_a_stored_task_is_asked_about_once(
    web: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Web(web) as opened:
        spec = from_options(seeds=[PAGE], auth="https://alice@a.example")
        notes = start_tasks(opened.store, [], [spec], 1.0)
        prompt_for_password.ask_for_known_tasks(opened, notes)
        prompt_for_password.ask_for_known_tasks(opened, notes)
        assert len(asked) == 1
        monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
        monkeypatch.setenv("GOSSAMER_CONFIG", str(web.parent / "other"))
        with pytest.raises(BadInput, match="is not known here"):
            prompt_for_password.ask_for_known_tasks(opened, notes)
