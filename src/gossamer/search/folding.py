"""Near copies: pages that say nearly the same come as one answer."""

from collections.abc import Sequence

from gossamer.net.fingerprint import distance

# Three of 64 bits: Manku, Jain, Das Sarma 2007, found so on eight thousand million pages.
_NEAR_BITS = 3
# Fewer words give a simhash by which pages that have little in common look alike.
_FEWEST_WORDS = 30


def folded(simhashes: Sequence[int], words: Sequence[int]) -> list[list[int]]:
    """Group places in a list by near copies, the first of each group first; groups in order of their first.

    Cost: each place is compared with the first of each group before it.
    """
    groups: list[list[int]] = []
    first_of: dict[int, int] = {}
    for place, simhash in enumerate(simhashes):
        if words[place] < _FEWEST_WORDS:
            groups.append([place])
            continue
        at = first_of.get(simhash)
        if at is None:
            at = next(
                (number for known, number in first_of.items() if distance(known, simhash) <= _NEAR_BITS), None
            )
        if at is None:
            first_of[simhash] = len(groups)
            groups.append([place])
        else:
            groups[at].append(place)
    return groups
