import asyncio
import errno
import tempfile
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Message

from gossamer.ui.run_handlers import RecentAnswers, bound_route
from gossamer.ui.spooled_answer import (
    LARGE_BYTES,
    AnswerDropped,
    AnswerSpool,
    SpooledResponse,
    spool_if_large,
)

BODY = bytes(range(256)) * (LARGE_BYTES // 64)


def send(answer: Response, method: str = "GET") -> list[Message]:
    """Return the messages of an answer."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def take(message: Message) -> None:
        sent.append(message)

    asyncio.run(answer({"type": "http", "method": method}, receive, take))
    return sent


def test_a_large_body_is_sent_in_pieces() -> None:
    answer = spool_if_large(
        Response(BODY, 201, headers={"x-own": "1"}, media_type="text/plain"), AnswerSpool()
    )
    assert isinstance(answer, SpooledResponse)
    assert answer.body == b""
    first, *pieces = send(answer)
    assert first["status"] == 201
    assert (b"content-length", str(len(BODY)).encode()) in first["headers"]
    assert (b"x-own", b"1") in first["headers"]
    assert b"".join(piece["body"] for piece in pieces) == BODY
    assert max(len(piece["body"]) for piece in pieces) <= LARGE_BYTES
    assert [piece.get("more_body", False) for piece in pieces] == [True] * (len(pieces) - 1) + [False]


def test_a_head_request_gets_no_pieces() -> None:
    first, *pieces = send(spool_if_large(Response(BODY), AnswerSpool()), "HEAD")
    assert (b"content-length", str(len(BODY)).encode()) in first["headers"]
    assert [piece["body"] for piece in pieces] == [b""]


def test_a_small_body_stays_in_memory() -> None:
    small = Response(b"x" * LARGE_BYTES)
    assert spool_if_large(small, AnswerSpool()) is small


def test_the_body_that_was_not_read_for_longest_is_dropped() -> None:
    spool = AnswerSpool(most_bytes=2 * len(BODY))
    first, second = spool.hold(BODY), spool.hold(BODY)
    assert spool.read(first, 256) == BODY[256 : 256 + len(spool.read(first, 256))]
    third = spool.hold(BODY)
    assert spool.read(first, 0)
    assert spool.read(third, 0)
    assert second.file.closed
    with pytest.raises(AnswerDropped):
        spool.read(second, 0)


def test_a_single_body_may_be_larger_than_the_spool() -> None:
    spool = AnswerSpool(most_bytes=1)
    body = spool.hold(BODY)
    assert spool.read(body, 0)


def test_files_are_closed_with_their_answers() -> None:
    answer = spool_if_large(Response(BODY), AnswerSpool())
    assert isinstance(answer, SpooledResponse)
    file = answer._body.file
    assert not answer.is_dropped
    assert send(answer) == send(answer), "it can be sent again"
    del answer
    assert file.closed


def test_a_full_disk_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def answer(_: Request) -> Response:
        return Response(BODY)

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    route = bound_route(Route("/", answer), AnswerSpool(), ())
    assert isinstance(route, Route)
    found = asyncio.run(route.endpoint(Request({"type": "http"})))
    assert (found.status_code, found.body) == (
        503,
        b"There is no room for this answer: No space left on device.",
    )


def count_handler_calls(context: Any, addresses: list[str]) -> list[str]:
    """Ask a costly route for addresses at once; return those for which its handler was called."""
    called: list[str] = []

    def answer(request: Request) -> Response:
        called.append(request.url.query)
        return Response(BODY)

    route = bound_route(Route("/", answer), AnswerSpool(), (answer,))
    assert isinstance(route, Route)
    app = SimpleNamespace(state=SimpleNamespace(context=context))

    async def ask(query: str) -> Response:
        scope = {"type": "http", "path": "/", "query_string": query.encode(), "headers": [], "app": app}
        found: Response = await route.endpoint(Request(scope))
        return found

    async def ask_all() -> None:
        for found in await asyncio.gather(*map(ask, addresses)):
            assert isinstance(found, SpooledResponse)

    asyncio.run(ask_all())
    return called


def test_many_who_ask_the_same_cost_as_much_as_one() -> None:
    context = SimpleNamespace(costly_turns=anyio.CapacityLimiter(1))
    assert sorted(count_handler_calls(context, ["a", "b", "a", "a", "b"])) == ["a", "b"]


def test_costly_handlers_take_turns() -> None:
    turns = anyio.CapacityLimiter(2)
    most = []

    class Watched:
        """Turns that note how many are taken."""

        async def __aenter__(self) -> None:
            await turns.__aenter__()
            most.append(turns.borrowed_tokens)

        async def __aexit__(self, *given: Any) -> None:
            await turns.__aexit__(*given)

    queries = [str(number) for number in range(20)]
    assert sorted(count_handler_calls(SimpleNamespace(costly_turns=Watched()), queries)) == sorted(queries)
    assert max(most) == 2


def test_answers_are_kept_for_a_moment() -> None:
    now_s = [0.0]
    recent = RecentAnswers(lambda: now_s[0])
    answers = [Response(str(number)) for number in range(9)]
    for number, answer in enumerate(answers):
        recent.keep(str(number), answer)
    assert recent.find("0") is None, "the oldest of too many"
    assert recent.find("8") is answers[8]
    now_s[0] = 60.0
    assert recent.find("8") is None


def test_a_dropped_answer_is_made_again() -> None:
    spool, recent = AnswerSpool(most_bytes=len(BODY)), RecentAnswers()
    recent.keep("a", spool_if_large(Response(BODY), spool))
    assert recent.find("a") is not None
    newer = spool.hold(BODY)
    assert recent.find("a") is None
    assert not newer.file.closed


def test_other_routes_stay_as_they_are() -> None:
    async def take(_: Request) -> Response:
        return Response()

    for route in (Route("/", take, methods=["POST"]), Mount("/static", Response())):
        assert bound_route(route, AnswerSpool(), ()) is route
