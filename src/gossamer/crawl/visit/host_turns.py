"""Turns at hosts: count the visits under way, lock hosts and addresses, and release them, in one place."""

import asyncio
from collections.abc import Callable

import msgspec

from gossamer.crawl.common_turns import CommonTurns
from gossamer.crawl.task.running_task import RunningTask
from gossamer.fetch.fetcher import HostAddresses
from gossamer.frontier.frontier import Frontier
from gossamer.records import Request

_POLL_S = 0.05
# Two hosts whose robots.txt files redirect to each other would otherwise wait for each other for ever.
_LONGEST_WAIT_S = 60.0


class AddressBusy(msgspec.Struct, frozen=True):
    """The address of the host may not be asked yet: the request waits on."""

    ready_s: float | None = None
    """When another shard on this machine releases the address; None if a host of this shard holds it."""


class Turns:
    """Begins and ends the visits of one shard; nothing else changes what is under way or the locks of hosts."""

    def __init__(
        self, frontier: Frontier, clock: Callable[[], float], shared: CommonTurns | None = None
    ) -> None:
        self.frontier = frontier
        self.clock = clock
        self.shared = shared
        """The locks that shards on this machine share; None if there is only one shard."""
        self._locked: dict[int, tuple[str, ...]] = {}
        """Hosts and addresses locked in `shared`, by the number of the request."""

    def begin(self, request: Request, task: RunningTask) -> None:
        """Count a request that was taken from the frontier as under way."""
        task.under_way += 1
        if request.type == "requisite":
            task.requisites_under_way += 1
        if task.guide is not None:
            task.guide.remove_waiting(request)

    def lock_address(self, request: Request, where: HostAddresses) -> AddressBusy | None:
        """Lock the host and its address for this visit; return AddressBusy if one of them may not be asked now."""
        # Behind a proxy that resolves names itself there is no address to share.
        if where.addresses and not self.frontier.claim_address(request, where.addresses[0], self.clock()):
            return AddressBusy()
        if self.shared is None:
            return None
        names = (request.host, *self.frontier.addresses_of(request.host))
        if wait_s := self.shared.begin(names, self.frontier.least_pause_s(request)):
            return AddressBusy(self.clock() + wait_s)
        self._locked[request.number] = names
        return None

    def end(self, request: Request, task: RunningTask) -> None:
        """End a visit, however it ended: count it out, and release its locks with the pause that is now due."""
        task.under_way -= 1
        if request.type == "requisite":
            task.requisites_under_way -= 1
        names = self._locked.pop(request.number, ())
        if names and self.shared is not None:
            now_s = self.clock()
            self.shared.end({name: self.frontier.ready_s(name) - now_s for name in names})


class RedirectTurns:
    """Waits before each redirect of a robots.txt until the host that it leads to may be asked."""

    def __init__(self, turns: Turns, register_host: Callable[[str], None], request: Request) -> None:
        self._turns = turns
        self._register_host = register_host
        self._request = request
        self._borrowed = ""
        self._names: tuple[str, ...] = ()
        """The borrowed host and its address, which other shards may not ask meanwhile."""

    async def __call__(self, host: str, addresses: tuple[str, ...]) -> bool:
        """Wait for a host at these addresses; return False if it was busy for too long."""
        self.end()
        frontier, clock = self._turns.frontier, self._turns.clock
        if host == self._request.host:
            await asyncio.sleep(frontier.least_pause_s(self._request))
            return True
        self._register_host(host)
        self._names = (host, *addresses[:1])
        until_s = clock() + _LONGEST_WAIT_S
        while not self._borrow(host):
            if clock() >= until_s:
                return False
            await asyncio.sleep(_POLL_S)
        self._borrowed = host
        return True

    def _borrow(self, host: str) -> bool:
        """Take the turn at a host, here and among the shards of this machine, if it is free."""
        frontier, shared = self._turns.frontier, self._turns.shared
        if shared is not None and shared.begin(self._names, frontier.least_pause_s(self._request)):
            return False
        if frontier.borrow_host(host, self._turns.clock()):
            return True
        if shared is not None:
            shared.end(dict.fromkeys(self._names, 0.0))
        return False

    def end(self) -> None:
        """Release the borrowed host and start its pause."""
        if not self._borrowed:
            return
        now_s = self._turns.clock()
        self._turns.frontier.release_host(self._borrowed, self._request.task, now_s)
        if self._turns.shared is not None:
            pause_s = self._turns.frontier.ready_s(self._borrowed) - now_s
            self._turns.shared.end(dict.fromkeys(self._names, pause_s))
        self._borrowed = ""
