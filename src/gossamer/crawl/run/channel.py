"""How a shard in a process of its own is told what to do, and tells what happens: MessagePack through a socket and a
pipe.
"""

import os
import socket
import struct
import threading
import traceback
from typing import Any

import msgspec

from gossamer.crawl.events import Event, Notice, PageVisited, Progress, TaskEnded, TrapFound
from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.records import Page

_LENGTH = struct.Struct("<I")
_TOLD_EVERY_S = 0.1


class Job(msgspec.Struct, frozen=True):
    """What a shard has to know before it begins; which tasks take part, the web says."""

    folder: str
    state: str
    shard: int
    shards: int
    fresh: bool
    """Whether nobody can have asked any host a moment ago."""
    mailbox_bytes: int
    """How long the file of orders was when the run began."""
    functions: bytes
    """The functions of the tasks, by their numbers, as `functions.packed` gives them."""
    heard: frozenset[int]
    """Tasks whose pages somebody listens to."""


class Stop(msgspec.Struct, frozen=True):
    """Let what is under way come to its end, then stop."""

    why: str


class PageKept(Event, frozen=True, tag="kept"):
    """A page was kept, and somebody listens."""

    task: int
    page: Page


class Broken(Event, frozen=True, tag="broken"):
    """The shard cannot go on."""

    kind: str
    text: str
    full: bool = False

    def error(self) -> Exception:
        """Return what the shard would have raised in this process."""
        match self.kind:
            case "StoreFailed":
                return StoreFailed(self.text, self.full)
            case "BadInput":
                return BadInput(self.text)
        return RuntimeError(f"a shard failed:\n{self.text}")


def broken(error: BaseException, when_s: float) -> Broken:
    """Say why a shard cannot go on."""
    if isinstance(error, StoreFailed):
        return Broken(when_s, "StoreFailed", str(error), error.full)
    if isinstance(error, GossamerError):
        return Broken(when_s, "BadInput", str(error))
    return Broken(when_s, "", "".join(traceback.format_exception(error)))


_EVENTS = msgspec.msgpack.Decoder(
    list[PageVisited | TrapFound | Progress | Notice | TaskEnded | PageKept | Broken]
)
_ENCODER = msgspec.msgpack.Encoder()


def framed(message: Any) -> bytes:
    """Return a message as it goes through a pipe: its length, then itself."""
    packed = _ENCODER.encode(message)
    return _LENGTH.pack(len(packed)) + packed


def events_in(packed: bytes) -> list[Any]:
    """Return the events of one message."""
    return _EVENTS.decode(packed)


def length_of(head: bytes) -> int:
    """Return the length of the message of which these are the first bytes."""
    return int(_LENGTH.unpack(head)[0])


HEAD_BYTES = _LENGTH.size


def read_message(file: int) -> bytes | None:
    """Wait for a whole message; None if nobody is left who could send one."""
    head = _read(file, HEAD_BYTES)
    return _read(file, length_of(head)) if head is not None else None


def receive_files(control: int, number: int) -> list[int]:
    """Wait for as many open files as the first message brings; none if nobody is left who could send them."""
    with socket.socket(fileno=os.dup(control)) as way:
        return list(socket.recv_fds(way, 1, number)[1])


def _read(file: int, size: int) -> bytes | None:
    shard = []
    while size:
        part = os.read(file, size)
        if not part:
            return None
        shard.append(part)
        size -= len(part)
    return b"".join(shard)


class Outbox:
    """Tells the parent what happens; pages that follow closely are told together."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._events: list[Any] = []
        self._told_s = 0.0
        self._turn = threading.Lock()

    def hear(self, event: Any) -> None:
        """Pass an event on. Waits if the parent cannot keep up."""
        with self._turn:
            self._events.append(event)
            if type(event) is PageVisited and event.when_s < self._told_s + _TOLD_EVERY_S:
                return
            self._told_s = event.when_s
            events, self._events = self._events, []
            message = memoryview(framed(events))
            while message:
                message = message[os.write(self._file, message) :]
