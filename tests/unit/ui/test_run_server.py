import asyncio
import socket
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from gossamer.errors import BadInput
from gossamer.ui.run_server import Order, Patient, serve


def test_pages_are_served_until_the_time_is_over(library: Path) -> None:
    heard: list[str] = []
    answers: list[bytes] = []

    def look(address: str) -> None:
        heard.append(address)
        looking = threading.Thread(target=lambda: answers.append(urlopen(address, timeout=20).read()))  # noqa: S310
        looking.start()

    serve(Order(library, port=0, ends_s=0.7), look)
    assert heard[0].startswith("http://127.0.0.1:")
    assert b"pages of music.web" in answers[0]


async def asked(question: bytes) -> bytes:
    """Ask a server that takes longer to answer than it waits for questions; return all that comes back."""

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.2)
        await PlainTextResponse("inside")(scope, receive, send)

    config = uvicorn.Config(slow, lifespan="off")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Patient(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(question)
    told = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    server.close()
    return told


def test_only_questions_have_to_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Patient, "patience_s", 0.05)
    begun = b"GET / HTTP/1.1\r\nHost: x\r\n"
    assert asyncio.run(asked(b"")) == b""
    assert asyncio.run(asked(begun)) == b""
    assert asyncio.run(asked(begun + b"Connection: close\r\n\r\n")).endswith(b"inside")


def test_an_address_that_is_taken_is_said_in_a_sentence(library: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="--port 0"):
            serve(Order(library, port=taken.getsockname()[1]), print)


def test_what_is_no_address_is_said_in_a_sentence(library: Path) -> None:
    with pytest.raises(BadInput, match="no address of this machine"):
        serve(Order(library, host="no.such.host.invalid", token="x" * 16), print)


def test_a_folder_without_a_web_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no web at"):
        serve(Order(tmp_path / "none"), print)
