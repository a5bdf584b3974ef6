"""Send an answer line by line, as it is read: a whole history would not fit into memory."""

import itertools
from collections.abc import Iterator

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_LINES = 500


class LinesResponse(Response):
    """An answer whose lines are read in threads, some at a time; the server ends it when its client goes away."""

    def __init__(
        self, lines: Iterator[bytes], media_type: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(None, headers=headers, media_type=media_type)
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send all lines."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        while part := await run_in_threadpool(self._read):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _read(self) -> bytes:
        return b"".join(itertools.islice(self._lines, _LINES))
