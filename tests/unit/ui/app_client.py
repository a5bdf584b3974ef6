"""Send requests to an ASGI application without a network."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import nullcontext

import msgspec
import pytest
from starlette.types import ASGIApp, Message


class Reply(msgspec.Struct, frozen=True):
    """The answer of an application."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def read_form_key(app: ASGIApp) -> str:
    """Return the key that forms of this server carry for a visitor without a login."""
    found = re.search(r'name="form_key" value="([^"]+)"', ask(app, "/submit").text)
    assert found is not None
    return found[1]


def ask(
    app: ASGIApp,
    address: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    raising: type[Exception] | None = None,
) -> Reply:
    """Send one request to an application and return its answer; with `raising`, the application must also raise this."""
    path, _, query = address.partition("?")
    all_headers = {"host": "127.0.0.1:8080", "content-length": str(len(body)), **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in all_headers.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8080),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    with pytest.raises(raising) if raising else nullcontext():
        asyncio.run(run())
    first, *rest = sent
    fields = {name.decode(): value.decode() for name, value in first["headers"]}
    return Reply(first["status"], fields, b"".join(message.get("body", b"") for message in rest))
