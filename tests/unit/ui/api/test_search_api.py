from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.routing import Route
from tests.unit.ui.asking import Reply, ask
from tests.unit.ui.conftest import Asks

from gossamer.search.answers.answer_records import Answers
from gossamer.ui.api import assess_api, search_api
from gossamer.ui.app import application
from gossamer.ui.page_context import Desk
from gossamer.ui.security import Guard
from gossamer.web import Web

JSON = {"content-type": "application/json"}


def told(reply: Reply) -> Any:
    assert reply.headers["content-type"] == "application/json"
    return msgspec.json.decode(reply.body)


def test_programs_get_the_answers_that_python_gets(page: Asks, library: Path) -> None:
    with Web(library) as web:
        expected = web.search("symphony", page=2, size=3, only={"after": "2021"}, years=True)
    asked = page("/api/search?q=symphony&page=2&size=3&after=2021&years=true")
    found = msgspec.json.decode(asked.body, type=Answers)
    assert found.counts == expected.counts
    assert [answer.url for answer in found.answers] == [answer.url for answer in expected.answers]
    assert found.total == expected.total > 3


@pytest.mark.parametrize(
    "address",
    [
        "/api/search?size=x",
        "/api/search?size=1000",
        "/api/search?colour=red",
        "/api/page",
        "/api/page?url=%00",
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(page: Asks, address: str) -> None:
    reply = page(address)
    assert reply.status == 400
    assert list(told(reply)) == ["error"]


def test_other_things_are_told(page: Asks, start: str) -> None:
    assert "eisenstadt" in told(page("/api/suggest?q=eisens"))["suggestions"]
    known = told(page(f"/api/page?url={start}secret"))
    assert (known["title"], known["archive"], known["opened"]) == ("A secret memoir", False, 0)
    assert page("/api/page?url=http://unknown.example/").status == 404
    assert told(page("/api/nothing")) == {"error": "There is no such page here."}


def test_pages_are_taken_as_json_only(own: Path) -> None:
    body = b'{"url": "https://new.example/"}'
    with Desk(own) as desk:
        app = application(desk, Guard())
        for headers in ({}, {"content-type": "text/plain"}, {**JSON, "origin": "http://evil.example"}):
            assert ask(app, "/api/submit", "POST", headers, body).status in (400, 403)
        for wrong in (b"", b"[]", b'{"url": 7}', b'{"url": "x", "else": 1}', b"\xff"):
            assert ask(app, "/api/submit", "POST", JSON, wrong).status == 400
        taken = ask(app, "/api/submit", "POST", JSON, body)
    assert (taken.status, told(taken)) == (202, {"url": "https://new.example/", "soon": False})


def test_the_description_names_all_that_can_be_asked(page: Asks) -> None:
    described = told(page("/api"))
    assert described["openapi"].startswith("3.1")
    ways = {(path, method.upper()) for path, ways in described["paths"].items() for method in ways}
    routes = {
        (route.path, *(route.methods - {"HEAD"}))
        for route in (*search_api.ROUTES, *assess_api.ROUTES)
        if isinstance(route, Route) and route.methods
    }
    assert ways == routes - {("/api", "GET")}


def test_the_description_refers_to_nothing_that_is_not_there(page: Asks) -> None:
    described = told(page("/api"))

    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if "$ref" in node else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    found = set(references(described))
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert "#/components/schemas/Answers" in found
    assert found <= known


def test_parameters_are_described_with_their_limits(page: Asks) -> None:
    parameters = told(page("/api"))["paths"]["/api/search"]["get"]["parameters"]
    (size,) = [one for one in parameters if one["name"] == "size"]
    assert size["schema"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}
    assert all(one["description"] for one in parameters)
