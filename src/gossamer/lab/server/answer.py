"""The records between a world and the server: request, answer, fault, and what a world must implement.

A world (synthetic, recorded or a folder) turns a `LabRequest` into a `LabAnswer` without network access; the
server sends it. An answer can carry a `Fault`, which says how sending it goes wrong.
"""

from typing import Literal, Protocol, Self, runtime_checkable

import msgspec

from gossamer.net.dates import parse_date


class LabRequest(msgspec.Struct, frozen=True, gc=False):
    """One HTTP request, as read by the server."""

    method: str
    host: str
    """Host header in lower case, port included when the client sent one."""
    target: str
    """Path and query as sent."""
    headers: dict[str, str] = {}
    """Lower-case names; the last of equal names wins."""

    def has_version(self, tag: str, last_modified: str) -> bool:
        """Tell whether the client has this version: by its tags, or by its date if it sent none.

        Source: RFC 9110, section 13.2.2.
        """
        tags = self.headers.get("if-none-match")
        if tags is not None:
            return tags.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in tags.split(","))
        since = parse_date(self.headers.get("if-modified-since", ""))
        changed = parse_date(last_modified)
        return since is not None and changed is not None and changed <= since


class Fault(msgspec.Struct, frozen=True, gc=False):
    """How sending an answer goes wrong. Fields combine; the default sends it correctly."""

    delay_s: float = 0.0
    """Wait before the first byte."""
    bytes_per_s: float = 0.0
    """Send the body at this speed; 0 is as fast as possible."""
    stall_after: int = -1
    """Send this many bytes of the body, then nothing, and leave the connection open; -1 for no stall."""
    reset_after: int = -1
    """Send this many bytes of the body, then reset the connection (TCP RST); -1 for no reset."""
    close_after: int = -1
    """Send this many bytes of the body, then close (TCP FIN): a truncated body; -1 for the whole body."""
    length_added: int = 0
    """Added to the true Content-Length."""
    malformed: Literal["", "status", "header", "no-colon", "nul", "chunk"] = ""
    """Which part of the head, or of the chunked framing, is not valid HTTP."""
    endless: Literal["", "headers", "body"] = ""
    """Send headers, or body, until the client disconnects or the server's limit is reached."""


class LabAnswer(msgspec.Struct, frozen=True, gc=False):
    """The answer to a request. The server adds Content-Length and Connection."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    fault: Fault | None = None
    fresh_until_s: float = 0.0
    """The server may cache the answer until this world time, for a request with identical headers; 0 disables
    caching."""


def answer_with_text(status: int, sentence: str, *headers: tuple[str, str]) -> LabAnswer:
    """Return an answer with a status and one sentence of plain text."""
    content_type = ("Content-Type", "text/plain; charset=utf-8")
    return LabAnswer(status, (content_type, *headers), f"{sentence}\n".encode())


class Answering(Protocol):
    """What can be served: a synthetic world, a recording, folders, or a class of your own."""

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request at the world's time `now_s`."""
        ...

    def hosts(self) -> list[str]:
        """Return the names of this world's hosts, without port."""
        ...


@runtime_checkable
class LocatedWorld(Answering, Protocol):
    """A world that also knows the addresses of its hosts and its start URLs."""

    def with_port(self, port: int) -> Self:
        """Return the same world with this port in its absolute URLs."""
        ...

    def host_map(self) -> dict[str, str]:
        """Map each host name to its 127.x.y.z address; empty if the names are the addresses."""
        ...

    def seeds(self) -> list[str]:
        """Return absolute URLs to start at."""
        ...
