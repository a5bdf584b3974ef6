"""Which pages are visited now: the most valuable first, from each host no more than its manners allow."""

import numpy as np

from gossamer.freshness.change_rate import Floats, Ints


def chosen(value: Floats, host: Ints, most: int, host_most: Ints) -> Ints:
    """Return the places of at most so many pages, and so many of each host, that are worth most together; the best first.

    Taking the best that fits is optimal here: limits of groups that do not overlap make a matroid. Pages worth nothing
    are left out. Cost: one selection over all pages, and a sort of those that could be taken.
    """
    if most <= 0 or not len(value):
        return np.empty(0, np.int64)
    wanted = most
    while True:
        wanted = min(4 * wanted, len(value))
        best = np.argpartition(-value, wanted - 1)[:wanted]
        best = best[np.argsort(-value[best], kind="stable")]
        best = best[value[best] > 0]
        taken = best[place_in_group(host[best]) < host_most[host[best]]]
        if len(taken) >= most or len(best) < wanted or wanted == len(value):
            return taken[:most].astype(np.int64)


def place_in_group(group: Ints) -> Ints:
    """Say of each member how many of its group stand before it."""
    order = np.argsort(group, kind="stable")
    inside = np.arange(len(group))
    first = np.empty(len(group), bool)
    first[:1] = True
    first[1:] = group[order][1:] != group[order][:-1]
    places = np.empty(len(group), np.int64)
    places[order] = inside - np.maximum.accumulate(np.where(first, inside, 0))
    return places
