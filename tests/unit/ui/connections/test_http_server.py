import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine
from typing import Any

import anyio.to_thread
import msgspec
import pytest
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send
from tests.unit.ui.connections.limited_server import (
    ASK,
    HANGS_S,
    HEAD,
    QUICK,
    SHORT_S,
    LimitedServer,
    read_to_end,
    serve_limited,
    wait_for,
    wait_until_open,
)

from gossamer.ui.connections import connection_table
from gossamer.ui.connections.connection_limits import ConnectionLimits

ROOMY = ConnectionLimits()
CLOSING = HEAD + b"Connection: close\r\n\r\n"
LARGE_BYTES = 1 << 20


async def answer_late(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer after longer than a request may take to arrive."""
    await asyncio.sleep(2 * SHORT_S)
    await PlainTextResponse("inside")(scope, receive, send)


async def answer_largely(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with far more than the system buffers, at once."""
    await Response(b"x" * LARGE_BYTES)(scope, receive, send)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the body of the request."""
    body = await Request(scope, receive).body()
    await Response(scope["method"].encode() + b":" + body)(scope, receive, send)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a test, which must not hang."""

    async def run_in_time() -> None:
        async with asyncio.timeout(HANGS_S):
            await work

    asyncio.run(run_in_time())


async def trickle(server: LimitedServer, begin: bytes, more: bytes) -> bytes:
    """Send a request and then a few bytes again and again; return the answer once the server closes the connection."""
    reader, writer = await server.connect(begin)

    async def send_more() -> None:
        while True:
            await asyncio.sleep(SHORT_S / 10)
            writer.write(more)

    sending = asyncio.create_task(send_more())
    answer = await read_to_end(reader)
    sending.cancel()
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("begin", "more", "status"),
    [
        (b"", b"", b""),
        (HEAD, b"X", b""),
        (HEAD + b"Content-Length: 1000000\r\n\r\n", b"a", b"200"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n", b"200"),
        (HEAD + b"Expect: 100-continue\r\nContent-Length: 9\r\n\r\n", b"", b"200"),
        (ASK + HEAD, b"X", b"200"),
    ],
    ids=["nothing", "head", "body", "chunks", "a body that is not asked for", "second request"],
)
def test_requests_that_trickle_in_are_closed(begin: bytes, more: bytes, status: bytes) -> None:
    async def check() -> None:
        async with serve_limited() as server:
            answer = await trickle(server, begin, more)
            assert answer[9:12] == status
            assert answer.endswith(b"inside" if status else b"")
            await wait_until_open(server.table, 0)

    run(check())


def test_a_body_that_the_application_waits_for_is_cut_off() -> None:
    async def check() -> None:
        async with serve_limited(application=echo) as server:
            head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n"
            assert await trickle(server, head, b"a") == b""

    run(check())


def test_the_server_may_take_longer_to_answer() -> None:
    async def check() -> None:
        async with serve_limited(application=answer_late) as server:
            assert (await server.ask(CLOSING)).endswith(b"inside")

    run(check())


async def connect_without_reading(server: LimitedServer, sent: bytes) -> socket.socket:
    """Ask for an answer, and do not read it."""
    loop = asyncio.get_running_loop()
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    await loop.sock_connect(client, server.address)
    await loop.sock_sendall(client, sent)
    return client


@pytest.mark.parametrize("asked", [ASK, CLOSING], ids=["kept open", "to be closed"])
def test_an_answer_that_is_not_read_is_abandoned(asked: bytes) -> None:
    async def check() -> None:
        async with serve_limited(application=answer_largely) as server:
            client = await connect_without_reading(server, asked)
            await wait_until_open(server.table, 1)
            await wait_until_open(server.table, 0)
            client.close()

    run(check())


def test_an_answer_that_is_read_too_slowly_is_abandoned() -> None:
    async def check() -> None:
        limits = msgspec.structs.replace(QUICK, least_bytes_per_s=1 << 30)
        async with serve_limited(limits, answer_largely) as server:
            client = await connect_without_reading(server, ASK)
            await wait_until_open(server.table, 1)
            while len(server.table):
                await asyncio.sleep(SHORT_S / 10)
                await asyncio.get_running_loop().sock_recv(client, 40_000)
            client.close()

    run(check())


def test_an_answer_that_is_read_in_steps_arrives() -> None:
    async def check() -> None:
        async with serve_limited(application=answer_largely) as server:
            client, found = await connect_without_reading(server, CLOSING), 0
            while part := await asyncio.get_running_loop().sock_recv(client, 100_000):
                found += len(part)
                await asyncio.sleep(SHORT_S / 200)
            client.close()
            assert found > LARGE_BYTES

    run(check())


def test_new_clients_are_served_while_others_hold_all_connections() -> None:
    async def check() -> None:
        limits = ConnectionLimits(connections=20)
        async with serve_limited(limits) as server:
            slow = [await server.connect(HEAD) for _ in range(100)]
            for _ in range(30):
                assert (await server.ask(CLOSING)).endswith(b"inside")
            assert len(server.table) <= 20
            for _, writer in slow:
                writer.close()

    run(check())


def test_work_for_a_client_that_has_gone_is_not_done() -> None:
    calls: list[str] = []

    async def answer_after(scope: Scope, receive: Receive, send: Send) -> None:
        calls.append("begun")
        try:
            await asyncio.sleep(HANGS_S)
        finally:
            calls.append("ended")

    async def check() -> None:
        async with serve_limited(ROOMY, answer_after) as server:
            _, writer = await server.connect(ASK)
            await wait_for(lambda: len(calls) == 1)
            writer.close()
            await wait_for(lambda: len(calls) == 2)

    run(check())


def test_work_for_a_client_that_has_gone_is_not_done_after_a_request_that_ended_late() -> None:
    calls: list[str] = []
    second_begun = asyncio.Event()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/first":
            await PlainTextResponse("inside")(scope, receive, send)
            await second_begun.wait()  # as a response that closes its file
            calls.append("first ended")
            return
        second_begun.set()
        try:
            await asyncio.sleep(HANGS_S)
        finally:
            calls.append("second ended")

    async def check() -> None:
        async with serve_limited(ROOMY, answer) as server:
            _, writer = await server.connect(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + ASK)
            await wait_for(lambda: calls == ["first ended"])
            writer.close()
            await wait_for(lambda: calls == ["first ended", "second ended"])

    run(check())


def test_a_change_is_carried_out_though_its_client_has_gone() -> None:
    calls: list[str] = []

    async def change(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        calls.append("begun")
        await asyncio.sleep(SHORT_S)
        calls.append("ended")

    async def check() -> None:
        async with serve_limited(ROOMY, change) as server:
            _, writer = await server.connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            await wait_for(lambda: len(calls) == 1)
            writer.close()
            await wait_for(lambda: len(calls) == 2)

    run(check())


def test_a_thread_that_works_for_a_client_that_has_gone_still_counts() -> None:
    release = threading.Event()
    working: set[int] = set()

    def work() -> None:
        working.add(threading.get_ident())
        release.wait(HANGS_S)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await run_in_threadpool(work)

    async def check() -> None:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 2
        async with serve_limited(ROOMY, answer) as server:
            for _ in range(10):
                _, writer = await server.connect(ASK)
                await wait_until_open(server.table, 1)
                await asyncio.sleep(0.01)
                writer.close()
                await wait_until_open(server.table, 0)
            release.set()

    run(check())
    assert len(working) == 2


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        (ASK + CLOSING, [b"GET:", b"GET:"]),
        (CLOSING.replace(b"GET", b"HEAD"), [b""]),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            [b"POST:abc"],
        ),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na" + CLOSING,
            [b"POST:a", b"GET:"],
        ),
    ],
    ids=["pipelined", "HEAD", "chunked", "after a body"],
)
def test_requests_of_all_kinds_are_answered(asked: bytes, answers: list[bytes]) -> None:
    async def check() -> None:
        async with serve_limited(ROOMY, echo) as server:
            found = await server.ask(asked)
            parts = found.split(b"HTTP/1.1 200 OK\r\n")[1:]
            assert [part.partition(b"\r\n\r\n")[2] for part in parts] == answers

    run(check())


