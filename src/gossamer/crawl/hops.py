"""Redirects of robots.txt: each leads to a host that wants to be asked in its turn, like any other."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from gossamer.frontier.queue import Frontier
from gossamer.records import Request

_LOOK_AGAIN_S = 0.05
# A host that waits for another while that one waits for it would wait for ever.
_LONGEST_WAIT_S = 60.0


class _Parts(Protocol):
    """What is needed of a shard's parts."""

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

    async def __call__(self, host: str) -> bool:
        """Wait for a host; False if it was busy for too long."""
        self.end()
        frontier, clock = self._parts.frontier, self._parts.clock
        if host == self._request.host:
            await asyncio.sleep(frontier.least_pause_s(self._request))
            return True
        self._parts.meet(host)
        until_s = clock() + _LONGEST_WAIT_S
        while not frontier.borrow(host, clock()):
            if clock() >= until_s:
                return False
            await asyncio.sleep(_LOOK_AGAIN_S)
        self._borrowed = host
        return True

    def end(self) -> None:
        """The last answer has come: whoever was asked rests."""
        if self._borrowed:
            self._parts.frontier.give_back(self._borrowed, self._request.task, self._parts.clock())
            self._borrowed = ""
