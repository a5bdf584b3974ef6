"""Run a crawl in a thread of its own, and iterate over its pages as they are kept."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from gossamer.config import TaskSpec
from gossamer.crawl.task_counts import Tally
from gossamer.records import Page

PAGES_AHEAD = 64
"""How many pages wait for the iterating program before the crawl waits: about what a program that stops early has
fetched for nothing."""


class ObservedTask(Protocol):
    """What a display needs of a running task, in this process or in others."""

    number: int
    name: str
    spec: TaskSpec
    tally: Tally

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the task has been running, earlier runs included."""
        ...


class StoppableCrawl(Protocol):
    """A crawl, in this process or in others."""

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        ...

    def stop(self, why: str) -> None:
        """Finish the visits under way, then stop."""
        ...


class RunningCrawl:
    """A crawl that runs or is about to: what is needed to observe and to stop it."""

    def __init__(self, crawl: StoppableCrawl, tasks: Sequence[ObservedTask]) -> None:
        self.crawl = crawl
        self.tasks = tasks
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        self._loop, self._running = asyncio.get_running_loop(), asyncio.current_task()
        try:
            await self.crawl.run()
        finally:
            self._loop = self._running = None

    def stop(self, why: str = "stopped by its program") -> None:
        """Finish the visits under way, then stop."""
        self.crawl.stop(why)

    def end(self) -> None:
        """End at once; everything accepted is in the store. Waiting for the crawl raises `CancelledError`."""
        if self._running is None:
            raise KeyboardInterrupt
        self._running.cancel()

    def call_soon(self, do: Callable[[], None]) -> None:
        """Call a function between two steps of the crawl: for signal handlers, which interrupt any step."""
        if self._loop is None:
            do()
        else:
            self._loop.call_soon_threadsafe(do)


Ready = Callable[[RunningCrawl], None]


class Background:
    """A crawl in the background: `stop` it, `wait` for it. `wait` raises what went wrong."""

    def __init__(self, run: Callable[[Ready], None]) -> None:
        self._run = run
        self._crawl: RunningCrawl | None = None
        self._error: BaseException | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._work, name="gossamer crawl", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._crawl is None:
            self.wait()

    @property
    def done(self) -> bool:
        """Whether the crawl has ended."""
        return not self._thread.is_alive()

    @property
    def tasks(self) -> Sequence[ObservedTask]:
        """The tasks that take part."""
        return self._crawl.tasks if self._crawl else ()

    def stop(self, why: str = "stopped by its program") -> None:
        """Finish the visits under way, then stop."""
        if self._crawl is not None:
            self._crawl.stop(why)

    def wait(self, time_s: float | None = None) -> bool:
        """Wait until the crawl has ended, at most `time_s` seconds; return whether it has."""
        self._thread.join(time_s)
        if self._error is not None:
            raise self._error
        return self.done

    def _work(self) -> None:
        try:
            self._run(self._start)
        except BaseException as error:  # noqa: BLE001 - raised again where the crawl is waited for
            self._error = error
        finally:
            self._started.set()

    def _start(self, crawl: RunningCrawl) -> None:
        self._crawl = crawl
        self._started.set()


class PageStream:
    """The pages of a crawl, each as soon as it is kept; the crawl starts and ends with the loop.

    It serves `for page in …` and `async for page in …`. Leaving the loop early stops the crawl.
    """

    def __init__(self, start: Callable[[Callable[[Page], None]], Background]) -> None:
        self._begin = start

    def __iter__(self) -> Iterator[Page]:
        waiting: queue.Queue[Page] = queue.Queue(PAGES_AHEAD)
        crawl = self._begin(waiting.put)
        try:
            while (page := _take_next(waiting, crawl)) is not None:
                yield page
            crawl.wait()
        finally:
            _stop(waiting, crawl)

    async def __aiter__(self) -> AsyncIterator[Page]:
        waiting: queue.Queue[Page] = queue.Queue(PAGES_AHEAD)
        crawl = await asyncio.to_thread(self._begin, waiting.put)
        try:
            while (page := await asyncio.to_thread(_take_next, waiting, crawl)) is not None:
                yield page
            crawl.wait()
        finally:
            await asyncio.to_thread(_stop, waiting, crawl)


def _take_next(waiting: "queue.Queue[Page]", crawl: Background) -> Page | None:
    """Return the next page, or None when the crawl has ended and all its pages were taken."""
    while True:
        ended = crawl.done
        with suppress(queue.Empty):
            return waiting.get(timeout=0.0 if ended else 0.1)
        if ended:
            return None


def _stop(waiting: "queue.Queue[Page]", crawl: Background) -> None:
    """Stop the crawl if it still runs; pages that it still keeps are in the web, but are not returned."""
    crawl.stop("its program left the loop over its pages")
    while not crawl.done:
        with suppress(queue.Empty):
            waiting.get(timeout=0.05)
