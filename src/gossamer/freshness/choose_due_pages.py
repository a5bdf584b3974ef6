"""Choose the pages to visit now: the most valuable ones, within each host's limit."""

import numpy as np

from gossamer.freshness.change_rate import Floats, Ints


def choose_due_pages(value: Floats, host: Ints, most: int, host_most: Ints) -> Ints:
    """Return the positions of the most valuable pages, best first: at most `most`, and `host_most` of each host.

    Greedy choice is optimal here, since limits on disjoint groups form a matroid. Pages of value 0 are left out.
    Cost: one selection over all pages, and a sort of the candidates.
    """
    if most <= 0 or not len(value):
        return np.empty(0, np.int64)
    wanted = most
    while True:
        wanted = min(4 * wanted, len(value))
        best = np.argpartition(-value, wanted - 1)[:wanted]
        best = best[np.argsort(-value[best], kind="stable")]
        best = best[value[best] > 0]
        taken = best[number_within_groups(host[best]) < host_most[host[best]]]
        if len(taken) >= most or len(best) < wanted or wanted == len(value):
            return taken[:most].astype(np.int64)


def number_within_groups(group: Ints) -> Ints:
    """Return for each member how many members of its group come before it."""
    order = np.argsort(group, kind="stable")
    inside = np.arange(len(group))
    first = np.empty(len(group), bool)
    first[:1] = True
    first[1:] = group[order][1:] != group[order][:-1]
    places = np.empty(len(group), np.int64)
    places[order] = inside - np.maximum.accumulate(np.where(first, inside, 0))
    return places
