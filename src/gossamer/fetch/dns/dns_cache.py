"""Finds the addresses of hosts: in the user's hosts file, then by DNS, cached as long as DNS allows."""

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
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed

LookupResult = tuple[str, ...] | Failed | Shortage
"""The addresses of a name, or why there are none."""
HostsTable = dict[str, tuple[str, ...]]

# Some load balancers set a time to live of a few seconds, other names one of days: both are bounded.
_SHORTEST_S, _LONGEST_S = 60.0, 3_600.0
TROUBLE_S = 15.0
"""For how long a failed look-up is cached, other than "no such name"."""
_CACHED_NAMES = 65_536
_LOOKUPS_AT_ONCE = 256


class DnsClient(Protocol):
    """Looks up names in DNS."""

    async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
        """Look up a name; return the result and for how many seconds it is valid."""
        ...

    async def close(self) -> None:
        """Cancel all look-ups."""
        ...


class _CachedLookup(msgspec.Struct, frozen=True, gc=False):
    result: LookupResult
    until_s: float


def to_host_name(host: str) -> str:
    """Return the name or address of a host in lower case, without port, brackets and final dot."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name = host if host.count(":") != 1 else host.partition(":")[0]
    return name.lower().removesuffix(".")


@lru_cache(maxsize=4_096)
def is_ip_address(name: str) -> bool:
    """Return whether a host name is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def read_hosts_file(path: Path) -> HostsTable:
    """Read a hosts file: each line has an address and its names, as in /etc/hosts; # starts a comment."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"cannot read the hosts file {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"the hosts file {path} is not text") from None
    hosts: HostsTable = {}
    for number, line in enumerate(lines, 1):
        address, *names = line.partition("#")[0].split() or [""]
        if not address:
            continue
        if not names or not is_ip_address(address):
            raise BadInput(
                f"line {number} of the hosts file {path} is not an address with names: {line[:80]!r}"
            )
        for name in map(to_host_name, names):
            hosts[name] = tuple(dict.fromkeys((*hosts.get(name, ()), address)))
    return hosts


class Resolver:
    """Looks up hosts, each name at most once at a time, and caches the results until they expire."""

    def __init__(
        self,
        dns: DnsClient | None = None,
        clock: Callable[[], float] = time.monotonic,
        cached_names: int = _CACHED_NAMES,
    ) -> None:
        self._dns = dns
        self._clock = clock
        self._most_names = cached_names
        self._known: OrderedDict[str, _CachedLookup] = OrderedDict()
        self._running: dict[str, asyncio.Task[LookupResult]] = {}
        self._turns = asyncio.Semaphore(_LOOKUPS_AT_ONCE)
        self._tables: dict[str, HostsTable] = {}

    async def look_up(self, host: str, hosts_file: str = "", time_s: float = 10.0) -> LookupResult:
        """Look up a host, given with or without port; raise BadInput if the hosts file cannot be used."""
        name = to_host_name(host)
        if hosts_file and (listed := self._read_table(hosts_file).get(name)):
            return listed
        if is_ip_address(name):
            return (name,)
        known = self._known.get(name)
        if known is not None and known.until_s > self._clock():
            self._known.move_to_end(name)
            return known.result
        return await self._query_once(name, time_s)

    async def close(self) -> None:
        """Cancel all look-ups."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._dns is not None:
            await self._dns.close()

    def _read_table(self, path: str) -> HostsTable:
        if path not in self._tables:
            self._tables[path] = read_hosts_file(Path(path))
        return self._tables[path]

    async def _query_once(self, name: str, time_s: float) -> LookupResult:
        """Join the running look-up of this name, or start one; a caller that is cancelled does not cancel it."""
        task = self._running.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._query(name, time_s))
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name, None))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                return Failed("dns", "the resolver was closed")
            raise

    async def _query(self, name: str, time_s: float) -> LookupResult:
        if self._dns is None:
            # Imported late: a crawl that only visits IP addresses does not need it.
            from gossamer.fetch.dns.dns_query import AresClient

            self._dns = AresClient()
        found: LookupResult = Failed("dns", "no answer in time")
        keep_s = TROUBLE_S
        with suppress(TimeoutError):
            async with self._turns, asyncio.timeout(time_s):
                found, keep_s = await self._dns.look_up(name, time_s)
        if isinstance(found, Shortage):  # says nothing about the name
            return found
        if not isinstance(found, Failed):
            keep_s = min(max(keep_s, _SHORTEST_S), _LONGEST_S)
        self._known[name] = _CachedLookup(found, self._clock() + keep_s)
        self._known.move_to_end(name)
        if len(self._known) > self._most_names:
            self._known.popitem(last=False)
        return found
