"""How a running crawl is told something: a file of JSON lines in the web's directory, read once a second.

Whoever wants something appends an order; whoever runs the crawl carries it out. An order that changes what is to be
fetched stays in the file until the crawl has ended cleanly, so that no kill can lose it: carrying it out twice does no
harm. Orders to stop or to pause are for the run that is under way, and void when that is over.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gossamer import config
from gossamer.config import TaskSpec, from_json
from gossamer.crawl.control.rule_changes import widenings
from gossamer.errors import BadInput
from gossamer.store import lock
from gossamer.store.batch import Batch, Store, TaskNote

FILE_NAME = "control"


class _Order(msgspec.Struct, frozen=True, tag=True, tag_field="order"):
    task: int


class Stop(_Order, frozen=True, tag="stop"):
    """Stop a task; it can be gone on with later."""

    pause: bool = False
    reason: str = ""


class Continue(_Order, frozen=True, tag="continue"):
    """Go on with a task that was stopped or paused while others ran."""


class Change(_Order, frozen=True, tag="change"):
    """Tell a task some of its options anew."""

    told: dict[str, Any] = {}


class Submit(_Order, frozen=True, tag="submit"):
    """Give a task further start pages, in canonical form."""

    urls: tuple[str, ...] = ()


Order = Stop | Continue | Change | Submit

_DECODER = msgspec.json.Decoder(Order)


class Mailbox:
    """The file of orders of one web. The lock on it is held for moments only."""

    def __init__(self, folder: Path, began_bytes: int | None = None) -> None:
        self._path = folder / FILE_NAME
        self._read_bytes = 0
        self.began_bytes = self._size() if began_bytes is None else began_bytes
        """How long the file was when the run began: what stands there is from before."""

    def tell(self, order: Order) -> None:
        """Append an order."""
        try:
            with self._held(os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
                os.write(file, msgspec.json.encode(order) + b"\n")
        except OSError as error:
            raise BadInput(
                f"the crawl cannot be told: {self._path} cannot be written: {error.strerror}"
            ) from None

    def old(self) -> list[Order]:
        """Return the orders from before the run began, the first time."""
        return self._read_up_to(self.began_bytes)

    def new(self) -> list[Order]:
        """Return the orders that came since the last time."""
        return self._read_up_to(self._size())

    def _read_up_to(self, end: int) -> list[Order]:
        if end <= self._read_bytes:
            return []
        try:
            with self._held(os.O_RDONLY) as file:
                data = os.pread(file, end - self._read_bytes, self._read_bytes)
        except OSError:
            return []  # it is gone or closed to us: then nobody tells us anything
        whole = data[: data.rfind(b"\n") + 1]
        self._read_bytes += len(whole)
        return list(_orders(whole))

    def settle(self, tasks: set[int]) -> None:
        """Forget all orders for these tasks that were read: they were carried out, and that is written down."""
        if not self._path.exists():
            return
        try:
            with self._held(os.O_RDWR) as file:
                data = os.pread(file, os.fstat(file).st_size, 0)
                done, rest = data[: self._read_bytes], data[self._read_bytes :]
                others = [order for order in _orders(done) if order.task not in tasks]
                kept = b"".join(msgspec.json.encode(order) + b"\n" for order in others) + rest
                os.ftruncate(file, 0)
                os.pwrite(file, kept, 0)
                self._read_bytes = len(kept) - len(rest)
        except OSError:
            return  # orders that stay are carried out once more, which does no harm

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    @contextmanager
    def _held(self, flags: int) -> Iterator[int]:
        file = os.open(self._path, flags | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def _orders(data: bytes) -> Iterator[Order]:
    """Read orders; a line that is none was written by somebody's hand, and is passed over."""
    for line in data.splitlines():
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue


def is_running(folder: Path) -> bool:
    """Say whether somebody holds the lock of a web just now: then it is told what is wanted, else the web itself is."""
    try:
        file = os.open(folder / lock.FILE_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def carry_out_at_rest(store: Store, folder: Path, order: Order) -> None:
    """Write an order into a web that nobody is crawling; whoever calls holds its lock.

    Orders from before, which a killed crawl may not have written down, come first. Start pages wait in the mailbox for
    the next run.
    """
    mailbox = Mailbox(folder)
    for note in store.tasks():
        if note.number != order.task:
            continue
        waiting = [one for one in mailbox.new() if one.task == note.number]
        after = note
        for one in (*(one for one in waiting if isinstance(one, Change | Submit)), order):
            after = told(after, one)
            if isinstance(one, Submit):
                mailbox.tell(one)
        store.commit(written(note, after))
        mailbox.settle({note.number})


def told(note: TaskNote, order: Order) -> TaskNote:
    """Return a task that nobody runs as it is after an order."""
    replace = msgspec.structs.replace
    match order:
        case Stop(_, pause, reason) if note.state != "finished":
            return replace(note, state="paused" if pause else "stopped", reason=reason)
        case Change(_, options):
            spec = msgspec.json.encode(config.changed(spec_of(note), **options))
            return _unfinished(replace(note, spec=spec), "its options were changed")
        case Submit():
            return _unfinished(note, "start pages were submitted")
    return note


def written(before: TaskNote, after: TaskNote) -> Batch:
    """Return what writes down how a task has changed, and what there is to do because of that."""
    return Batch(tasks=[after], widenings=widenings(before.number, spec_of(before), spec_of(after)))


def _unfinished(note: TaskNote, why: str) -> TaskNote:
    """Let a task that had come to its end be one that can be gone on with."""
    if note.state != "finished":
        return note
    return msgspec.structs.replace(note, state="stopped", reason=why)


def spec_of(note: TaskNote) -> TaskSpec:
    """Read a task's options as the web keeps them."""
    return from_json(note.spec)
