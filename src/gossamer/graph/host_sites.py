"""Which hosts belong to one site, for millions of links at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.net.url.public_suffix import SiteRule, is_address, site

Numbers = NDArray[np.int32]


class Sites(msgspec.Struct, frozen=True, eq=False):
    """The sites of hosts as ranges of numbers: two hosts belong together if the range of one holds the other's first.

    With the rule "name" a host belongs to every host whose name is the end of its own. Names read backwards and put in
    order, those that end with a name stand right behind it. With the rule "suffix" every range is one number.
    """

    first: Numbers
    behind: Numbers
    """Behind the last of the range."""
    names: list[str]
    """What the site of each host is called: the shortest name with which all that hang together end.

    Of two names with which one name ends, one ends with the other: there is one shortest.
    """

    def differ(self, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
        """Say of pairs of hosts, each given by its number, whether they belong to different sites."""
        first_a, first_b = self.first[a], self.first[b]
        a_holds_b = (first_a <= first_b) & (first_b < self.behind[a])
        b_holds_a = (first_b <= first_a) & (first_a < self.behind[b])
        differs: NDArray[np.bool_] = ~(a_holds_b | b_holds_a)
        return differs


def find_sites(hosts: list[str], rule: SiteRule) -> Sites:
    """Find the site of each host. Cost: sorting their names."""
    names = [site(host, rule) for host in hosts]
    keys = [_key(name, rule) for name in names]
    order = sorted(set(keys))
    behind = list(range(1, len(order) + 1))
    root = dict.fromkeys(order, "")
    above: list[int] = []  # the keys with which the present one begins, the shortest first
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


def _key(name: str, rule: SiteRule) -> str:
    """Return a name backwards; where names are compared as a whole, as addresses always are, none begins another."""
    return f"{name}\0" if rule == "suffix" or is_address(name) else name[::-1]
