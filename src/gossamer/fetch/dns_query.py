"""Asking DNS by c-ares (aiodns).

No thread waits for a dead name server, answers carry their time to live, and both families come back in the order
of RFC 6724. `getaddrinfo` in threads gives no time to live, and a few dozen dead domains, ten seconds each, would
hold all its threads.
"""

from contextlib import suppress

from aiodns import DNSResolver
from aiodns.error import ARES_ENODATA, ARES_ENOTFOUND, DNSError
from pycares import ARES_FLAG_EDNS, ARES_FLAG_NOSEARCH

from gossamer.fetch.dns_cache import TROUBLE_S, Found
from gossamer.records import Failed

# "There is no such name" is an answer and is kept for a while.
_NO_NAME_S = 300.0
_NO_NAME = {ARES_ENOTFOUND, ARES_ENODATA}
_TRIES = 3


class CAres:
    """Asks DNS."""

    def __init__(self, nameservers: tuple[str, ...] = ()) -> None:
        self._nameservers = nameservers
        self._dns: DNSResolver | None = None

    async def look_up(self, name: str, time_s: float) -> tuple[Found, float]:
        """Ask for both families; return what was found and for how many seconds it holds."""
        if self._dns is None:
            self._dns = DNSResolver(
                self._nameservers or None,
                timeout=time_s / (_TRIES + 1),
                tries=_TRIES,
                # A link to a dead "shop.example" must not end up at "shop.example.of-our-own-network".
                flags=ARES_FLAG_NOSEARCH | ARES_FLAG_EDNS,
            )
        try:
            answer = await self._dns.getaddrinfo(name)
        except DNSError as error:
            code, reason = (*error.args, "")[:2]
            return Failed("dns", str(reason)), _NO_NAME_S if code in _NO_NAME else TROUBLE_S
        except RuntimeError as error:  # c-ares has given up: the next look-up begins with a new one
            await self.close()
            return Failed("dns", str(error)), 0.0
        except ValueError:
            return Failed("dns", "no name that DNS could know"), _NO_NAME_S
        addresses = dict.fromkeys(node.addr[0].decode() for node in answer.nodes)
        if not addresses:
            return Failed("dns", "no addresses"), _NO_NAME_S
        return tuple(addresses), float(min(node.ttl for node in answer.nodes))

    async def close(self) -> None:
        """End all lookups."""
        dns, self._dns = self._dns, None
        if dns is not None:
            with suppress(RuntimeError):  # it was dead already
                await dns.close()
