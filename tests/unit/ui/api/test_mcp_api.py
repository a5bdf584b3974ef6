import json
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp
from tests.unit.mcp.messages import (
    INITIALIZED,
    LIST_TOOLS,
    VERSION_2026,
    make_call,
    make_discover,
    make_initialize,
)
from tests.unit.ui.app_client import Reply, ask

from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
SECRET = "secret-of-the-readers"  # noqa: S105
TOKEN = {"authorization": f"Bearer {SECRET}"}


def post(app: ASGIApp, message: object, headers: dict[str, str] | None = None) -> Reply:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return ask(app, "/mcp", "POST", JSON | (headers or {}), body)


def read(reply: Reply) -> Any:
    assert reply.headers["content-type"] == "application/json"
    return json.loads(reply.body)


def test_a_client_with_a_handshake_is_served(app: ASGIApp) -> None:
    hello = post(app, make_initialize())
    assert (hello.status, read(hello)["result"]["protocolVersion"]) == (200, "2025-06-18")
    assert "mcp-session-id" not in hello.headers
    noted = post(app, INITIALIZED, {"mcp-protocol-version": "2025-06-18"})
    assert (noted.status, noted.body) == (202, b"")
    tools = read(post(app, LIST_TOOLS, {"mcp-protocol-version": "2025-06-18"}))["result"]["tools"]
    assert tools[0]["name"] == "ask"
    found = read(post(app, make_call("ask", {"question": "how many symphonies did Haydn write"})))["result"]
    assert "more than a hundred symphonies" in found["structuredContent"]["passages"][0]["text"]


def test_a_client_without_a_handshake_is_served(app: ASGIApp) -> None:
    named = {"mcp-protocol-version": "2026-07-28"}
    assert read(post(app, make_discover(), named))["result"]["resultType"] == "complete"
    headers = {**named, "mcp-method": "tools/call", "mcp-name": "search"}
    found = read(post(app, make_call("search", {"query": "haydn"}, VERSION_2026), headers))["result"]
    assert found["structuredContent"]["total"] > 0


@pytest.mark.parametrize(
    ("message", "headers", "status", "code"),
    [
        (b"nonsense", {}, 400, -32700),
        (b"[]", {}, 400, -32600),
        (b"x" * 200_000, {}, 400, -32600),
        (LIST_TOOLS, {"mcp-protocol-version": "1999-01-01"}, 400, -32022),
        (make_discover("2099-01-01"), {"mcp-protocol-version": "2026-07-28"}, 400, -32022),
        (make_discover(), {"mcp-protocol-version": "2025-06-18"}, 400, -32020),
        (make_call("search", {"query": "x"}), {"mcp-name": "ask"}, 200, -32020),
        ({"jsonrpc": "2.0", "id": 1, "method": "x"}, {}, 200, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "x"}, {"mcp-protocol-version": "2026-07-28"}, 404, -32601),
        (make_call("remove", {}), {}, 200, -32602),
    ],
)
def test_what_cannot_be_answered_gets_an_error(
    app: ASGIApp, message: object, headers: dict[str, str], status: int, code: int
) -> None:
    reply = post(app, message, headers)
    assert (reply.status, read(reply)["error"]["code"]) == (status, code)


def test_pages_of_other_sites_cannot_use_it(app: ASGIApp) -> None:
    assert post(app, LIST_TOOLS, {"origin": "https://evil.example"}).status == 403
    assert post(app, LIST_TOOLS, {"host": "evil.example"}).status == 421


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(app: ASGIApp, method: str) -> None:
    reply = ask(app, "/mcp", method, {"accept": "text/event-stream"})
    assert reply.status == 405


def test_a_server_with_a_token_wants_it(library: Path) -> None:
    with PageContext(library) as context:
        app = make_application(context, Guard(token=SECRET))
        refused = post(app, LIST_TOOLS)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, 'Bearer realm="gossamer"')
        assert post(app, LIST_TOOLS, {"authorization": "Bearer wrong"}).status == 401
        assert post(app, LIST_TOOLS, TOKEN).status == 200
        plain = post(app, LIST_TOOLS, TOKEN | {"content-type": "text/plain"})
        assert (plain.status, read(plain)["error"]["code"]) == (415, -32600)
