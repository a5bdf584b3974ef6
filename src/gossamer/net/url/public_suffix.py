"""Finds the site of a host, and tells whether two hosts belong to one site."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

SiteRule = Literal["suffix", "name"]

_IP_ADDRESS = re.compile(r".*:.*|[0-9]+(?:\.[0-9]+){3}", re.DOTALL)
_WWW_LABEL = re.compile(r"\Awww[^.]*\.")


@cache
def _load_suffixes() -> "PublicSuffixList":
    """Load the list on first use: it takes some 50 ms, which `gossamer --help` must not cost."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _strip_port(host: str) -> str:
    """Return the host in lower case, without port and final dot."""
    name, colon, _port = host.rpartition(":")
    if not colon or (":" in name and not name.endswith("]")):  # no port, or an IPv6 address without brackets
        name = host
    return name.lower().removesuffix(".")


def is_address(name: str) -> bool:
    """Return whether a host name without port is an IP address."""
    return _IP_ADDRESS.fullmatch(name) is not None


@lru_cache(maxsize=65_536)
def site(host: str, rule: SiteRule = "suffix") -> str:
    """Return the site that a host (with or without port) belongs to.

    Rule "suffix": the registrable domain by the public suffix list with its private part, so that each user of
    github.io is a site. Rule "name": steps 2 and 3 of the heuristic of Schmitz 2001, section 3.2.1: a first label that
    begins with `www` is removed, and if three or more labels are left, so is the first of them. These names are
    compared by suffix, see `is_same_site`. With both rules, an IP address, a single label and a public suffix are their
    own site. Cost: one look-up for recently used hosts, else O(labels).
    """
    name = _strip_port(host)
    if "." not in name or is_address(name):
        return name
    if rule == "suffix":
        return str(_load_suffixes().privatesuffix(name) or name)
    name = _WWW_LABEL.sub("", name)
    return name.partition(".")[2] if name.count(".") >= 2 else name


@lru_cache(maxsize=65_536)
def _take_last_labels(host: str) -> str:
    """Return the last two labels of a host, which all hosts of a site share; for an address, all of it."""
    name = _strip_port(host)
    return name if is_address(name) else ".".join(name.rsplit(".", 2)[-2:])


def is_same_site(a: str, b: str, rule: SiteRule = "suffix") -> bool:
    """Return whether two hosts belong to one site.

    Rule "suffix": their sites are equal. Rule "name": one of the two names that `site` returns is a suffix of the
    other, compared as strings as in step 4 of the source: wep.uni-trier.de and uni-trier.de are one site, and so are
    trier.de and uni-trier.de. IP addresses are compared as a whole. The relation is not transitive, so you cannot
    group hosts by these names. Source: Schmitz 2001, section 3.2.1.
    """
    if rule == "suffix" and _take_last_labels(a) != _take_last_labels(b):
        return False  # most links to other hosts leave the site: then the list is not needed, and not even loaded
    site_a, site_b = site(a, rule), site(b, rule)
    if rule == "suffix" or is_address(site_a) or is_address(site_b):
        return site_a == site_b
    return site_a.endswith(site_b) or site_b.endswith(site_a)
