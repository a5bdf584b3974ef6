"""A process beside a crawl that keeps its index fresh: it reads the store like everybody else, and the crawl waits for nothing.

The program gives it a pipe. A byte there says that the crawl has ended and that the index has to take in what came last; the
end of the pipe without one says that the program is gone, and then nothing is worth finishing: the next refresh goes on.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from types import TracebackType

from gossamer.errors import GossamerError, MissingExtra, StoreFailed

LEAST_PAUSE_S = 5.0
_PAUSES = 2
"""It rests so many times as long as it worked: a third of a core, however large the web."""
_ENDED = b"."
_ORPHANED = 3


class Companion:
    """The program's side: the process lives as long as the `with` block, and ends when it has taken in everything."""

    def __init__(self, program: str, told: Sequence[str]) -> None:
        """Prepare to run a program of Python, with what it is told."""
        if find_spec("tantivy") is None:
            raise MissingExtra("search", "tantivy")
        self._command = [sys.executable, "-P", "-c", program, *told]

    def __enter__(self) -> "Companion":
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C is for the crawl, which says when it has ended
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _, said = self._process.communicate(_ENDED if kind is None else b"")
        if kind is None and self._process.returncode:
            last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise StoreFailed(f"the index was not kept fresh: {last}; `gossamer index` brings it up to date")


def keep_up(refresh: Callable[[], object], orders: int, least_pause_s: float = LEAST_PAUSE_S) -> str:
    """Refresh again and again until the pipe says that this was all; return what was wrong, if something was.

    While somebody else writes the index, or the disk is full, it waits: only the last refresh has to succeed.
    """
    ended = threading.Event()
    threading.Thread(target=_obey, args=(orders, ended), daemon=True).start()
    pause_s = least_pause_s
    while not ended.wait(pause_s):
        began_s = time.monotonic()
        _told(refresh)
        pause_s = max(least_pause_s, _PAUSES * (time.monotonic() - began_s))
    return _told(refresh)


def _told(refresh: Callable[[], object]) -> str:
    """Refresh; return what was wrong, if something was."""
    try:
        refresh()
    except GossamerError as error:
        return str(error)
    return ""


def _obey(orders: int, ended: threading.Event) -> None:
    """Hear that the crawl has ended, and end at once when the program is gone."""
    if not os.read(orders, 1):
        os._exit(_ORPHANED)
    ended.set()
