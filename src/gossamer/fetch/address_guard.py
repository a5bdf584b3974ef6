"""The guard at the door: which addresses a crawl may connect to.

A crawler follows links that strangers wrote. Without a guard, a page could make it read the printer's
settings, the cloud's credentials at 169.254.169.254 or a database on its own machine.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from gossamer.errors import BadInput

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# IANA's registries of special purposes (RFC 6890), as far as no public web server can be there.
_REFUSED = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "shared among a provider's customers",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "reserved for protocols",
    "192.0.2.0/24": "for documentation",
    "192.88.99.0/24": "reserved, once for 6to4 relays",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "for benchmarks",
    "198.51.100.0/24": "for documentation",
    "203.0.113.0/24": "for documentation",
    "224.0.0.0/4": "multicast",
    "255.255.255.255/32": "broadcast",
    "240.0.0.0/4": "reserved",
    "::/128": "unspecified",
    "::1/128": "loopback",
    "2001::/32": "Teredo",
    "2001::/23": "reserved for protocols",
    "2001:db8::/32": "for documentation",
    "3fff::/20": "for documentation",
    "fc00::/7": "private",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
}
# IPv6 addresses that stand for an IPv4 address, and how many bits follow that address.
_STANDS_FOR_V4 = {
    "::ffff:0:0/96": 0,  # mapped: the system itself turns it into IPv4
    "64:ff9b::/96": 0,  # NAT64: how networks without IPv4 reach the rest
    "2002::/16": 80,  # 6to4
}
# All that the registries have handed out to the public; the old forms ::a.b.c.d and ::ffff:0:a.b.c.d are outside.
_PUBLIC_V6 = IPv6Network("2000::/3")

_SPECIAL: list[tuple[Network, str]] = [(ip_network(network), why) for network, why in _REFUSED.items()]
_CARRIERS = [(IPv6Network(network), shift) for network, shift in _STANDS_FOR_V4.items()]
_PLAIN = re.compile(r"[0-9A-Fa-f:.]{2,45}")
_NO_ADDRESS = "not an address"


def refusal(address: str, allowed: tuple[str, ...]) -> str | None:
    """Say why a connection to an address is refused; None if it may be made.

    `allowed` names networks or single addresses that may be visited although they are not public, and opens
    only these. An IPv6 form of an IPv4 address is judged as that IPv4 address. Whatever is no plain address
    (a name, a zone id, octal or shortened numbers) is refused. Raises BadInput for a malformed `allowed`.
    Cost: 15 µs for a new address, then a look into a bounded memory. Source: IANA special-purpose registries.
    """
    if not _PLAIN.fullmatch(address):
        networks(allowed)
        return _NO_ADDRESS
    return _judged(address, allowed)


@lru_cache(maxsize=256)
def networks(allowed: tuple[str, ...]) -> tuple[Network, ...]:
    """Read networks as people write them: 10.0.0.0/8, 127.0.0.1, ::1, [::1]."""
    return tuple(map(_network, allowed))


def _network(written: str) -> Network:
    try:
        if "%" not in written:
            return ip_network(written.strip().strip("[]"))
    except ValueError:
        pass
    raise BadInput(
        f"{written!r} is no network that could be allowed: write it like 127.0.0.0/8, 10.1.2.3 or ::1"
    )


@lru_cache(maxsize=16_384)
def _judged(address: str, allowed: tuple[str, ...]) -> str | None:
    opened = networks(allowed)
    try:
        outer = ip_address(address)
    except ValueError:
        return _NO_ADDRESS
    inner = _carried(outer)
    why = _special(inner)
    if why is None or any(one in network for network in opened for one in (outer, inner)):
        return None
    return why


def _carried(address: Address) -> Address:
    """Return the IPv4 address that packets to an IPv6 address end up at, or the address itself."""
    if address.version == 6:
        for network, shift in _CARRIERS:
            if address in network:
                return IPv4Address(int(address) >> shift & 0xFFFFFFFF)
    return address


def _special(address: Address) -> str | None:
    for network, why in _SPECIAL:
        if address in network:
            return why
    return "reserved" if address.version == 6 and address not in _PUBLIC_V6 else None
