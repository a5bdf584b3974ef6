"""Near copies: pages that say nearly the same come as one answer."""

from collections.abc import Sequence

import numpy as np

# Three of 64 bits: Manku, Jain, Das Sarma 2007, found so on eight thousand million pages.
_NEAR_BITS = 3
# Fewer words give a simhash by which pages that have little in common look alike.
_FEWEST_WORDS = 30


def folded(simhashes: Sequence[int], words: Sequence[int]) -> list[list[int]]:
    """Group places in a list by near copies, the first of each group first; groups in order of their first.

    Cost: each is compared with each, some nanoseconds a pair. Distances are those of `net.fingerprint.distance`.
    """
    hashes = np.array(simhashes, np.int64).view(np.uint64)
    alike = np.bitwise_count(hashes[:, None] ^ hashes) <= _NEAR_BITS
    long = np.array(words, np.int64) >= _FEWEST_WORDS
    alike &= long[:, None] & long
    if np.count_nonzero(alike) == np.count_nonzero(long):  # each is like itself alone
        return [[place] for place in range(len(simhashes))]
    groups: dict[int, list[int]] = {}
    for place, others in enumerate(np.tril(alike, -1).sum(axis=1).tolist()):
        before = np.flatnonzero(alike[place, :place]).tolist() if others else ()
        groups.setdefault(next((other for other in before if other in groups), place), []).append(place)
    return list(groups.values())
