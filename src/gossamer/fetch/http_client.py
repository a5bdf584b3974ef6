"""Fetching one page: past the guard, at the first address that answers, by libcurl.

The decision on the HTTP client, with its figures, is in docs/decisions/.
"""

import os
import ssl
import time
from functools import lru_cache

from gossamer.config import Fetching
from gossamer.fetch.address_guard import refusal
from gossamer.fetch.curl_transfer import RENEWED, Order, Transfers
from gossamer.fetch.dns_cache import Resolver, is_address, name_of
from gossamer.fetch.fetcher import Ask, Located
from gossamer.fetch.proxy import Via, proxy_of
from gossamer.fetch.request_head import Target, target_of
from gossamer.records import Failed, Outcome, Refused

_IDLE_CONNECTIONS = 256
_TRIED_ADDRESSES = 4
# An address that did not answer is tried last for a while; so many are remembered.
_AVOID_S = 300.0
_AVOIDED_ADDRESSES = 4_096
_SILENCE = {"connect", "timeout"}


def trusted_certificates() -> str:
    """Return the file of certificate authorities to trust: the user's or the system's, else certifi's.

    A file, not a folder: only of files libcurl keeps the parsed certificates from connection to connection.
    """
    chosen = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
    if chosen and os.path.exists(chosen):
        return chosen
    import certifi  # late: most systems have a file of their own

    return certifi.where()


@lru_cache(maxsize=4_096)
def _let_through(found: tuple[str, ...], allowed: tuple[str, ...]) -> Located | Refused:
    """Return those of a host's addresses that the guard lets through, or say why it lets none."""
    reasons = {address: refusal(address, allowed) for address in found}
    passed = tuple(address for address, why in reasons.items() if why is None)
    if passed:
        return Located(passed)
    return Refused("private address", ", ".join(f"{address} is {why}" for address, why in reasons.items()))


class CurlFetcher:
    """Fetches pages by libcurl. Belongs to the event loop in which it first fetches."""

    def __init__(
        self,
        resolver: Resolver | None = None,
        certificates: str = "",
        idle_connections: int = _IDLE_CONNECTIONS,
    ) -> None:
        self._resolver = resolver or Resolver()
        self._certificates = certificates or trusted_certificates()
        self._idle_connections = idle_connections
        self._transfers: Transfers | None = None
        self._avoided: dict[str, float] = {}
        self._closed = False
        self.unanswered = 0

    async def locate(self, host: str, settings: Fetching) -> Located | Refused | Failed:
        """Find the addresses of a host, past the guard.

        A proxy that looks names up itself leaves none to find: `Located(())`. What a name stands for there no
        guard of ours can know; an address written out is judged as always.
        """
        if settings.proxy and proxy_of(settings.proxy).finds_names and not is_address(name_of(host)):
            return Located(())
        found = await self._resolver.addresses(host, settings.hosts_file, settings.connect_time_s)
        if isinstance(found, Failed):
            return found
        return _let_through(found, settings.allow_private)

    async def fetch(self, url: str, where: Located, ask: Ask) -> Outcome:
        """Ask for one page at one of these addresses, and at no other."""
        target = target_of(url)
        if target is None:
            return Refused("bad url", url[:200])
        if ask.settings.proxy:
            outcome = await self._fetch_by_proxy(target, where, ask)
        else:
            outcome = await self._try_each(target, where.addresses, ask, None)
        silent = isinstance(outcome, Failed) and outcome.exchange is None and outcome.cause in _SILENCE
        self.unanswered = self.unanswered + 1 if silent else 0
        return outcome

    async def renew(self) -> None:
        """Make anew what fetching rests on; fetches under way are told, and can be tried again."""
        self.unanswered = 0
        transfers, self._transfers = self._transfers, None
        if transfers is not None:
            transfers.close(RENEWED)
        await self._resolver.close()  # the next look-up makes a new one

    async def close(self) -> None:
        """Let go of all connections; fetches under way are told."""
        self._closed = True
        if self._transfers is not None:
            self._transfers.close()
        await self._resolver.close()

    async def _fetch_by_proxy(self, target: Target, where: Located, ask: Ask) -> Outcome:
        """Ask a proxy: for a name where it finds names, else for our address; never for a private one."""
        settings = ask.settings
        proxy = proxy_of(settings.proxy)
        found = await self._resolver.addresses(proxy.host, settings.hosts_file, settings.connect_time_s)
        if isinstance(found, Failed):
            return Failed("dns", f"the proxy's name: {found.detail}")
        via = Via(proxy, found[0])
        if not proxy.finds_names:
            return await self._try_each(target, where.addresses, ask, via)
        name = name_of(target.authority)
        why = refusal(name, settings.allow_private) if is_address(name) else None
        if why is not None:
            return Refused("private address", f"{name} is {why}")
        outcome, _ = await self._once(Order(target, "", ask, via))
        return outcome

    async def _try_each(
        self, target: Target, addresses: tuple[str, ...], ask: Ask, via: Via | None
    ) -> Outcome:
        """Try one address after the other until one is reached, within the time of one page."""
        began_s = time.monotonic()
        outcome: Outcome = Failed("dns", "no address to ask at")
        in_order = self._in_order(addresses) if self._avoided else addresses
        for place, address in enumerate(in_order[:_TRIED_ADDRESSES]):
            why = refusal(address, ask.settings.allow_private)
            if why is not None:
                return Refused("private address", f"{address} is {why}")
            left_s = ask.settings.page_time_s - (time.monotonic() - began_s) if place else None
            outcome, reached = await self._once(Order(target, address, ask, via, left_s))
            if reached or (left_s is not None and left_s <= 0):
                break
            self._avoid(address)
        return outcome

    async def _once(self, order: Order) -> tuple[Outcome, bool]:
        if self._closed:
            return Failed("internal", "the fetcher was closed"), True
        if self._transfers is None:
            self._transfers = Transfers(self._certificates, self._idle_connections)
        return await self._transfers.run(order)

    def _in_order(self, addresses: tuple[str, ...]) -> tuple[str, ...]:
        """Put addresses that failed lately last."""
        now_s = time.monotonic()
        while self._avoided and next(iter(self._avoided.values())) <= now_s:
            del self._avoided[next(iter(self._avoided))]
        return tuple(sorted(addresses, key=self._avoided.__contains__))

    def _avoid(self, address: str) -> None:
        self._avoided.pop(address, None)  # the dictionary stays in order of time
        if len(self._avoided) >= _AVOIDED_ADDRESSES:
            del self._avoided[next(iter(self._avoided))]
        self._avoided[address] = time.monotonic() + _AVOID_S
