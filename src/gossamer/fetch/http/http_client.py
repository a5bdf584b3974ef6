"""Fetches one page by libcurl, from the first allowed address that answers.

docs/decisions/0001-http-client.md says why it is libcurl, with measurements.
"""

import os
import ssl
import time
from collections.abc import Callable
from functools import lru_cache

from gossamer.config import Fetching
from gossamer.fetch.address_guard import check_address
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.dns.dns_cache import Resolver, is_ip_address, to_host_name
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.curl_transfer import Transfer, TransferPool, open_pool
from gossamer.fetch.http.request_head import Target, parse_target
from gossamer.fetch.http.transfer_failure import RENEWED
from gossamer.fetch.proxy import ProxyRoute, parse_proxy
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed, Outcome, Refused

_IDLE_CONNECTIONS = 256
_TRIED_ADDRESSES = 4
# An address that did not answer is tried last for this long; this many are remembered.
_AVOID_S = 300.0
_AVOIDED_ADDRESSES = 4_096
_SILENCE = {"connect", "timeout"}


def find_certificates() -> str:
    """Return the file of certificate authorities to trust: the user's or the system's, else certifi's.

    A file, not a folder: only for files does libcurl cache the parsed certificates between connections.
    """
    chosen = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
    if chosen and os.path.exists(chosen):
        return chosen
    import certifi  # imported late: most systems have a file of their own

    return certifi.where()


@lru_cache(maxsize=4_096)
def _filter_addresses(found: tuple[str, ...], allowed: tuple[str, ...]) -> HostAddresses | Refused:
    """Return the addresses of a host that are allowed, or why none is."""
    reasons = {address: check_address(address, allowed) for address in found}
    passed = tuple(address for address, why in reasons.items() if why is None)
    if passed:
        return HostAddresses(passed)
    return Refused("private address", ", ".join(f"{address} is {why}" for address, why in reasons.items()))


