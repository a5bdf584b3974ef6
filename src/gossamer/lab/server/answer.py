"""What a lab host is asked and what it answers: the records between the worlds and the server.

A world (synthetic, replayed or a folder) turns `LabRequest` into `LabAnswer` without any I/O; the server only
sends. An answer can carry a `Fault`, which says how the sending goes wrong.
"""

from typing import Literal, Protocol, Self, runtime_checkable

import msgspec


class LabRequest(msgspec.Struct, frozen=True, gc=False):
    """One HTTP request, as the server read it."""

    method: str
    host: str
    """Host header in lower case, port included when the client sent one."""
    target: str
    """Path and query as sent."""
    headers: dict[str, str] = {}
    """Lower-case names; the last of equal names wins."""


class Fault(msgspec.Struct, frozen=True, gc=False):
    """How sending an answer goes wrong. Fields combine; the default sends it properly."""

    delay_s: float = 0.0
    """Wait before the first byte."""
    bytes_per_s: float = 0.0
    """Drip the body at this speed; 0 is as fast as possible."""
    stall_after: int = -1
    """Send so many bytes of the body, then nothing more while the connection stays open."""
    reset_after: int = -1
    """Send so many bytes of the body, then reset the connection (TCP RST)."""
    close_after: int = -1
    """Send so many bytes of the body, then close politely: a truncated body."""
    length_added: int = 0
    """Content-Length is wrong by this much."""
    malformed: Literal["", "status", "header", "no-colon", "nul", "chunk"] = ""
    """Which part of the head (or of the chunked framing) is not HTTP."""
    endless: Literal["", "headers", "body"] = ""
    """Send headers, or body, for ever (until the client leaves or the server's bound is reached)."""


class LabAnswer(msgspec.Struct, frozen=True, gc=False):
    """What is sent back. Content-Length and Connection are the server's business."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    fault: Fault | None = None
    fresh_until_s: float = 0.0
    """World time before which the very same request (all headers alike) gets this very answer, so that
    the server may keep it; 0 asks the world each time."""


class Answering(Protocol):
    """Anything that can be served: a synthetic world, a recording, folders."""

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request at the world's time `now_s`."""
        ...

    def hosts(self) -> list[str]:
        """Return the host names that this world answers for, without port."""
        ...


@runtime_checkable
class LocatedWorld(Answering, Protocol):
    """A world that knows where its hosts stand, and where a crawl of it can begin."""

    def with_port(self, port: int) -> Self:
        """Return the same world with this port in its absolute URLs."""
        ...

    def host_map(self) -> dict[str, str]:
        """Map each host name to its 127.x.y.z address; empty where hosts are called by their address."""
        ...

    def seeds(self) -> list[str]:
        """Return absolute URLs to start at."""
        ...
