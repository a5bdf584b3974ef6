"""WebSocket by the examples of RFC 6455, and against what hostile clients send."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.types import Receive, Scope, Send
from tests.unit.ui.connections.limited_server import read_to_end, serve_limited, wait_for
from tests.unit.ui.connections.test_http_server import run

from gossamer.ui.connections.event_response import EventViewer
from gossamer.ui.connections.socket_response import EventSocket
from gossamer.ui.connections.web_socket import (
    CLOSE,
    PING,
    PONG,
    TEXT,
    Frame,
    FrameError,
    FrameReader,
    accept_key,
    write_frame,
)

# Section 1.3 of the RFC.
HANDSHAKE = {
    "upgrade": "websocket",
    "connection": "keep-alive, Upgrade",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
}
ACCEPTED = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
HELLO = bytes.fromhex("818537fa213d7f9f4d5158")
"""Section 5.7: a masked text message, "Hello"."""
ASK = (
    "GET / HTTP/1.1\r\nHost: x\r\n"
    + "".join(f"{name}: {value}\r\n" for name, value in HANDSHAKE.items())
    + "\r\n"
)


def test_the_handshake_of_the_standard() -> None:
    assert accept_key(HANDSHAKE) == ACCEPTED


@pytest.mark.parametrize(
    "changed",
    [
        {"upgrade": "h2c"},
        {"connection": "keep-alive"},
        {"sec-websocket-key": "short"},
        {"sec-websocket-key": "c2hvcnQ="},
        {"sec-websocket-key": "öööö"},
        {"sec-websocket-version": "8"},
    ],
)
def test_other_requests_are_no_handshake(changed: dict[str, str]) -> None:
    assert accept_key(HANDSHAKE | changed) is False


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_frames_are_read_however_they_come(size: int) -> None:
    reader, sent = FrameReader(), (HELLO + bytes.fromhex("898537fa213d7f9f4d5158")) * 2
    pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
    assert [frame for piece in pieces for frame in reader.feed(piece)] == [
        Frame(TEXT, b"Hello"),
        Frame(PING, b"Hello"),
    ] * 2


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x05Hello", 1002),  # not masked
        (b"\xc1\x80\0\0\0\0", 1002),  # an extension that was not agreed on
        (b"\x89\xfe\x00\x7e\0\0\0\0", 1002),  # a ping of 126 bytes
        (b"\x09\x80\0\0\0\0", 1002),  # a ping in parts
        (b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 1009),  # nine exabytes
    ],
)
def test_what_breaks_the_protocol_ends_it(sent: bytes, code: int) -> None:
    with pytest.raises(FrameError) as raised:
        list(FrameReader().feed(sent))
    assert raised.value.code == code


def test_sizes_of_messages_are_written_as_the_standard_says() -> None:
    assert write_frame(TEXT, b"Hello") == bytes.fromhex("810548656c6c6f")
    assert write_frame(TEXT, bytes(256))[:4] == bytes.fromhex("817e0100")
    assert write_frame(TEXT, bytes(65_536))[:10] == bytes.fromhex("817f0000000000010000")


class Viewer:
    """Gets a message, and then nothing for ever."""

    def __init__(self) -> None:
        self._left = [b'{"event":"visit"}']

    async def take(self, timeout_s: float) -> bytes | None:
        if self._left:
            return self._left.pop()
        await asyncio.sleep(timeout_s)
        return None


class Sockets:
    """An application that sends events, and counts who looks."""

    def __init__(self) -> None:
        self.open = 0

    @contextmanager
    def look(self) -> Iterator[EventViewer]:
        self.open += 1
        try:
            yield Viewer()
        finally:
            self.open -= 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await EventSocket(self.look, "no room")(scope, receive, send)


def test_a_socket_sends_events_answers_pings_and_ends() -> None:
    async def look() -> None:
        sockets = Sockets()
        async with serve_limited(application=sockets) as server:
            # The first ping comes with the handshake.
            reader, writer = await server.connect(ASK.encode() + bytes.fromhex("898537fa213d7f9f4d5158"))
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101 ")
            assert ACCEPTED.encode() in head
            frames = [await reader.readexactly(2 + 17), await reader.readexactly(2 + 5)]
            assert sorted(frames) == sorted(
                [write_frame(TEXT, b'{"event":"visit"}'), write_frame(PONG, b"Hello")]
            )
            assert sockets.open == 1
            writer.write(HELLO + bytes.fromhex("888200000000") + (1000).to_bytes(2))
            assert await read_to_end(reader) == write_frame(CLOSE, (1000).to_bytes(2))
            await wait_for(lambda: sockets.open == 0 and len(server.table) == 0)
            writer.close()

    run(look())


def test_a_socket_ends_when_its_client_leaves_or_lies() -> None:
    async def look() -> None:
        sockets = Sockets()
        async with serve_limited(application=sockets) as server:
            for lie in (b"", b"\x81\x05Hello", b"GET / HTTP/1.1\r\n\r\n"):
                reader, writer = await server.connect(ASK.encode())
                await reader.readuntil(b"}")
                writer.write(lie)
                if lie:
                    assert (await read_to_end(reader))[-2:] == (1002).to_bytes(2)
                writer.close()
                await wait_for(lambda: sockets.open == 0 and len(server.table) == 0)

    run(look())


def test_a_plain_request_is_told_what_is_spoken_here() -> None:
    async def look() -> None:
        async with serve_limited(application=Sockets()) as server:
            answer = await server.ask(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 426 ")

    run(look())
