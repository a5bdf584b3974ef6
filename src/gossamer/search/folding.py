"""Near copies: pages that say nearly the same come as one answer."""

from collections.abc import Sequence

# Three of 64 bits: Manku, Jain, Das Sarma 2007, found so on eight thousand million pages.
_NEAR_BITS = 3
# Of four blocks of bits, two hashes that differ in three bits have at least one in common: as in the same paper.
_BLOCK = 0xFFFF
_ALL_BITS = 0xFFFF_FFFF_FFFF_FFFF
# Fewer words give a simhash by which pages that have little in common look alike.
_FEWEST_WORDS = 30


def folded(simhashes: Sequence[int], words: Sequence[int]) -> list[list[int]]:
    """Group places in a list by near copies, the first of each group first; groups in order of their first.

    Cost: four look-ups for each. Distances are those of `net.fingerprint.distance`.
    """
    groups: dict[int, list[int]] = {}
    tables: tuple[dict[int, list[int]], ...] = ({}, {}, {}, {})
    for place, (simhash, length) in enumerate(zip(simhashes, words, strict=True)):
        groups[place] = [place]
        if length < _FEWEST_WORDS:
            continue
        blocks = simhash & _BLOCK, simhash >> 16 & _BLOCK, simhash >> 32 & _BLOCK, simhash >> 48 & _BLOCK
        lists = [table.setdefault(block, []) for table, block in zip(tables, blocks, strict=True)]
        near = [
            other
            for sharing in lists
            for other in sharing
            if ((simhash ^ simhashes[other]) & _ALL_BITS).bit_count() <= _NEAR_BITS
        ]
        if near:
            groups[min(near)] += groups.pop(place)
            continue
        for sharing in lists:
            sharing.append(place)
    return list(groups.values())
