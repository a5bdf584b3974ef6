from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask

from gossamer.assess.judgements import list_samples, read_judgements
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

JSON = {"content-type": "application/json"}


@pytest.fixture
def app(own: Path) -> Iterator[ASGIApp]:
    with PageContext(own) as context:
        yield make_application(context, Guard())


def post(app: ASGIApp, path: str, **fields: Any) -> Reply:
    return ask(app, f"/api/assess/{path}", "POST", JSON, msgspec.json.encode(fields))


def read(reply: Reply) -> Any:
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json"), reply.text
    return msgspec.json.decode(reply.body)


def test_a_program_draws_judges_and_reads_results(app: ASGIApp, own: Path) -> None:
    sample = read(post(app, "draw", name="depths", by="depth", sample=2))
    assert (sample["by"], sample["pages"]) == (
        ["depth"],
        sum(min(2, one["pages"]) for one in sample["strata"]),
    )
    first = read(ask(app, "/api/assess/next?name=depths&judge=anna"))
    assert first["left"] == first["pages"] == sample["pages"]
    assert not {"depth", "relevance", "order"} & set(first["page"])  # nothing hints at how the page was found
    judgement = {"name": "depths", "judge": "anna", "url": first["page"]["url"]}
    assert read(post(app, "judge", **judgement, verdict="not"))["left"] == first["left"] - 1
    assert read(post(app, "judge", **judgement, verdict="relevant"))["left"] == first["left"] - 1
    second = read(ask(app, "/api/assess/next?name=depths&judge=anna"))["page"]
    assert second["url"] != first["page"]["url"]
    found = read(ask(app, "/api/assess/results?name=depths&by=host"))
    assert (found["judges"], list(found["precision"])) == ({"anna": {"relevant": 1}}, ["host"])
    assert found["all"]["precision"] == 1
    (listed,) = read(ask(app, "/api/assess/samples"))["samples"]
    assert listed["judged"] == {"anna": 1}
    assert read(post(app, "forget", name="depths")) == {"name": "depths", "judgements": 1}
    with Web(own) as web:
        assert (list_samples(web.store), read_judgements(web.store, "depths")) == ([], [])


def test_the_next_page_is_null_when_all_are_judged(app: ASGIApp) -> None:
    read(post(app, "draw", name="one", sample=1))
    page = read(ask(app, "/api/assess/next?name=one&judge=anna"))["page"]
    read(post(app, "judge", name="one", judge="anna", url=page["url"], verdict="unsure"))
    last = {"pages": 1, "left": 0, "question": "Is this page relevant?", "page": None}
    assert read(ask(app, "/api/assess/next?name=one&judge=anna")) == last


def test_the_question_comes_with_each_page(app: ASGIApp) -> None:
    question = "Is this page about Haydn?"
    assert read(post(app, "draw", name="asked", sample=1, question=question))["question"] == question
    assert read(ask(app, "/api/assess/next?name=asked&judge=anna"))["question"] == question


def test_a_page_with_noarchive_comes_without_its_text(app: ASGIApp, start: str) -> None:
    read(post(app, "draw", name="secret", where="title:memoir"))
    page = read(ask(app, "/api/assess/next?name=secret&judge=anna"))["page"]
    assert (page["url"], page["text"], page["source"]) == (f"{start}secret", "", "")


@pytest.mark.parametrize(
    ("path", "fields", "sentence"),
    [
        ("draw", {"name": "a/b"}, "a name has"),
        ("draw", {"name": "a", "by": "colour"}, "is not known"),
        ("draw", {"name": "a", "sample": 0}, ">= 1"),
        ("draw", {"name": "a", "where": "words"}, "has the fields"),
        ("draw", {"name": "a", "colour": 1}, "colour"),
        ("draw", {"name": "a", "question": "x" * 201}, "a question has at most 200 characters"),
        ("judge", {"name": "a", "judge": "b", "url": "x", "verdict": "not"}, "no sample 'a'"),
        ("judge", {"name": "a", "judge": "b", "url": "x", "verdict": "perhaps"}, "perhaps"),
        ("forget", {"name": "a"}, "no sample 'a'"),
        ("forget", {}, "name"),
    ],
)
def test_errors_are_reported_in_a_sentence(
    app: ASGIApp, path: str, fields: dict[str, Any], sentence: str
) -> None:
    reply = post(app, path, **fields)
    assert reply.status == 400
    assert sentence in msgspec.json.decode(reply.body)["error"]


def test_only_pages_of_the_sample_are_judged(app: ASGIApp, start: str) -> None:
    read(post(app, "draw", name="haydn", where="title:printed"))
    for url in (start, "http://", "nonsense"):
        assert post(app, "judge", name="haydn", judge="anna", url=url, verdict="not").status == 400


def test_forms_of_other_sites_are_refused(app: ASGIApp, own: Path) -> None:
    body = b'{"name": "a"}'
    for headers in ({}, {"content-type": "text/plain"}, {**JSON, "origin": "http://evil.example"}):
        assert ask(app, "/api/assess/draw", "POST", headers, body).status in (400, 403)
    with Web(own) as web:
        assert list_samples(web.store) == []
