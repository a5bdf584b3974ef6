"""Other servers, real ones and hostile ones, searched together with a web on this machine."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.unit.broker.sources import IndexSource, Reply, serving_replies, to_json
from tests.unit.broker.test_check_answers import ANSWER
from tests.unit.search.texts import entry
from tests.unit.ui.library import crawl_library

from gossamer.broker.broker import Broker, open_many
from gossamer.broker.remote_source import RemoteSource
from gossamer.broker.server_client import ServerClient
from gossamer.errors import BadInput
from gossamer.search.answers.answer_records import Answers

HAYDN = entry(1, title="Haydn", main="Haydn wrote symphonies.", language="en")
TOKEN = "a token of the test"  # noqa: S105 - no secret


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("broker") / "music.web"
    crawl_library(folder)
    return folder


@pytest.fixture(scope="module")
def server(library: Path) -> Iterator[str]:
    """The real program, serving the library to those who know the token."""
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "600", "--port", "0"]
    command += ["--web", str(library), "--token", TOKEN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())["address"]
        running.terminate()


def search_beside(address: str, query: str = "haydn", wait_s: float = 60.0) -> Answers:
    """Search an index in memory and another server."""
    client = ServerClient(wait_s)
    with Broker([IndexSource("own", HAYDN), RemoteSource(address, client)], client) as broker:
        return broker.search(query)


def answer_plainly(*answers: object, **facts: object) -> Reply:
    found = {"query": "", "total": len(answers), "page": 1, "answers": answers, "counts": {}, "more": False}
    return to_json(found | facts)


def make_answer(**facts: object) -> object:
    return msgspec.to_builtins(ANSWER) | facts


@pytest.mark.slow
def test_a_server_answers_as_the_web_itself_does(server: str, library: Path) -> None:
    address = server.replace("//", f"//:{TOKEN.replace(' ', '%20')}@")
    with open_many([library, library.parent / "none.web"]) as own, open_many([address]) as other:
        for query in (
            "haydn symphony",
            "komponist",
            "organ waltz theme",
            "site:127.9.7.2",
            "symphony -haydn",
        ):
            one, two = own.search(query, years=True), other.search(query, years=True)
            assert [answer.url for answer in one.answers] == [answer.url for answer in two.answers]
            scores = [answer.score for answer in one.answers]
            assert [answer.score for answer in two.answers] == pytest.approx(scores)
            assert [answer.snippet for answer in one.answers] == [answer.snippet for answer in two.answers]
            assert one.counts["year"] == two.counts["year"]
            assert one.pages == two.pages
        assert other.search("symphony", size=2, page=3).answers[0].rank == 5
        assert other.suggestions("symph") == own.suggestions("symph")
        (origin,) = other.search("haydn").origins or ()
    assert origin.name == server
    assert TOKEN not in origin.address


@pytest.mark.slow
def test_a_missing_token_is_named(server: str) -> None:
    found = search_beside(server)
    assert "it wants a token" in found.notes[0]
    assert [answer.title for answer in found.answers] == ["Haydn"]


def test_a_server_that_is_down_is_named() -> None:
    found = search_beside("http://127.0.0.1:1/")
    assert found.notes == ("http://127.0.0.1:1/ was left out: it cannot be reached (connect).",)


def test_a_slow_server_is_not_waited_for_and_then_rests() -> None:
    asked: list[str] = []
    done = threading.Event()

    def reply(path: str, _: object) -> Reply:
        asked.append(path)
        done.wait(60)
        return to_json({})

    with serving_replies(reply) as address:
        client = ServerClient(0.3)
        with Broker([IndexSource("own", HAYDN), RemoteSource(address, client)], client) as broker:
            first, second = broker.search("haydn"), broker.search("haydn")
        done.set()
    assert len(asked) == 1
    assert [answer.title for answer in first.answers] == ["Haydn"]
    assert "asked again in" in second.notes[0]


def test_an_older_server_is_searched_by_its_own_scores() -> None:
    asked: list[dict[str, str]] = []

    def reply(path: str, given: dict[str, str]) -> Reply:
        if path != "/api/search":
            return 404, {}, b"There is no such page here."
        asked.append(given)
        return answer_plainly(make_answer(score=1e9), make_answer(score=5e8, url="https://b.example/"))

    with serving_replies(reply) as address:
        found = search_beside(address)
        assert "ranks by its own pages alone" in found.notes[0]
    assert set(asked[0]) == {"q", "page", "size"}  # it would refuse parameters that it does not know
    scores = [answer.score for answer in found.answers]
    assert max(scores) == scores[0] < 100
    assert {answer.title for answer in found.answers} == {"Haydn", "A title"}


@pytest.mark.parametrize(
    "body",
    [b"<html>hello", b"[]", b'{"scoring": 5}', b"\xff\xfe", b"[" * 100_000, b'{"pages": 1e999}', b""],
)
def test_an_answer_that_cannot_be_read_is_said(body: bytes) -> None:
    with serving_replies(lambda *_: (200, {}, body)) as address:
        found = search_beside(address)
    assert "answers in a form that this version cannot read" in found.notes[0]
    assert [answer.origin for answer in found.answers] == ["own"]


def test_redirects_are_not_followed() -> None:
    asked: list[str] = []

    def reply(path: str, _: object) -> Reply:
        asked.append(path)
        return 302, {"Location": "/secret"}, b""

    with serving_replies(reply) as address:
        found = search_beside(address)
    assert asked == ["/api/statistics"] or set(asked) == {"/api/statistics"}
    assert "another address" in found.notes[0]


def test_a_body_without_end_is_cut_off() -> None:
    huge = b'{"scoring": "' + b"x" * 9_000_000
    with serving_replies(lambda *_: (200, {}, huge)) as address:
        found = search_beside(address)
    assert "too large" in found.notes[0]


def test_hostile_answers_are_bounded() -> None:
    hostile = [
        make_answer(url="javascript:alert(1)"),
        make_answer(title="<script>alert(1)</script>\x1b[2J", url="https://evil.example/"),
    ]

    def reply(path: str, _: object) -> Reply:
        if path == "/api/statistics":
            told = {"scoring": "x", "title": "\x1b]0;owned\x07", "pages": 2**80, "languages": {"en": 1}}
            return to_json(told | {"length": 1.0, "terms": []})
        return answer_plainly(*hostile, total=2**80, notes=["\x1b[31mred"])

    with serving_replies(reply) as address:
        found = search_beside(address)
        assert {answer.url for answer in found.answers if answer.origin == address} <= {
            "https://evil.example/"
        }
    text = msgspec.json.encode(found).decode()
    assert "\\u001b" not in text
    assert "javascript" not in text


def test_what_is_no_address_of_a_server_is_refused_without_its_secrets() -> None:
    with pytest.raises(BadInput, match="is not the address of a server") as raised:
        open_many(["http://:secret@/"])
    assert "secret" not in str(raised.value)
    with pytest.raises(BadInput, match="cannot be waited for"):
        open_many(["a.web"], wait_s=0)
