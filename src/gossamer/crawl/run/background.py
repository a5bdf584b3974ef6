"""A crawl in a thread of its own, and its pages as they come: for programs that have other things to do."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from gossamer.config import TaskSpec
from gossamer.crawl.task_counts import Tally
from gossamer.records import Page

PAGES_AHEAD = 1000
"""So many pages wait for whoever iterates; then the crawl waits."""


class Followed(Protocol):
    """A task that takes part, in this process or in others: what is needed to follow it."""

    number: int
    name: str
    spec: TaskSpec
    tally: Tally

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the task has been running, earlier runs included."""
        ...


class Stoppable(Protocol):
    """A crawl, in this process or in others."""

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        ...

    def stop(self, why: str) -> None:
        """Let what is under way come to its end, then stop."""
        ...


class UnderWay:
    """A crawl that is about to run, or does: what is needed to follow and to stop it."""

    def __init__(self, crawl: Stoppable, tasks: Sequence[Followed]) -> None:
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
        """Let what is under way come to its end, then stop."""
        self.crawl.stop(why)

    def end(self) -> None:
        """End at once: what was promised is in the store. Whoever waits for the crawl gets a `CancelledError`."""
        if self._running is None:
            raise KeyboardInterrupt
        self._running.cancel()

    def soon(self, do: Callable[[], None]) -> None:
        """Do something between two steps of the crawl: for handlers of signals, which come amid any step."""
        if self._loop is None:
            do()
        else:
            self._loop.call_soon_threadsafe(do)


Ready = Callable[[UnderWay], None]


class Background:
    """A crawl in the background: `stop` it, `wait` for it. What went wrong is raised where it is waited for."""

    def __init__(self, run: Callable[[Ready], None]) -> None:
        self._run = run
        self._under_way: UnderWay | None = None
        self._error: BaseException | None = None
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._work, name="gossamer crawl", daemon=True)
        self._thread.start()
        self._begun.wait()
        if self._under_way is None:
            self.wait()

    @property
    def done(self) -> bool:
        """Whether the crawl has ended."""
        return not self._thread.is_alive()

    @property
    def tasks(self) -> Sequence[Followed]:
        """The tasks that take part."""
        return self._under_way.tasks if self._under_way else ()

    def stop(self, why: str = "stopped by its program") -> None:
        """Let what is under way come to its end, then stop."""
        if self._under_way is not None:
            self._under_way.stop(why)

    def wait(self, time_s: float | None = None) -> bool:
        """Wait until the crawl has ended, so many seconds at most; say whether it has."""
        self._thread.join(time_s)
        if self._error is not None:
            raise self._error
        return self.done

    def _work(self) -> None:
        try:
            self._run(self._heard)
        except BaseException as error:  # noqa: BLE001 - raised again where the crawl is waited for
            self._error = error
        finally:
            self._begun.set()

    def _heard(self, under_way: UnderWay) -> None:
        self._under_way = under_way
        self._begun.set()


class Pages:
    """The pages of a crawl, each as soon as it is kept; the crawl begins with the loop and ends with it.

    Serves `for page in …` and `async for page in …`. Whoever leaves the loop early stops the crawl.
    """

    def __init__(self, start: Callable[[Callable[[Page], None]], Background]) -> None:
        self._start = start

    def __iter__(self) -> Iterator[Page]:
        waiting: queue.Queue[Page] = queue.Queue(PAGES_AHEAD)
        crawl = self._start(waiting.put)
        try:
            while (page := _next(waiting, crawl)) is not None:
                yield page
            crawl.wait()
        finally:
            _end(waiting, crawl)

    async def __aiter__(self) -> AsyncIterator[Page]:
        waiting: queue.Queue[Page] = queue.Queue(PAGES_AHEAD)
        crawl = await asyncio.to_thread(self._start, waiting.put)
        try:
            while (page := await asyncio.to_thread(_next, waiting, crawl)) is not None:
                yield page
            crawl.wait()
        finally:
            await asyncio.to_thread(_end, waiting, crawl)


def _next(waiting: "queue.Queue[Page]", crawl: Background) -> Page | None:
    """Return the next page, or None when the crawl has ended and all its pages were given."""
    while True:
        ended = crawl.done
        with suppress(queue.Empty):
            return waiting.get(timeout=0.0 if ended else 0.1)
        if ended:
            return None


def _end(waiting: "queue.Queue[Page]", crawl: Background) -> None:
    """Stop the crawl if it still runs; what it still finds is in the web, though nobody takes it here."""
    crawl.stop("nobody listens any more")
    while not crawl.done:
        with suppress(queue.Empty):
            waiting.get(timeout=0.05)
