"""Show those who started a fetcher that it is alive: touch a file now and then, and tell systemd's watchdog.

A sign of life does not depend on the database: a fetcher that waits for it is alive, and restarting it would lose what it has
fetched. It ends when the process hangs.
"""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gossamer.errors import BadInput

EVERY_S = 5.0


@contextmanager
def show_life(is_working: Callable[[], bool], file: Path | None, every_s: float = EVERY_S) -> Iterator[None]:
    """Show signs of life while the block runs, as long as `is_working` says so."""
    notified = os.environ.get("NOTIFY_SOCKET", "") if "WATCHDOG_USEC" in os.environ else ""
    if file is None and not notified:
        yield
        return
    if file is not None:
        _try_touch(file)
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(every_s):
            if is_working():
                _show_once(file, notified)

    _show_once(file, notified)
    thread = threading.Thread(target=run, name="sign of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show_once(file: Path | None, notified: str) -> None:
    # A full disk must not end the signs: the next one may succeed.
    with suppress(OSError):
        if file is not None:
            file.touch()
    if notified:
        _send(notified, b"WATCHDOG=1")


def tell_systemd(news: str) -> None:
    """Tell systemd, if it has started this process, that it is ready (READY=1) or ends (STOPPING=1)."""
    notified = os.environ.get("NOTIFY_SOCKET", "")
    if notified:
        _send(notified, news.encode("ascii"))


def _send(notified: str, message: bytes) -> None:
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        # A name that begins with @ is one without a file, for which the system writes NUL.
        line.connect("\0" + notified[1:] if notified.startswith("@") else notified)
        line.send(message)


def _try_touch(file: Path) -> None:
    try:
        file.touch()
    except OSError as error:
        raise BadInput(f"{file} cannot be written as a sign of life: {error.strerror}") from None