class CurlFetcher:
    """Fetches pages by libcurl. Belongs to the event loop of its first fetch."""

    def __init__(
        self,
        resolver: Resolver | None = None,
        certificates: str = "",
        idle_connections: int = _IDLE_CONNECTIONS,
        most_connections: int = 0,
        budget: BodyBudget | None = None,
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        self._may_send = may_send
        """Asked at the last moment before each request; a process that was stopped may have lost its turn."""
        self._budget = budget or BodyBudget()
        self._resolver = resolver or Resolver()
        self._certificates = certificates or find_certificates()
        self._idle_connections = idle_connections
        self._most_connections = most_connections
        self._transfers: TransferPool | None = None
        self._avoided: dict[str, float] = {}
        self._closed = False
        self.unanswered = 0

    async def locate(self, host: str, settings: Fetching) -> HostAddresses | Refused | Failed | Shortage:
        """Find the allowed addresses of a host.

        If the proxy looks up names itself, there are none to find: `HostAddresses(())`. The addresses behind a name
        cannot be checked then; a host that is written as an address is checked as always.
        """
        if (
            settings.proxy
            and parse_proxy(settings.proxy).finds_names
            and not is_ip_address(to_host_name(host))
        ):
            return HostAddresses(())
        found = await self._resolver.look_up(host, settings.hosts_file, settings.connect_time_s)
        if isinstance(found, Failed | Shortage):
            return found
        return _filter_addresses(found, settings.allow_private)

    async def fetch(self, url: str, where: HostAddresses, options: FetchOptions) -> Outcome | Shortage:
        """Request one page from one of these addresses and from no other."""
        target = parse_target(url)
        if target is None:
            return Refused("bad url", url[:200])
        if options.settings.proxy:
            outcome = await self._fetch_by_proxy(target, where, options)
        else:
            outcome = await self._try_each(target, where.addresses, options, None)
        if isinstance(outcome, Shortage):
            self._close_idle_connections()
            return outcome
        silent = isinstance(outcome, Failed) and outcome.exchange is None and outcome.cause in _SILENCE
        self.unanswered = self.unanswered + 1 if silent else 0
        return outcome

    async def renew(self) -> None:
        """Replace the transfer pool and the resolver; running fetches fail in a way that can be retried."""
        self.unanswered = 0
        transfers, self._transfers = self._transfers, None
        if transfers is not None:
            transfers.close(RENEWED)
        await self._resolver.close()  # the next look-up starts a new one

    async def close(self) -> None:
        """Close all connections; running fetches fail."""
        self._closed = True
        if self._transfers is not None:
            self._transfers.close()
        await self._resolver.close()

    async def _fetch_by_proxy(
        self, target: Target, where: HostAddresses, options: FetchOptions
    ) -> Outcome | Shortage:
        """Fetch through a proxy: by name if it looks up names, else by address; never from a private address."""
        settings = options.settings
        proxy = parse_proxy(settings.proxy)
        found = await self._resolver.look_up(proxy.host, settings.hosts_file, settings.connect_time_s)
        if isinstance(found, Shortage):
            return found
        if isinstance(found, Failed):
            return Failed("dns", f"the name of the proxy: {found.detail}")
        via = ProxyRoute(proxy, found[0])
        if not proxy.finds_names:
            return await self._try_each(target, where.addresses, options, via)
        name = to_host_name(target.authority)
        why = check_address(name, settings.allow_private) if is_ip_address(name) else None
        if why is not None:
            return Refused("private address", f"{name} is {why}")
        outcome, _ = await self._run(Transfer(target, "", options, via))
        return outcome

    async def _try_each(
        self, target: Target, addresses: tuple[str, ...], options: FetchOptions, via: ProxyRoute | None
    ) -> Outcome | Shortage:
        """Try one address after the other until one is reached, within the time allowed for one page."""
        began_s = time.monotonic()
        outcome: Outcome | Shortage = Failed("dns", "the host has no address")
        in_order = self._sort_addresses(addresses) if self._avoided else addresses
        for place, address in enumerate(in_order[:_TRIED_ADDRESSES]):
            why = check_address(address, options.settings.allow_private)
            if why is not None:
                return Refused("private address", f"{address} is {why}")
            left_s = options.settings.page_time_s - (time.monotonic() - began_s) if place else None
            outcome, reached = await self._run(Transfer(target, address, options, via, left_s))
            if reached or (left_s is not None and left_s <= 0):
                break
            self._avoid(address)
        return outcome

    async def _run(self, transfer: Transfer) -> tuple[Outcome | Shortage, bool]:
        if self._closed:
            return Failed("internal", "the fetcher was closed"), True
        if self._transfers is None:
            opened = open_pool(
                self._certificates,
                self._idle_connections,
                self._most_connections,
                self._budget,
                self._may_send,
            )
            if isinstance(opened, Shortage):
                return opened, True
            self._transfers = opened
        return await self._transfers.run(transfer)

    def _close_idle_connections(self) -> None:
        """Close the connections that no transfer uses, if none is under way: they may be what holds the descriptors."""
        if self._transfers is not None and self._transfers.is_idle:
            self._transfers.close()
            self._transfers = None

    def _sort_addresses(self, addresses: tuple[str, ...]) -> tuple[str, ...]:
        """Move addresses that failed recently to the end."""
        now_s = time.monotonic()
        while self._avoided and next(iter(self._avoided.values())) <= now_s:
            del self._avoided[next(iter(self._avoided))]
        return tuple(sorted(addresses, key=self._avoided.__contains__))

    def _avoid(self, address: str) -> None:
        self._avoided.pop(address, None)  # the dictionary stays sorted by time
        if len(self._avoided) >= _AVOIDED_ADDRESSES:
            del self._avoided[next(iter(self._avoided))]
        self._avoided[address] = time.monotonic() + _AVOID_S
