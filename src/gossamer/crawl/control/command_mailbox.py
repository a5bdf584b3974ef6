"""The mailbox of a web: orders for a running crawl, as JSON lines in a file that it reads several times a second.

Another process appends an order, and the crawl carries it out. An order that changes what is fetched stays in the file
until the crawl has ended cleanly, so that no kill can lose it: carrying it out twice does no harm. Orders to stop or to
pause hold only for the current run.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec

from gossamer import config
from gossamer.config import TaskSpec, from_json
from gossamer.crawl.control.rule_changes import find_widenings
from gossamer.errors import BadInput
from gossamer.store import lock
from gossamer.store.batch import Batch, Store, TaskNote

FILE_NAME = "control"


class _Order(msgspec.Struct, frozen=True, tag=True, tag_field="order"):
    task: int


class Stop(_Order, frozen=True, tag="stop"):
    """Stop a task; it can be resumed later."""

    pause: bool = False
    reason: str = ""


class Continue(_Order, frozen=True, tag="continue"):
    """Resume a task that was stopped or paused while others ran."""


class Change(_Order, frozen=True, tag="change"):
    """Change some options of a task."""

    told: dict[str, Any] = {}


class Submit(_Order, frozen=True, tag="submit"):
    """Give a task further start pages, in canonical form."""

    urls: tuple[str, ...] = ()


class Withdraw(_Order, frozen=True, tag="withdraw"):
    """Take back start pages that were submitted to a task, in canonical form, unless they were visited already."""

    urls: tuple[str, ...] = ()


Order = Stop | Continue | Change | Submit | Withdraw

_DECODER = msgspec.json.Decoder(Order)


class OrderBox(Protocol):
    """Orders for a running crawl."""

    def append(self, order: Order) -> None:
        """Append an order."""
        ...

    def read_old(self) -> list[Order]:
        """Return the orders from before the run began; empty after the first call."""
        ...

    def read_new(self) -> list[Order]:
        """Return the orders that came since the last call."""
        ...

    def forget(self, tasks: set[int]) -> None:
        """Remove the orders for these tasks that were read: they were carried out, and the result is written."""
        ...


class Mailbox:
    """The file of orders of one web. Its lock is held only briefly."""

    def __init__(self, folder: Path, began_bytes: int | None = None) -> None:
        self._path = folder / FILE_NAME
        self._read_bytes = 0
        self.began_bytes = self._size() if began_bytes is None else began_bytes
        """The length of the file when the run began: orders before it are from earlier."""

    def append(self, order: Order) -> None:
        """Append an order."""
        try:
            with self._open_locked(os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
                os.write(file, msgspec.json.encode(order) + b"\n")
        except OSError as error:
            raise BadInput(
                f"the order cannot reach the crawl: {self._path} cannot be written: {error.strerror}"
            ) from None

    def read_old(self) -> list[Order]:
        """Return the orders from before the run began; empty after the first call."""
        return self._read_up_to(self.began_bytes)

    def read_new(self) -> list[Order]:
        """Return the orders that came since the last call."""
        return self._read_up_to(self._size())

    def _read_up_to(self, end: int) -> list[Order]:
        if end <= self._read_bytes:
            return []
        try:
            with self._open_locked(os.O_RDONLY) as file:
                data = os.pread(file, end - self._read_bytes, self._read_bytes)
        except OSError:
            return []  # the file is gone or not readable: there are no orders
        whole = data[: data.rfind(b"\n") + 1]
        self._read_bytes += len(whole)
        return list(decode_orders(whole))

    def forget(self, tasks: set[int]) -> None:
        """Remove the orders for these tasks that were read: they were carried out, and the result is written."""
        if not self._path.exists():
            return
        try:
            with self._open_locked(os.O_RDWR) as file:
                data = os.pread(file, os.fstat(file).st_size, 0)
                done, rest = data[: self._read_bytes], data[self._read_bytes :]
                others = [order for order in decode_orders(done) if order.task not in tasks]
                kept = b"".join(msgspec.json.encode(order) + b"\n" for order in others) + rest
                os.ftruncate(file, 0)
                os.pwrite(file, kept, 0)
                self._read_bytes = len(kept) - len(rest)
        except OSError:
            return  # orders that stay are carried out again, which does no harm

    def rewrite(self, change: Callable[[Order], Order]) -> None:
        """Replace each order by what `change` makes of it; no crawl may be reading them."""
        with suppress(OSError), self._open_locked(os.O_RDWR) as file:
            data = os.pread(file, os.fstat(file).st_size, 0)
            kept = b"".join(msgspec.json.encode(change(order)) + b"\n" for order in decode_orders(data))
            os.ftruncate(file, 0)
            os.pwrite(file, kept, 0)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    @contextmanager
    def _open_locked(self, flags: int) -> Iterator[int]:
        file = os.open(self._path, flags | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def decode_orders(data: bytes) -> Iterator[Order]:
    """Yield the orders; skip lines that are not orders."""
    for line in data.splitlines():
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue


def is_running(folder: Path) -> bool:
    """Say whether a crawl holds the lock of a web: then orders go to its mailbox, otherwise straight into the store."""
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


def apply_at_rest(store: Store, mailbox: OrderBox, order: Order) -> None:
    """Apply an order to a web that is not being crawled; the caller holds its lock.

    Earlier orders, which a killed crawl may not have written, come first. Start pages wait in the mailbox for the next
    run.
    """
    for note in store.tasks():
        if note.number != order.task:
            continue
        waiting = [one for one in mailbox.read_new() if one.task == note.number]
        after = note
        gone = set(order.urls) if isinstance(order, Withdraw) else set()
        for one in (*(one for one in waiting if not isinstance(one, Stop | Continue)), order):
            after = apply_order(after, one)
            if isinstance(one, Submit) and (kept := tuple(url for url in one.urls if url not in gone)):
                mailbox.append(Submit(one.task, kept))
            elif isinstance(one, Withdraw) and one is not order:
                mailbox.append(one)  # the next run reads it after the submission that it takes back
        store.commit(make_change(note, after))
        mailbox.forget({note.number})


def apply_order(note: TaskNote, order: Order) -> TaskNote:
    """Return a task that is not running as it is after an order."""
    replace = msgspec.structs.replace
    match order:
        case Stop(_, pause, reason) if note.state != "finished":
            return replace(note, state="paused" if pause else "stopped", reason=reason)
        case Change(_, options):
            spec = msgspec.json.encode(config.replace_options(read_spec(note), **options))
            return _reopen(replace(note, spec=spec), "its options were changed")
        case Submit():
            return _reopen(note, "start pages were submitted")
        case Withdraw(_, urls):
            return replace(note, spec=msgspec.json.encode(remove_start_pages(read_spec(note), urls)))
    return note


def remove_start_pages(spec: TaskSpec, pages: Iterable[str]) -> TaskSpec:
    """Return a task without some of its start pages, which are given in canonical form."""
    gone = set(pages)
    kept = [url for url in spec.seeds if url not in gone]
    return config.replace_options(spec, seeds=kept)


def make_change(before: TaskNote, after: TaskNote) -> Batch:
    """Return the batch that writes a changed task, with the widenings that follow from it."""
    return Batch(tasks=[after], widenings=find_widenings(before.number, read_spec(before), read_spec(after)))


def _reopen(note: TaskNote, why: str) -> TaskNote:
    """Make a finished task resumable."""
    if note.state != "finished":
        return note
    return msgspec.structs.replace(note, state="stopped", reason=why)


def read_spec(note: TaskNote) -> TaskSpec:
    """Decode the options of a stored task."""
    return from_json(note.spec)
