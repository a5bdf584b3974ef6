import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from gossamer.errors import BadInput
from gossamer.ui import forms


def sent(*parts: bytes, length: str = "5", ends: bool = True) -> Request:
    """Return a request that brings these parts, and perhaps never its end."""
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    last = {"type": "http.request", "body": b"", "more_body": False}

    async def receive() -> Message:
        if not waiting and not ends:
            await asyncio.Event().wait()
        return waiting.pop(0) if waiting else last

    scope = {"type": "http", "method": "POST", "headers": [(b"content-length", length.encode())]}
    return Request(scope, receive)


def test_fields_are_read_from_parts() -> None:
    assert asyncio.run(forms.fields_of(sent(b"a=1&", b"b=", b"&a=2"))) == {"a": "2", "b": ""}


@pytest.mark.parametrize(
    "request_",
    [sent(b"x" * 60_000, b"x" * 60_000), sent(length="100001"), sent(length=""), sent(length="9" * 5000)],
    ids=["more than it says", "too long", "of no length", "of endless length"],
)
def test_too_much_is_refused(request_: Request) -> None:
    with pytest.raises(BadInput, match="more was sent"):
        asyncio.run(forms.body_of(request_))


def test_what_does_not_come_to_an_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "_PATIENCE_S", 0.01)
    with pytest.raises(BadInput, match="did not come to its end"):
        asyncio.run(forms.body_of(sent(b"a=", ends=False)))
