"""Sends DNS queries through c-ares (the package aiodns).

c-ares blocks no thread while a name server does not answer, its answers have a time to live, and it returns addresses
of both families in the order of RFC 6724. `getaddrinfo` in threads gives no time to live, and a few dozen dead
domains, ten seconds each, would block all its threads.
"""

from contextlib import suppress

from aiodns import DNSResolver
from aiodns.error import ARES_ENODATA, ARES_ENOTFOUND, DNSError
from pycares import ARES_FLAG_EDNS, ARES_FLAG_NOSEARCH

from gossamer.fetch.dns.dns_cache import TROUBLE_S, LookupResult
from gossamer.fetch.socket_shortage import find_shortage
from gossamer.records import Failed

# "There is no such name" is an answer, and is cached for a while.
_NO_NAME_S = 300.0
_NO_NAME = {ARES_ENOTFOUND, ARES_ENODATA}
_TRIES = 3
_CHANNEL_FILES = 8
"""What c-ares opens to begin with: a pipe, an epoll, an inotify, a socket for each name server, and for a moment
resolv.conf. If it cannot read that file, it asks 127.0.0.1 from then on, and every name is unknown."""


class AresClient:
    """A DNS client on c-ares."""

    def __init__(self, nameservers: tuple[str, ...] = ()) -> None:
        self._nameservers = nameservers
        self._dns: DNSResolver | None = None

    async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
        """Look up a name in both families; return the result and for how many seconds it is valid."""
        if self._dns is None:
            if lack := find_shortage(_CHANNEL_FILES):
                return lack, 0.0
            self._dns = DNSResolver(
                self._nameservers or None,
                timeout=time_s / (_TRIES + 1),
                tries=_TRIES,
                # A link to a dead "shop.example" must not lead to "shop.example.of-our-own-network".
                flags=ARES_FLAG_NOSEARCH | ARES_FLAG_EDNS,
            )
        try:
            answer = await self._dns.getaddrinfo(name)
        except DNSError as error:
            code, reason = (*error.args, "")[:2]
            # c-ares does not say that it could not open a socket: it says that no server could be asked.
            if code not in _NO_NAME and (lack := find_shortage()):
                return lack, 0.0
            return Failed("dns", str(reason)), _NO_NAME_S if code in _NO_NAME else TROUBLE_S
        except RuntimeError as error:  # c-ares has shut down: the next look-up starts a new resolver
            await self.close()
            return Failed("dns", str(error)), 0.0
        except ValueError:
            return Failed("dns", "not a valid DNS name"), _NO_NAME_S
        addresses = dict.fromkeys(node.addr[0].decode() for node in answer.nodes)
        if not addresses:
            return Failed("dns", "no addresses"), _NO_NAME_S
        return tuple(addresses), float(min(node.ttl for node in answer.nodes))

    async def close(self) -> None:
        """Cancel all look-ups."""
        dns, self._dns = self._dns, None
        if dns is not None:
            with suppress(RuntimeError):  # it has shut down already
                await dns.close()
