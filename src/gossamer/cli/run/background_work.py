"""Work that waits for the network, in one thread for each kind, so that the runner goes on: telling, and looking at sitemaps."""

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class BackgroundWork(Generic[Result]):
    """One piece of work at a time in a thread that does not keep the program from ending."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self.is_busy = False

    def start(self, work: Callable[[], Result]) -> None:
        """Begin a piece of work; there must be none under way."""
        self.is_busy = True
        threading.Thread(target=self._run, args=(work,), name=self._name, daemon=True).start()

    def _run(self, work: Callable[[], Result]) -> None:
        self._results.put(work())

    def take_result(self) -> Result | None:
        """Return the result of a piece of work that has ended; None if there is none."""
        try:
            result = self._results.get_nowait()
        except queue.Empty:
            return None
        self.is_busy = False
        return result
