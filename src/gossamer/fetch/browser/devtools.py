"""Speaks the DevTools protocol with one Chromium process, over a pair of pipes and without a library between.

docs/decisions/0062-rendering.md says what that saves.
"""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

import msgspec

Params = dict[str, Any]
Listen = Callable[[str, Params], None]

# A rendered page and its pictures come as one message; a browser that sends more than this is not to be trusted.
_MOST_BYTES = 256 << 20
_WRITTEN_AT_MOST = 64 << 20
_END = b"\0"


class _Message(msgspec.Struct):
    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: Params | None = None
    session: str = msgspec.field(default="", name="sessionId")


_DECODER = msgspec.json.Decoder(_Message)
_ENCODER = msgspec.json.Encoder()


class BrowserGone(Exception):  # noqa: N818 - not an error of ours: the page is shown without a browser then
    """The browser ended, hangs, or the page in it crashed."""


class PageFailed(BrowserGone):
    """The page crashed or does not answer, and the browser is well: another try would end like this one."""


class CommandRefused(Exception):  # noqa: N818 - the browser's answer, such as for a frame that is gone
    """The browser answered a command with an error."""


class DevTools(asyncio.Protocol):
    """One connection to a Chromium process: sends commands, and passes events on by session."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Params]] = {}
        self._listeners: dict[str, Listen] = {}
        self._pieces: list[bytes] = []
        self._held_bytes = 0
        self._writer: asyncio.WriteTransport | None = None
        self.is_open = True

    def use_writer(self, writer: asyncio.WriteTransport) -> None:
        """Write commands to this pipe."""
        self._writer = writer

    def listen(self, session: str, listener: Listen) -> None:
        """Pass the events of a session on; "" is the browser itself."""
        self._listeners[session] = listener

    def forget(self, session: str) -> None:
        """Pass the events of a session on no more."""
        self._listeners.pop(session, None)

    def post(self, method: str, session: str = "", **params: Any) -> "asyncio.Future[Params]":
        """Send a command at once; its answer may be awaited, or left."""
        answer: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        if not self.is_open or self._writer is None:
            answer.set_exception(BrowserGone("the browser ended"))
        elif self._writer.get_write_buffer_size() > _WRITTEN_AT_MOST:
            answer.set_exception(BrowserGone("the browser reads nothing"))
        else:
            number = next(self._ids)
            message: Params = {"id": number, "method": method, "params": params}
            if session:
                message["sessionId"] = session
            self._waiting[number] = answer
            self._writer.write(_ENCODER.encode(message) + _END)
        answer.add_done_callback(_look_at)
        return answer

    async def send(self, method: str, session: str = "", within_s: float = 10.0, **params: Any) -> Params:
        """Send a command and return its answer; raise BrowserGone if there is none in time."""
        answer = self.post(method, session, **params)
        try:
            async with asyncio.timeout(within_s):
                return await answer
        except TimeoutError:
            raise BrowserGone(f"no answer to {method} within {within_s:.0f} s") from None

    def data_received(self, data: bytes) -> None:
        """Take in what the browser wrote; messages end with a zero byte."""
        at = 0
        while (end := data.find(_END, at)) >= 0:
            piece = data[at:end]
            message = b"".join((*self._pieces, piece)) if self._pieces else piece
            self._pieces, self._held_bytes, at = [], 0, end + 1
            self._take(message)
        if at < len(data):
            self._pieces.append(data[at:])
            self._held_bytes += len(data) - at
            if self._held_bytes > _MOST_BYTES:
                self.close("the browser sent too much")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the signature is asyncio's
        """Fail all commands that wait for an answer."""
        self.close("the browser ended")

    def close(self, why: str) -> None:
        """Close the connection; commands that wait for an answer fail."""
        if not self.is_open:
            return
        self.is_open = False
        if self._writer is not None and not self._writer.is_closing():
            self._writer.abort()
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(BrowserGone(why))
        for listener in list(self._listeners.values()):
            listener("closed", {"why": why})

    def _take(self, raw: bytes) -> None:
        try:
            message = _DECODER.decode(raw)
        except msgspec.MsgspecError:
            return
        if message.id:
            answer = self._waiting.pop(message.id, None)
            if answer is None or answer.done():
                return
            if message.error is not None:
                answer.set_exception(CommandRefused(str(message.error.get("message", ""))[:300]))
            else:
                answer.set_result(message.result)
        elif (listener := self._listeners.get(message.session)) is not None:
            listener(message.method, message.params)


def _look_at(answer: "asyncio.Future[Params]") -> None:
    """Look at an answer that may not be awaited, so that asyncio does not report its error as forgotten."""
    if not answer.cancelled():
        answer.exception()
