from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.types import ASGIApp
from tests.unit.ui.asking import Reply, ask

from gossamer.assess.judgements import list_samples, read_judgements
from gossamer.ui.app import application
from gossamer.ui.page_context import Desk
from gossamer.ui.security import Guard
from gossamer.web import Web

JSON = {"content-type": "application/json"}


@pytest.fixture
def app(own: Path) -> Iterator[ASGIApp]:
    with Desk(own) as desk:
        yield application(desk, Guard())


def post(app: ASGIApp, path: str, **told: Any) -> Reply:
    return ask(app, f"/api/assess/{path}", "POST", JSON, msgspec.json.encode(told))


def told(reply: Reply) -> Any:
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json"), reply.text
    return msgspec.json.decode(reply.body)


def test_a_program_draws_judges_and_is_told(app: ASGIApp, own: Path) -> None:
    drawn = told(post(app, "draw", name="depths", by="depth", sample=2))
    assert (drawn["by"], drawn["pages"]) == (["depth"], sum(min(2, one["pages"]) for one in drawn["strata"]))
    first = told(ask(app, "/api/assess/next?name=depths&judge=anna"))
    assert first["left"] == first["pages"] == drawn["pages"]
    assert not {"depth", "relevance", "order"} & set(first["page"])  # judges are blind, programs too
    said = {"name": "depths", "judge": "anna", "url": first["page"]["url"]}
    assert told(post(app, "judge", **said, verdict="not"))["left"] == first["left"] - 1
    assert told(post(app, "judge", **said, verdict="relevant"))["left"] == first["left"] - 1
    second = told(ask(app, "/api/assess/next?name=depths&judge=anna"))["page"]
    assert second["url"] != first["page"]["url"]
    found = told(ask(app, "/api/assess/results?name=depths&by=host"))
    assert (found["judges"], list(found["precision"])) == ({"anna": {"relevant": 1}}, ["host"])
    assert found["all"]["precision"] == 1
    (listed,) = told(ask(app, "/api/assess/samples"))["samples"]
    assert listed["judged"] == {"anna": 1}
    assert told(post(app, "forget", name="depths")) == {"name": "depths", "judgements": 1}
    with Web(own) as web:
        assert (list_samples(web.store), read_judgements(web.store, "depths")) == ([], [])


def test_a_judge_who_is_done_is_told_so(app: ASGIApp) -> None:
    told(post(app, "draw", name="one", sample=1))
    page = told(ask(app, "/api/assess/next?name=one&judge=anna"))["page"]
    told(post(app, "judge", name="one", judge="anna", url=page["url"], verdict="unsure"))
    assert told(ask(app, "/api/assess/next?name=one&judge=anna")) == {"pages": 1, "left": 0, "page": None}


def test_a_page_without_copies_is_shown_without_its_text(app: ASGIApp, start: str) -> None:
    told(post(app, "draw", name="secret", where="title:memoir"))
    page = told(ask(app, "/api/assess/next?name=secret&judge=anna"))["page"]
    assert (page["url"], page["text"], page["source"]) == (f"{start}secret", "", "")


@pytest.mark.parametrize(
    ("path", "sent", "sentence"),
    [
        ("draw", {"name": "a/b"}, "a name has"),
        ("draw", {"name": "a", "by": "colour"}, "is not known"),
        ("draw", {"name": "a", "sample": 0}, ">= 1"),
        ("draw", {"name": "a", "where": "words"}, "has the fields"),
        ("draw", {"name": "a", "colour": 1}, "colour"),
        ("judge", {"name": "a", "judge": "b", "url": "x", "verdict": "not"}, "no sample 'a'"),
        ("judge", {"name": "a", "judge": "b", "url": "x", "verdict": "perhaps"}, "perhaps"),
        ("forget", {"name": "a"}, "no sample 'a'"),
        ("forget", {}, "name"),
    ],
)
def test_what_cannot_be_done_is_said(app: ASGIApp, path: str, sent: dict[str, Any], sentence: str) -> None:
    reply = post(app, path, **sent)
    assert reply.status == 400
    assert sentence in msgspec.json.decode(reply.body)["error"]


def test_only_pages_of_the_sample_are_judged(app: ASGIApp, start: str) -> None:
    told(post(app, "draw", name="haydn", where="title:printed"))
    for url in (start, "http://", "nonsense"):
        assert post(app, "judge", name="haydn", judge="anna", url=url, verdict="not").status == 400


def test_nothing_is_taken_from_forms_of_others(app: ASGIApp, own: Path) -> None:
    body = b'{"name": "a"}'
    for headers in ({}, {"content-type": "text/plain"}, {**JSON, "origin": "http://evil.example"}):
        assert ask(app, "/api/assess/draw", "POST", headers, body).status in (400, 403)
    with Web(own) as web:
        assert list_samples(web.store) == []
