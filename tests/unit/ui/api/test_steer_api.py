"""Programs steer crawls by the API as people do by the console."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask

from gossamer.crawl.control.command_mailbox import Continue, Mailbox, Submit, read_spec
from gossamer.store.lock import Lock
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

JSON = {"content-type": "application/json"}
TOKEN = "a long and secret token"  # noqa: S105 - only for these tests


@pytest.fixture
def app(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ASGIApp]:
    monkeypatch.setattr(steer_tasks, "WAIT_S", 0.1)
    with PageContext(own) as context:
        yield make_application(context, Guard())


def post(app: ASGIApp, path: str, **body: Any) -> Reply:
    return ask(app, f"/api/console/{path}", "POST", JSON, msgspec.json.encode(body))


def read(reply: Reply, status: int = 200) -> Any:
    assert reply.status == status, reply.text
    return msgspec.json.decode(reply.body)


def test_a_task_is_started_changed_and_stopped(app: ASGIApp, own: Path) -> None:
    with Lock(own):
        started = read(post(app, "tasks", options={"seeds": ["https://a.example/"], "depth": 1}), 202)
    assert (started["task"], started["state"], started["done"]) == (3, "stopped", False)
    assert started["command"].startswith("gossamer crawl https://a.example/ --depth 1 --web ")
    assert Mailbox(own).read_new() == [Continue(3)]
    changed = read(post(app, "task/change", task=3, options={"exclude": ["/x/"], "pages": 9}))
    assert changed["done"]
    assert "gossamer change 3 --exclude /x/ --pages 9" in changed["command"]
    paused = read(post(app, "task/pause", task=3))
    assert (paused["state"], paused["reason"]) == ("paused", "paused by a person")
    assert read(post(app, "task/stop", task=3))["state"] == "stopped"
    with Web(own) as web:
        assert read_spec(web.task("3")).limits.pages == 9


def test_pages_are_submitted_and_withdrawn(app: ASGIApp, own: Path) -> None:
    page = "https://new.example/"
    assert read(post(app, "task/submit", task=2, urls=[page]))["task"] == 2
    assert Mailbox(own).read_new() == [Submit(2, (page,))]
    assert read(post(app, "task/withdraw", task=2, urls=[page]))["done"]
    assert Mailbox(own).read_new() == []


def test_a_preview_and_the_rules_are_answered(app: ASGIApp, start: str) -> None:
    found = read(post(app, "preview", like=2, options={"depth": 0, "seeds": [start]}))
    assert (found["taken"], found["least"], found["most"]) == (1, 1, 1)
    assert found["known"] == found["judged"]
    rules = read(post(app, "rules", task=2, urls=[start, f"{start}x"], options={"exclude": ["x$"]}))
    assert [one["rule"] for one in rules["verdicts"]] == ["", "exclude"]


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("tasks", {"options": {"seeds": ["file:///etc/passwd"]}}, "not by a browser"),
        ("tasks", {"options": {"seed_files": ["/etc/passwd"]}}, "command line"),
        ("tasks", {"options": {"seeds": ["https://a.example/"], "auth": "me:secret"}}, "command line"),
        ("tasks", {"options": {"topic": "/etc/passwd", "seeds": ["https://a.example/"]}}, "not by a browser"),
        ("tasks", {"options": {}}, "at least one start page"),
        ("tasks", {"options": {"dept": 1}}, "did you mean 'depth'?"),
        ("tasks", {}, "missing required field"),
        ("task/stop", {"task": 9}, "has no task number"),
        ("task/stop", {"task": 2}, "has finished meanwhile"),
        ("task/change", {"task": 2, "options": {}}, "at least one option"),
        ("task/change", {"task": 2, "options": {"name": "x"}}, "cannot be changed"),
        ("task/change", {"task": 2, "options": {"pages": 1}}, "pages are kept already"),
        ("task/change", {"task": 2, "options": {"exclude": ["("]}}, "is not a regular expression"),
        ("task/submit", {"task": 1, "urls": ["https://far.example/"]}, "outside the scope"),
        ("task/submit", {"task": 1, "urls": ["nothing"]}, "is not a page"),
        ("task/withdraw", {"task": 1, "urls": ["https://a.example/"]}, "was not submitted"),
        ("rules", {"task": 2, "urls": [], "options": {"include": ["["]}}, "is not a regular expression"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    app: ASGIApp, path: str, body: dict[str, Any], sentence: str
) -> None:
    assert sentence in read(post(app, path, **body), 400)["error"]


def test_the_api_needs_json_the_token_and_the_same_origin(own: Path) -> None:
    body = msgspec.json.encode({"task": 2})
    with PageContext(own) as context:
        app = make_application(context, Guard(TOKEN))
        known = {"authorization": f"Bearer {TOKEN}"}
        assert ask(app, "/api/console/task/stop", "POST", JSON, body).status == 401
        assert ask(app, "/api/console/task/stop", "POST", known, body).status == 400
        foreign = {**JSON, **known, "origin": "http://evil.example"}
        assert ask(app, "/api/console/task/stop", "POST", foreign, body).status == 403
