"""Tells programs of a reader what happens while they read; events are not kept for later listeners."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from gossamer.errors import GossamerError
from gossamer.navigate.reading_event import KeptPageFollower, ReadingEvent
from gossamer.ui.access.paired_browsers import PairedBrowser
from gossamer.ui.connections.event_response import TooManyViewers
from gossamer.ui.page_context import PageContext

_MOST_LISTENERS = 20
_MOST_WAITING = 500
_LOOK_S = 1.0


class Listener:
    """One program that listens: holds the newest 500 events until they are taken."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._came = asyncio.Event()
        self._waiting: deque[bytes] = deque(maxlen=_MOST_WAITING)

    def give(self, message: bytes) -> None:
        """Add a message; drop the oldest if the queue is full."""
        self._waiting.append(message)
        self._came.set()

    async def take(self, timeout_s: float) -> bytes | None:
        """Wait for the next message; return None if none comes in time."""
        if not self._waiting:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), timeout_s)
            except TimeoutError:
                return None
        return self._waiting.popleft()


class ReadingEvents:
    """The listeners of a server. All calls come from its event loop."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._listeners = set[Listener]()
        self._following: asyncio.Task[None] | None = None

    @contextmanager
    def add_listener(self, owner: str) -> Iterator[Listener]:
        """Give the events of an owner to a listener during the block; raise TooManyViewers if there is no room."""
        if len(self._listeners) >= _MOST_LISTENERS:
            raise TooManyViewers
        listener = Listener(owner)
        self._listeners.add(listener)
        if self._following is None and self._context.has_own_web:
            self._following = asyncio.create_task(self._follow())
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            if not self._listeners and self._following is not None:
                self._following.cancel()
                self._following = None

    def tell(self, owner: str, *events: ReadingEvent) -> None:
        """Give events to the listeners of their owner."""
        for listener in self._listeners:
            if listener.owner == owner:
                for event in events:
                    listener.give(msgspec.json.encode(event))

    async def _follow(self) -> None:
        """Tell all listeners of pages that a crawl keeps, as long as there are any."""
        follower: KeptPageFollower | None = None
        while True:
            try:
                if follower is None:
                    follower = await run_in_threadpool(self._begin)
                for event in await run_in_threadpool(self._look, follower):
                    for listener in self._listeners:
                        listener.give(msgspec.json.encode(event))
            except GossamerError as error:  # the web is being repaired, for example
                logging.getLogger(__name__).info("the pages of the crawl cannot be followed: %s", error)
            await asyncio.sleep(_LOOK_S)

    def _begin(self) -> KeptPageFollower:
        with self._context.borrow_web() as web:
            return KeptPageFollower(web.store)

    def _look(self, follower: KeptPageFollower) -> list[ReadingEvent]:
        with self._context.borrow_web() as web:
            return follower.look(web.store)


def find_owner(request: Request, browser: PairedBrowser) -> str:
    """Return whose events a browser may hear: those of its user; without users, those of this machine, or else only its own."""
    if browser.user:
        return f"user {browser.user}"
    is_here: bool = request.app.state.authenticator.is_here(request.headers)
    return "here" if is_here else f"browser {browser.number}"


def get_events(request: Request) -> ReadingEvents:
    """Return the events of the server that handles a request."""
    found: ReadingEvents = request.app.state.reading_events
    return found
