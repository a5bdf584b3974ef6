"""Large answers wait in temporary files until their clients have read them, so that slow clients cost little memory."""

import os
import tempfile
import threading
from typing import BinaryIO
from weakref import WeakKeyDictionary

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

LARGE_BYTES = 64 * 1024
"""Larger bodies are spooled; smaller ones fit into the buffers of a connection."""
_PIECE_BYTES = 32 * 1024
# Several of the largest copies. For more, the one that was not read for longest is dropped.
_MOST_BYTES = 512 << 20


class AnswerDropped(Exception):  # noqa: N818 - named by what happened, as in errors.py
    """The rest of an answer was dropped, because other answers needed its place."""


class AnswerSpool:
    """Keeps large bodies in temporary files, up to a total size."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        # Weak, so that only answers keep them. The one that was not read for longest comes first.
        self._bodies: WeakKeyDictionary[SpooledBody, None] = WeakKeyDictionary()

    def hold(self, body: bytes | memoryview) -> "SpooledBody":
        """Write a body into a temporary file; drop others if there is not enough room."""
        # Without a name, so that nothing is left behind when the program is killed.
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with its body
        try:
            _write_all(file, body)
        except OSError:
            file.close()
            raise
        held = SpooledBody(self, file, len(body))
        with self._lock:
            self._bodies[held] = None
            held_bytes = 0
            for one in reversed(list(self._bodies)):
                held_bytes += one.size_bytes
                if held_bytes > self._most_bytes and one is not held:
                    self._drop(one)
        return held

    def read(self, body: "SpooledBody", start: int) -> bytes:
        """Return a piece of a body."""
        with self._lock:
            if body not in self._bodies:
                raise AnswerDropped
            self._bodies[body] = self._bodies.pop(body)
            # It was written a moment ago, and comes from the system's cache: no thread is needed.
            return os.pread(body.file.fileno(), _PIECE_BYTES, start)

    def _drop(self, body: "SpooledBody") -> None:
        del self._bodies[body]
        body.file.close()


class SpooledBody:
    """One body in a temporary file, which is closed with the last answer that sends it."""

    def __init__(self, spool: AnswerSpool, file: BinaryIO, size_bytes: int) -> None:
        self.spool = spool
        self.file = file
        self.size_bytes = size_bytes

    def __del__(self) -> None:
        self.file.close()


class SpooledResponse(Response):
    """Sends a spooled body piece by piece, as fast as the client reads."""

    def __init__(self, answer: Response, body: SpooledBody) -> None:
        super().__init__(status_code=answer.status_code, background=answer.background)
        self.raw_headers = answer.raw_headers
        self._body = body

    @property
    def is_dropped(self) -> bool:
        """Whether the body was dropped in favour of others."""
        return self._body.file.closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI has it
        """Send the head, then the pieces."""
        spool, body = self._body.spool, self._body
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if scope["method"] != "HEAD":
            for start in range(0, body.size_bytes, _PIECE_BYTES):
                piece = spool.read(body, start)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        if self.background is not None:
            await self.background()


def spool_if_large(answer: Response, spool: AnswerSpool) -> Response:
    """Return an answer that keeps its body in a temporary file if it is large."""
    body = getattr(answer, "body", b"")
    if len(body) <= LARGE_BYTES:
        return answer
    return SpooledResponse(answer, spool.hold(body))


def _write_all(file: BinaryIO, body: bytes | memoryview) -> None:
    left = memoryview(body)
    while left:
        left = left[file.write(left) :]
