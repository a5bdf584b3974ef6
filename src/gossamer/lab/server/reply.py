"""The reply to one request: the bytes to send, and the fields for the request log."""

import msgspec

from gossamer.lab.server.answer import Fault


class Reply(msgspec.Struct, frozen=True, gc=False):
    """What a connection sends for one request; the Date header goes between `status_line` and `head`."""

    status_line: bytes
    head: bytes
    """The rest of the head, including the blank line."""
    body: bytes
    fault: Fault | None
    keep_alive: bool
    dated: bool
    """The world supplied its own Date header."""
    body_bytes: int
    """Length of the request's body, which the connection skips."""
    from_s: float
    fresh_until_s: float
    """The same request gets this reply between these two world times."""
    host: str
    method: str
    target: str
    status: int
    agent: str
