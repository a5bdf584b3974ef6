"""Redirects of robots.txt: each leads to a host that wants to be asked in its turn, like any other."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from gossamer.crawl.shared_turns import Commons
from gossamer.frontier.frontier import Frontier
from gossamer.records import Request

_LOOK_AGAIN_S = 0.05
# A host that waits for another while that one waits for it would wait for ever.
_LONGEST_WAIT_S = 60.0


class _Parts(Protocol):
    """What is needed of a shard's parts."""

    commons: Commons | None
    frontier: Frontier
    clock: Callable[[], float]

    def meet(self, host: str) -> None:
        """Recall what the web knows of a host."""
        ...


class RobotsHops:
    """Waits before each redirect of a robots.txt until the host that it leads to may be asked."""

    def __init__(self, parts: _Parts, request: Request) -> None:
        self._parts = parts
        self._request = request
        self._borrowed = ""
        self._names: tuple[str, ...] = ()
        """The host that was borrowed and where it is: other shards wait for it."""

    async def __call__(self, host: str, addresses: tuple[str, ...]) -> bool:
        """Wait for a host at these addresses; False if it was busy for too long."""
        self.end()
        frontier, clock = self._parts.frontier, self._parts.clock
        if host == self._request.host:
            await asyncio.sleep(frontier.least_pause_s(self._request))
            return True
        self._parts.meet(host)
        self._names = (host, *addresses[:1])
        until_s = clock() + _LONGEST_WAIT_S
        while not self._borrow(host):
            if clock() >= until_s:
                return False
            await asyncio.sleep(_LOOK_AGAIN_S)
        self._borrowed = host
        return True

    def _borrow(self, host: str) -> bool:
        """Take the turn at a host, from other shards as well, if it is free."""
        frontier, commons = self._parts.frontier, self._parts.commons
        if commons is not None and commons.begin(self._names, frontier.least_pause_s(self._request)):
            return False
        if frontier.borrow_host(host, self._parts.clock()):
            return True
        if commons is not None:
            commons.end(dict.fromkeys(self._names, 0.0))
        return False

    def end(self) -> None:
        """The last answer has come: whoever was asked rests."""
        if self._borrowed:
            now_s = self._parts.clock()
            self._parts.frontier.release_host(self._borrowed, self._request.task, now_s)
            if self._parts.commons is not None:
                pause_s = self._parts.frontier.ready_s(self._borrowed) - now_s
                self._parts.commons.end(dict.fromkeys(self._names, pause_s))
            self._borrowed = ""