def test_a_client_that_asks_first_may_send_its_body() -> None:
    async def check() -> None:
        async with serve_limited(ROOMY, echo) as server:
            head = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
            reader, writer = await server.connect(head)
            assert (await reader.readline()).startswith(b"HTTP/1.1 100")
            writer.write(b"body")
            assert b"POST:body" in await reader.readuntil(b"POST:body")
            writer.write(ASK)  # the connection stays open
            assert await reader.readuntil(b"GET:")
            writer.close()

    run(check())


@pytest.mark.parametrize(
    "nonsense",
    [b"\0\0\r\n\r\n", HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"zz\r\n", ASK + b"\xff\r\n\r\n"],
    ids=["no request", "no chunk", "no second request"],
)
def test_nonsense_closes_the_connection_without_a_log(
    nonsense: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def check() -> None:
        async with serve_limited(ROOMY) as server:
            await server.ask(nonsense)
            await wait_until_open(server.table, 0)

    with caplog.at_level(logging.WARNING):
        run(check())
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_one_address_cannot_take_the_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_table, "is_own_machine", lambda _: False)

    async def check() -> None:
        async with serve_limited(ConnectionLimits(by_address=3)) as server:
            slow = [await server.connect(HEAD) for _ in range(10)]
            assert (await server.ask(CLOSING)).endswith(b"inside")
            assert len(server.table) <= 3
            assert await read_to_end(slow[0][0]) == b""
            for _, writer in slow:
                writer.close()

    run(check())
