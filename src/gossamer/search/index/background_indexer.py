"""Keep the index fresh during a crawl, in a process of its own that the crawl never waits for.

The crawling program controls the process through a pipe. A byte means that the crawl has ended and that the last pages have to
be indexed. The end of the pipe without a byte means that the program is gone: the process exits at once, and the next refresh
continues.
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
"""It pauses this many times as long as it worked: a third of a core, however large the web."""
_ENDED = b"."
_ORPHANED = 3


class BackgroundIndexer:
    """The process, as the crawling program sees it: it runs during the `with` block, whose end waits for the last refresh."""

    def __init__(self, program: str, arguments: Sequence[str]) -> None:
        """Prepare to run a Python program with some arguments."""
        if find_spec("tantivy") is None:
            raise MissingExtra("search", "tantivy")
        self._command = [sys.executable, "-P", "-c", program, *arguments]

    def __enter__(self) -> "BackgroundIndexer":
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C is for the crawl, which tells this process when it has ended
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _, output = self._process.communicate(_ENDED if kind is None else b"")
        if kind is None and self._process.returncode:
            last = output.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise StoreFailed(f"the index is not up to date: {last}; `gossamer index` brings it up to date")


def refresh_until_end(
    refresh: Callable[[], object], control: int, least_pause_s: float = LEAST_PAUSE_S
) -> str:
    """Refresh repeatedly until the pipe `control` reports the end of the crawl, then once more; return an error message or "".

    Errors before the last refresh are ignored: another writer of the index, or a full disk, may be temporary.
    """
    ended = threading.Event()
    threading.Thread(target=_await_end, args=(control, ended), daemon=True).start()
    pause_s = least_pause_s
    while not ended.wait(pause_s):
        began_s = time.monotonic()
        _try_refresh(refresh)
        pause_s = max(least_pause_s, _PAUSES * (time.monotonic() - began_s))
    return _try_refresh(refresh)


def _try_refresh(refresh: Callable[[], object]) -> str:
    """Refresh; return an error message, or "" on success."""
    try:
        refresh()
    except GossamerError as error:
        return str(error)
    return ""


def _await_end(control: int, ended: threading.Event) -> None:
    """Wait for the end of the crawl; exit the process at once if the crawling program is gone."""
    if not os.read(control, 1):
        os._exit(_ORPHANED)
    ended.set()
