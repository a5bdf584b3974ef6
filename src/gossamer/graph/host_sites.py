"""The sites of hosts, stored so that millions of links can be compared at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.net.url.public_suffix import SiteRule, is_address, site

Numbers = NDArray[np.int32]


class Sites(msgspec.Struct, frozen=True, eq=False):
    """The sites of hosts as ranges: two hosts share a site if the range of one contains the first number of the other.

    With the rule "name", a host belongs to every host whose name is a suffix of its own. When reversed names are
    sorted, all names with a given suffix follow it directly, so they form a range. With the rule "suffix", every range
    is one number.
    """

    first: Numbers
    behind: Numbers
    """One past the end of the range."""
    names: list[str]
    """The name of each host's site: the shortest suffix that all hosts of the site share.

    Of two suffixes of one name, one is a suffix of the other, so the shortest is unique.
    """

    def differ(self, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
        """Return for pairs of host numbers whether the two hosts belong to different sites."""
        first_a, first_b = self.first[a], self.first[b]
        a_holds_b = (first_a <= first_b) & (first_b < self.behind[a])
        b_holds_a = (first_b <= first_a) & (first_a < self.behind[b])
        differs: NDArray[np.bool_] = ~(a_holds_b | b_holds_a)
        return differs


def find_sites(hosts: list[str], rule: SiteRule) -> Sites:
    """Find the site of each host. Cost: O(n log n) to sort the names."""
    names = [site(host, rule) for host in hosts]
    keys = [_make_key(name, rule) for name in names]
    order = sorted(set(keys))
    behind = list(range(1, len(order) + 1))
    root = dict.fromkeys(order, "")
    above: list[int] = []  # the prefixes of the current key, shortest first
    for at, key in enumerate(order):
        while above and not key.startswith(order[above[-1]]):
            above.pop()
        for ancestor in above:
            behind[ancestor] = at + 1
        above.append(at)
        root[key] = order[above[0]]
    place = {key: at for at, key in enumerate(order)}
    name_of = dict(zip(keys, names, strict=True))
    first = np.array([place[key] for key in keys], np.int32)
    return Sites(first, np.array(behind, np.int32)[first], [name_of[root[key]] for key in keys])


def _make_key(name: str, rule: SiteRule) -> str:
    """Return the reversed name, or a key that is no prefix of another where names are compared as a whole."""
    return f"{name}\0" if rule == "suffix" or is_address(name) else name[::-1]
