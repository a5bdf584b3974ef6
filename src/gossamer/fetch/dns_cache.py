"""Names into addresses: the user's own table first, then DNS (`cares.py`), remembered as long as DNS says."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.errors import BadInput
from gossamer.records import Failed

Found = tuple[str, ...] | Failed
Hosts = dict[str, tuple[str, ...]]

# Names that change every few seconds (load balancers) need not be asked for that often, and none is kept for days.
_SHORTEST_S, _LONGEST_S = 60.0, 3_600.0
TROUBLE_S = 15.0
"""Trouble on the way is soon tried again."""
_KNOWN_NAMES = 65_536
_LOOKUPS_AT_ONCE = 256


class LookingUp(Protocol):
    """Whatever turns names into addresses."""

    async def look_up(self, name: str, time_s: float) -> tuple[Found, float]:
        """Return what was found and for how many seconds it holds."""
        ...

    async def close(self) -> None:
        """End all lookups."""
        ...


class _Known(msgspec.Struct, frozen=True, gc=False):
    found: Found
    until_s: float


def name_of(host: str) -> str:
    """Return a host's name or address without port, brackets and closing dot, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name = host if host.count(":") != 1 else host.partition(":")[0]
    return name.lower().removesuffix(".")


@lru_cache(maxsize=4_096)
def is_address(name: str) -> bool:
    """Tell whether a name is an address itself."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def read_hosts(path: Path) -> Hosts:
    """Read a table of hosts: lines of an address and its names, as in /etc/hosts; # begins a comment."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"cannot read the hosts file {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"the hosts file {path} is not text") from None
    hosts: Hosts = {}
    for number, line in enumerate(lines, 1):
        address, *names = line.partition("#")[0].split() or [""]
        if not address:
            continue
        if not names or not is_address(address):
            raise BadInput(
                f"line {number} of the hosts file {path} is not an address and names: {line[:80]!r}"
            )
        for name in map(name_of, names):
            hosts[name] = tuple(dict.fromkeys((*hosts.get(name, ()), address)))
    return hosts


class Resolver:
    """Finds addresses, asks for each name once at a time, and forgets in due time."""

    def __init__(
        self,
        dns: LookingUp | None = None,
        clock: Callable[[], float] = time.monotonic,
        known_names: int = _KNOWN_NAMES,
    ) -> None:
        self._dns = dns
        self._clock = clock
        self._most_names = known_names
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Found]] = {}
        self._turns = asyncio.Semaphore(_LOOKUPS_AT_ONCE)
        self._tables: dict[str, Hosts] = {}

    async def addresses(self, host: str, hosts_file: str = "", time_s: float = 10.0) -> Found:
        """Find the addresses of a host, with or without port; raises BadInput if the hosts file is unusable."""
        name = name_of(host)
        if hosts_file and (listed := self._table(hosts_file).get(name)):
            return listed
        if is_address(name):
            return (name,)
        known = self._known.get(name)
        if known is not None and known.until_s > self._clock():
            self._known.move_to_end(name)
            return known.found
        return await self._ask_once(name, time_s)

    async def close(self) -> None:
        """End all lookups."""
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        if self._dns is not None:
            await self._dns.close()

    def _table(self, path: str) -> Hosts:
        if path not in self._tables:
            self._tables[path] = read_hosts(Path(path))
        return self._tables[path]

    async def _ask_once(self, name: str, time_s: float) -> Found:
        """Join the lookup that is under way for this name, or begin one; whoever leaves does not end it."""
        task = self._asking.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._ask(name, time_s))
            self._asking[name] = task
            task.add_done_callback(lambda _: self._asking.pop(name, None))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                return Failed("dns", "the resolver was closed")
            raise

    async def _ask(self, name: str, time_s: float) -> Found:
        if self._dns is None:
            from gossamer.fetch.dns_query import (
                CAres,  # late: where only addresses are visited nobody waits for it
            )

            self._dns = CAres()
        found: Found = Failed("dns", "no answer in time")
        keep_s = TROUBLE_S
        with suppress(TimeoutError):
            async with self._turns, asyncio.timeout(time_s):
                found, keep_s = await self._dns.look_up(name, time_s)
        if not isinstance(found, Failed):
            keep_s = min(max(keep_s, _SHORTEST_S), _LONGEST_S)
        self._known[name] = _Known(found, self._clock() + keep_s)
        self._known.move_to_end(name)
        if len(self._known) > self._most_names:
            self._known.popitem(last=False)
        return found
