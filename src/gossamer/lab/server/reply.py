"""An answer as it goes over the wire, and what the request log notes of it."""

import msgspec

from gossamer.lab.server.answer import Fault


class Reply(msgspec.Struct, frozen=True, gc=False):
    """What the connection sends for one request; the Date goes between `status_line` and `head`."""

    status_line: bytes
    head: bytes
    """The rest of the head, with the blank line."""
    body: bytes
    fault: Fault | None
    keep_alive: bool
    dated: bool
    """The world gave a Date of its own."""
    body_bytes: int
    """How many bytes of the request's body are to be skipped."""
    from_s: float
    fresh_until_s: float
    """World times between which the same request gets this reply."""
    host: str
    method: str
    target: str
    status: int
    agent: str
