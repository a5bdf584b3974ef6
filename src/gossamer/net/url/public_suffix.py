"""Which hosts belong together: the site of a host."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

SiteRule = Literal["suffix", "name"]

_IP_ADDRESS = re.compile(r".*:.*|[0-9]+(?:\.[0-9]+){3}", re.DOTALL)
_WWW_LABEL = re.compile(r"\Awww[^.]*\.")


@cache
def _suffixes() -> "PublicSuffixList":
    """Load the list when first asked: it costs some 50 ms, which `gossamer --help` must not pay."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _bare_name(host: str) -> str:
    """Return the host in lower case without port and without the dot of the root."""
    name, colon, _port = host.rpartition(":")
    if not colon or (":" in name and not name.endswith("]")):  # no port, or an IPv6 address without brackets
        name = host
    return name.lower().removesuffix(".")


def is_address(name: str) -> bool:
    """Tell whether the name of a host, without port, is an IP address."""
    return _IP_ADDRESS.fullmatch(name) is not None


@lru_cache(maxsize=65_536)
def site(host: str, rule: SiteRule = "suffix") -> str:
    """Return the site that a host (with or without port) belongs to.

    Rule "suffix": the registrable domain by the public suffix list, its private part included, so that
    each user of github.io is a site. Rule "name": steps 2 and 3 of the heuristic of seed 002, section 3.2.1:
    a first label that begins with `www` goes, and if three or more labels are left, the first goes too.
    Names under it are compared by suffix, see `same_site`. With both rules an IP address, a single label
    and a public suffix itself are their own site. Cost: a look-up for hosts seen lately, else O(labels).
    """
    name = _bare_name(host)
    if "." not in name or is_address(name):
        return name
    if rule == "suffix":
        return str(_suffixes().privatesuffix(name) or name)
    name = _WWW_LABEL.sub("", name)
    return name.partition(".")[2] if name.count(".") >= 2 else name


@lru_cache(maxsize=65_536)
def _ending(host: str) -> str:
    """Return the last two labels of a host, which all hosts of a site share; of an address, all of it."""
    name = _bare_name(host)
    return name if is_address(name) else ".".join(name.rsplit(".", 2)[-2:])


def same_site(a: str, b: str, rule: SiteRule = "suffix") -> bool:
    """Tell whether two hosts belong to one site.

    Rule "suffix": their sites are equal. Rule "name": one of the two names that `site` returns is a suffix
    of the other, compared as strings like in step 4 of the source: wep.uni-trier.de and uni-trier.de are one
    site, and so are trier.de and uni-trier.de. IP addresses are compared as a whole. The relation is
    not transitive, so the names are no keys to group by. Source: seed 002, section 3.2.1.
    """
    if rule == "suffix" and _ending(a) != _ending(b):
        return False  # most links that leave a host go far: the list need not be asked, nor even loaded
    site_a, site_b = site(a, rule), site(b, rule)
    if rule == "suffix" or is_address(site_a) or is_address(site_b):
        return site_a == site_b
    return site_a.endswith(site_b) or site_b.endswith(site_a)
