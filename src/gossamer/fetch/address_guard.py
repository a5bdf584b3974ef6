"""Checks whether a crawl may connect to an IP address.

A crawler follows links that strangers wrote. Without this check, a page could make it read the settings of a
printer, the credentials of a cloud machine (`_METADATA`) or a database on its own machine.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from gossamer.errors import BadInput

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# From the IANA special-purpose registries (RFC 6890): the networks in which no public web server can be.
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
# Where clouds tell their machines secrets: credentials, start scripts, keys. Some of these addresses are public (Azure,
# Equinix Metal), the others are in networks that a user may open; so each is opened only by its own name, never by a
# network that contains it. Sources: the documentation of the clouds and of cloud-init (docs/sources.md).
_METADATA = {
    "169.254.169.254": "most clouds: AWS, Google, Azure, Oracle, DigitalOcean, Hetzner, OpenStack …",
    "fd00:ec2::254": "AWS EC2",
    "169.254.170.2": "AWS ECS",
    "169.254.170.23": "AWS EKS",
    "fd00:ec2::23": "AWS EKS",
    "fd20:ce::254": "Google Cloud",
    "168.63.129.16": "Azure, WireServer",
    "192.0.0.192": "Oracle Cloud, Classic",
    "fd00:c1::a9fe:a9fe": "Oracle Cloud",
    "100.100.100.200": "Alibaba Cloud",
    "fd00:100::100:200": "Alibaba Cloud",
    "169.254.0.23": "Tencent Cloud",
    "169.254.10.10": "Tencent Cloud",
    "192.80.8.124": "Equinix Metal, once Packet",
    "169.254.42.42": "Scaleway",
    "fd00:42::42": "Scaleway",
    "fd00:a9fe:a9fe::1": "Akamai, once Linode",
    "fe80::a9fe:a9fe": "OpenStack, Akamai",
}
METADATA = "metadata of cloud machines"
# IPv6 networks that embed an IPv4 address, and the number of bits after that address.
_EMBEDS_V4 = {
    "::ffff:0:0/96": 0,  # mapped: the operating system connects by IPv4
    "64:ff9b::/96": 0,  # NAT64: how IPv6-only networks reach IPv4 hosts
    "2002::/16": 80,  # 6to4
}
# The first half of an interface id by which ISATAP embeds an IPv4 address in any network (RFC 5214, section 6.1).
_ISATAP = (0x00005EFE, 0x02005EFE)
# All public IPv6 addresses; the obsolete forms ::a.b.c.d and ::ffff:0:a.b.c.d are outside.
_PUBLIC_V6 = IPv6Network("2000::/3")

_SPECIAL: list[tuple[Network, str]] = [(ip_network(network), why) for network, why in _REFUSED.items()]
_EMBEDDING = [(IPv6Network(network), shift) for network, shift in _EMBEDS_V4.items()]
_SECRET = frozenset(ip_address(address) for address in _METADATA)
_ADDRESS = re.compile(r"[0-9A-Fa-f:.]{2,45}")
_NO_ADDRESS = "not an address"


def check_address(address: str, allowed: tuple[str, ...]) -> str | None:
    """Return why connections to an address are refused; None if they are allowed.

    `allowed` lists networks or single addresses that are allowed although they are not public. An IPv6 address that
    embeds an IPv4 address is checked as that IPv4 address. The metadata services of clouds are allowed only by their own
    addresses, not by a network that contains them. Anything but a plain address (a name, a zone id, octal or
    shortened numbers) is refused. Raises BadInput if `allowed` is malformed.
    Cost: 15 µs for a new address, then one look-up in a bounded cache. Source: IANA special-purpose registries.
    """
    if not _ADDRESS.fullmatch(address):
        parse_networks(allowed)
        return _NO_ADDRESS
    return _check_address(address, allowed)


@lru_cache(maxsize=256)
def parse_networks(allowed: tuple[str, ...]) -> tuple[Network, ...]:
    """Parse networks as people write them: 10.0.0.0/8, 127.0.0.1, ::1, [::1]."""
    return tuple(map(_parse_network, allowed))


def _parse_network(written: str) -> Network:
    try:
        if "%" not in written:
            return ip_network(written.strip().strip("[]"))
    except ValueError:
        pass
    raise BadInput(f"{written!r} is not a network or an address: write it like 127.0.0.0/8, 10.1.2.3 or ::1")


@lru_cache(maxsize=16_384)
def _check_address(address: str, allowed: tuple[str, ...]) -> str | None:
    opened = parse_networks(allowed)
    try:
        outer = ip_address(address)
    except ValueError:
        return _NO_ADDRESS
    inner = _extract_ipv4(outer)
    if inner in _SECRET or outer in _SECRET:
        is_named = any(
            network.num_addresses == 1 and one in network for network in opened for one in (outer, inner)
        )
        return None if is_named else METADATA
    why = _find_special_purpose(inner)
    if why is None or any(one in network for network in opened for one in (outer, inner)):
        return None
    return why


def _extract_ipv4(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address embeds, or else the address itself."""
    if address.version == 6:
        for network, shift in _EMBEDDING:
            if address in network:
                return IPv4Address(int(address) >> shift & 0xFFFFFFFF)
        if int(address) >> 32 & 0xFFFFFFFF in _ISATAP and address in _PUBLIC_V6:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _find_special_purpose(address: Address) -> str | None:
    for network, why in _SPECIAL:
        if address in network:
            return why
    return "reserved" if address.version == 6 and address not in _PUBLIC_V6 else None
