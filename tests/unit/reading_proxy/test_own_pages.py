"""What the proxy answers itself: the script, the frame, and data for the frame alone."""

import asyncio

import pytest

from gossamer.reading_proxy.addon.own_pages import (
    MOST_BODY_BYTES,
    OwnAnswer,
    answer_at_own_host,
    answer_at_site,
    name_page_script,
    write_tag,
)

OURS = {"x-gossamer-frame": "1", "sec-fetch-site": "same-origin"}


class Server:
    """A server that keeps what it is asked."""

    def __init__(self) -> None:
        self.asked = list[tuple[str, str, bytes]]()

    async def ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        self.asked.append((method, path, body))
        return 200, b"{}"


def _answer(
    server: Server, target: str, method: str = "GET", headers: dict[str, str] | None = None, body: bytes = b""
) -> OwnAnswer:
    return asyncio.run(
        answer_at_own_host(method, target, OURS if headers is None else headers, body, server.ask)
    )


def test_the_tag_names_the_script() -> None:
    found = answer_at_site(name_page_script())
    assert found is not None
    assert b"CARDS_HOST" not in found.body
    assert write_tag("abc").decode() == f'<script async src="{name_page_script()}" nonce="abc"></script>'
    assert answer_at_site("/.well-known/gossamer-proxy/other.js") is None


def test_addresses_are_passed_on_quoted() -> None:
    server = Server()
    assert _answer(server, "/card?url=http%3A%2F%2Fa.example%2F%3Fb%26c%23").status == 200
    assert server.asked == [("GET", "/api/navigate/card?url=http%3A%2F%2Fa.example%2F%3Fb%26c%23", b"")]


@pytest.mark.parametrize(
    ("target", "method", "headers", "status"),
    [
        ("/card?url=a", "GET", {}, 403),
        ("/card?url=a", "GET", OURS | {"sec-fetch-site": "cross-site"}, 403),
        ("/marks", "POST", {"sec-fetch-site": "same-origin"}, 403),
        ("/marks", "GET", OURS, 404),
        ("/card", "POST", OURS, 404),
        ("/api/navigate/history", "GET", OURS, 404),
        ("/../card", "GET", OURS, 404),
        ("/frame", "POST", OURS, 404),
    ],
)
def test_nothing_else_reaches_the_server(
    target: str, method: str, headers: dict[str, str], status: int
) -> None:
    server = Server()
    assert _answer(server, target, method, headers).status == status
    assert server.asked == []


def test_too_long_a_body_is_refused() -> None:
    server = Server()
    assert _answer(server, "/marks", "POST", body=bytes(MOST_BODY_BYTES + 1)).status == 413
    assert server.asked == []


def test_the_frame_loads_nothing_from_elsewhere() -> None:
    found = _answer(Server(), "/frame")
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]
    assert found.headers["Content-Type"] == "text/html; charset=utf-8"
