import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from gossamer.errors import BadInput
from gossamer.ui import forms


def make_request(*parts: bytes, length: str = "5", ends: bool = True, chunked: bool = False) -> Request:
    """Return a request with these parts, which may never end."""
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    last = {"type": "http.request", "body": b"", "more_body": False}

    async def receive() -> Message:
        if not waiting and not ends:
            await asyncio.Event().wait()
        return waiting.pop(0) if waiting else last

    header = (b"transfer-encoding", b"chunked") if chunked else (b"content-length", length.encode())
    scope = {"type": "http", "method": "POST", "headers": [header]}
    return Request(scope, receive)


def test_fields_are_read_from_parts() -> None:
    assert asyncio.run(forms.read_fields(make_request(b"a=1&", b"b=", b"&a=2"))) == {"a": "2", "b": ""}


def test_chunked_bodies_are_read() -> None:
    assert asyncio.run(forms.read_fields(make_request(b"a=1", b"&b=2", chunked=True))) == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    "request_",
    [
        make_request(b"x" * 60_000, b"x" * 60_000),
        make_request(length="100001"),
        make_request(length=""),
        make_request(length="9" * 5000),
        make_request(b"x" * 60_000, b"x" * 60_000, chunked=True),
    ],
    ids=[
        "longer than it says",
        "too long",
        "without a length",
        "with an endless length",
        "in too many chunks",
    ],
)
def test_long_bodies_are_refused(request_: Request) -> None:
    with pytest.raises(BadInput, match="the request is too long"):
        asyncio.run(forms.read_body(request_))


def test_slow_bodies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "_TIMEOUT_S", 0.01)
    with pytest.raises(BadInput, match="did not arrive in time"):
        asyncio.run(forms.read_body(make_request(b"a=", ends=False)))


def test_a_client_that_goes_before_its_body_arrived_is_no_bug() -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-length", b"5")]}
    with pytest.raises(BadInput, match="has gone"):
        asyncio.run(forms.read_body(Request(scope, receive)))
