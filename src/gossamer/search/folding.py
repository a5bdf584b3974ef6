"""Near copies: pages that say nearly the same come as one answer."""

from collections.abc import Sequence

# Three of 64 bits: Manku, Jain, Das Sarma 2007, found so on eight thousand million pages.
_NEAR_BITS = 3
# Of so many blocks of bits, two hashes that differ in three bits have at least one in common.
_BLOCKS = 4
_BLOCK_BITS = 16
_BLOCK_MASK = (1 << _BLOCK_BITS) - 1
# Fewer words give a simhash by which pages that have little in common look alike.
_FEWEST_WORDS = 30


def folded(simhashes: Sequence[int], words: Sequence[int]) -> list[list[int]]:
    """Group places in a list by near copies, the first of each group first; groups in order of their first.

    Cost: a few look-ups for each. Distances are those of `net.fingerprint.distance`.
    """
    groups: dict[int, list[int]] = {}
    sharing: dict[int, list[int]] = {}
    for place, (simhash, length) in enumerate(zip(simhashes, words, strict=True)):
        if length < _FEWEST_WORDS:
            groups[place] = [place]
            continue
        blocks = [(simhash >> _BLOCK_BITS * at & _BLOCK_MASK) * _BLOCKS + at for at in range(_BLOCKS)]
        before = [other for block in blocks for other in sharing.get(block, ())]
        near = [other for other in before if _differing(simhash, simhashes[other]) <= _NEAR_BITS]
        if near:
            groups[min(near)].append(place)
            continue
        groups[place] = [place]
        for block in blocks:
            sharing.setdefault(block, []).append(place)
    return list(groups.values())


def _differing(one: int, other: int) -> int:
    """Count the bits in which two signed 64-bit numbers differ."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()
