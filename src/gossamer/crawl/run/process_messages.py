"""Messages between the parent and a shard process: MessagePack through a socket and a pipe."""

import os
import socket
import struct
import threading
import traceback
from typing import Any

import msgspec

from gossamer.crawl.events import (
    Event,
    LogLine,
    Notice,
    PageVisited,
    Progress,
    TaskEnded,
    TopicFound,
    TrapFound,
)
from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.records import Page

_LENGTH = struct.Struct("<I")
_SEND_EVERY_S = 0.1


class ShardJob(msgspec.Struct, frozen=True):
    """What a shard must know before it starts; the store says which tasks take part."""

    folder: str
    state: str
    shard: int
    shards: int
    fresh: bool
    """Whether this is the first run, so that no host can have been asked a moment ago."""
    mailbox_bytes: int
    """The length of the mailbox file when the run began."""
    functions: bytes
    """The functions of the tasks by number, as `task_functions.pack` returns them."""
    with_listeners: frozenset[int]
    """Tasks that have listeners in the parent."""
    is_verbose: bool = False
    """Whether each step of a visit is told, for the log."""


class StopShard(msgspec.Struct, frozen=True):
    """Finish the visits under way, then stop."""

    why: str


class PageKept(Event, frozen=True, tag="kept"):
    """A page of a task with listeners was kept."""

    task: int
    page: Page


class ShardFailed(Event, frozen=True, tag="broken"):
    """The shard cannot continue."""

    kind: str
    text: str
    full: bool = False

    def to_error(self) -> Exception:
        """Return the exception that the shard would have raised in this process."""
        match self.kind:
            case "StoreFailed":
                return StoreFailed(self.text, self.full)
            case "BadInput":
                return BadInput(self.text)
        return RuntimeError(f"a shard failed:\n{self.text}")


def describe_failure(error: BaseException, when_s: float) -> ShardFailed:
    """Return the event that reports why a shard cannot continue."""
    if isinstance(error, StoreFailed):
        return ShardFailed(when_s, "StoreFailed", str(error), error.full)
    if isinstance(error, GossamerError):
        return ShardFailed(when_s, "BadInput", str(error))
    return ShardFailed(when_s, "", "".join(traceback.format_exception(error)))


_EVENTS = msgspec.msgpack.Decoder(
    list[
        PageVisited
        | TrapFound
        | TopicFound
        | Progress
        | Notice
        | LogLine
        | TaskEnded
        | PageKept
        | ShardFailed
    ]
)
_ENCODER = msgspec.msgpack.Encoder()


def frame(message: Any) -> bytes:
    """Return a message as it goes through a pipe: its length, then its bytes."""
    packed = _ENCODER.encode(message)
    return _LENGTH.pack(len(packed)) + packed


def decode_events(packed: bytes) -> list[Any]:
    """Return the events of one message."""
    return _EVENTS.decode(packed)


def read_length(head: bytes) -> int:
    """Return the length of the message that begins with these bytes."""
    return int(_LENGTH.unpack(head)[0])


HEAD_BYTES = _LENGTH.size


def read_message(file: int) -> bytes | None:
    """Wait for a whole message; None if the other end is closed."""
    head = _read_bytes(file, HEAD_BYTES)
    return _read_bytes(file, read_length(head)) if head is not None else None


def receive_files(control: int, number: int) -> list[int]:
    """Wait for the open files that the first message brings; none if the other end is closed."""
    with socket.socket(fileno=os.dup(control)) as end:
        return list(socket.recv_fds(end, 1, number)[1])


def _read_bytes(file: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(file, size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class Outbox:
    """Sends events to the parent; pages in quick succession are sent together."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._events: list[Any] = []
        self._sent_s = 0.0
        self._lock = threading.Lock()

    def send(self, event: Any) -> None:
        """Send an event; wait if the parent cannot keep up."""
        with self._lock:
            self._events.append(event)
            if type(event) is PageVisited and event.when_s < self._sent_s + _SEND_EVERY_S:
                return
            self._sent_s = event.when_s
            events, self._events = self._events, []
            message = memoryview(frame(events))
            while message:
                message = message[os.write(self._file, message) :]
