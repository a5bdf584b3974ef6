# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Hashes of the directories of pages and of neighbouring links, and counts of the pages that have them."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    LEVELS = 3
    SLASHES_BEFORE_HOST = 2
    MOST = 255
    LEFT_MARGIN = 1
    RIGHT_MARGIN = 2
    # Further inside a page, places vary with the length of its text.
    REACH = 8

cdef uint64_t SPREAD = 0x9E3779B97F4A7C15u
cdef uint64_t PRIME = 0x100000001B3u


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    """Spread the bits of a number over all bits (the finaliser of MurmurHash3, Appleby 2011)."""
    value ^= value >> 33
    value *= 0xFF51AFD7ED558CCDu
    value ^= value >> 33
    value *= 0xC4CEB9FE1A85EC53u
    return value ^ (value >> 33)


cdef inline uint64_t hash_end(int64_t target, uint64_t host) noexcept nogil:
    return mix(<uint64_t> target ^ host)


cdef inline uint64_t hash_pair(uint64_t before, uint64_t here, uint64_t host) noexcept nogil:
    """Return a hash of two neighbouring links on a host; never 0."""
    cdef uint64_t value = mix(before * SPREAD + here) ^ host
    return value + (value == 0)


def hash_directories(const uint8_t[::1] text not None, const int64_t[::1] starts not None, uint64_t salt):
    """Return for each of some packed URLs the hashes of its host, its first and its second directory; 0 for none."""
    cdef Py_ssize_t page, at, pages = len(starts) - 1
    cdef int slashes
    cdef uint64_t value
    if starts[0] < 0 or starts[pages] > len(text):
        raise ValueError("the starts do not fit the text")
    cdef int64_t[:, ::1] found = np.zeros((pages, LEVELS), np.int64)
    with nogil:
        for page in range(pages):
            value, slashes = salt, 0
            for at in range(starts[page], starts[page + 1]):
                if text[at] == b"?" or text[at] == b"#":
                    break
                value = (value ^ text[at]) * PRIME
                if text[at] == b"/":
                    slashes += 1
                    if slashes > SLASHES_BEFORE_HOST:
                        found[page, slashes - SLASHES_BEFORE_HOST - 1] = <int64_t> (mix(value) | 1)
                    if slashes == SLASHES_BEFORE_HOST + LEVELS:
                        break
    return np.asarray(found)


def hash_pairs(
    const int64_t[::1] hosts not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] targets not None,
    uint8_t[::1] tallies not None,
):
    """Return a hash for each two neighbouring links of each page, together with the host of the page.

    Page p has the links starts[p] to starts[p + 1]; the margins of a page count as neighbours, so that it has one pair more than
    links. Pairs of two links to one page, which say nothing, and the pairs of pages with host 0 have the hash 0. Each other pair adds 1, up to 255, to the tally of its hash; the number
    of tallies must be a power of two.
    """
    cdef Py_ssize_t page, at, out = 0, pages = len(hosts), links = len(targets)
    cdef uint64_t before, here, value, host, mask = len(tallies) - 1
    if len(starts) != pages + 1 or starts[0] != 0 or starts[pages] != links or len(tallies) & mask:
        raise ValueError("hosts, links and tallies have different lengths")
    cdef int64_t[::1] found = np.zeros(links + pages, np.int64)
    with nogil:
        for page in range(pages):
            host, before = <uint64_t> hosts[page], LEFT_MARGIN
            if host == 0:
                out += starts[page + 1] - starts[page] + 1
                continue
            for at in range(starts[page], starts[page + 1] + 1):
                here = hash_end(targets[at], host) if at < starts[page + 1] else RIGHT_MARGIN
                if here != before:
                    value = hash_pair(before, here, host)
                    found[out] = <int64_t> value
                    tallies[value & mask] += tallies[value & mask] < MOST
                before = here
                out += 1
    return np.asarray(found)


cdef inline uint64_t hash_place(int64_t target, uint64_t host, Py_ssize_t place) noexcept nogil:
    """Return a hash of a link and of its place, counted from the first link of a page or, below 0, from the last; never 0."""
    cdef uint64_t value = mix(hash_end(target, host) + <uint64_t> place * SPREAD) ^ host
    return value + (value == 0)


def tally_places(
    const int64_t[::1] hosts not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] targets not None,
    uint8_t[::1] tallies not None,
):
    """Add 1, up to 255, to the tally of each link among the first or the last links of its page, together with its place."""
    cdef Py_ssize_t page, at, place, pages = len(hosts), links = len(targets)
    cdef uint64_t value, mask = len(tallies) - 1
    if len(starts) != pages + 1 or starts[0] != 0 or starts[pages] != links or len(tallies) & mask:
        raise ValueError("hosts, links and tallies have different lengths")
    with nogil:
        for page in range(pages):
            if hosts[page] == 0:
                continue
            for at in range(starts[page], min(starts[page] + REACH, starts[page + 1])):
                value = hash_place(targets[at], <uint64_t> hosts[page], at - starts[page]) & mask
                tallies[value] += tallies[value] < MOST
            for at in range(max(starts[page + 1] - REACH, starts[page]), starts[page + 1]):
                value = hash_place(targets[at], <uint64_t> hosts[page], at - starts[page + 1]) & mask
                tallies[value] += tallies[value] < MOST


def find_places(
    const int64_t[::1] hosts not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] targets not None,
    const uint8_t[::1] tallies not None,
    int least,
):
    """Return the links among the first or last of their pages whose tally reaches `least`, and hashes of link and place."""
    cdef Py_ssize_t page, at, end, out = 0, pages = len(hosts), links = len(targets)
    cdef uint64_t value, mask = len(tallies) - 1
    if len(starts) != pages + 1 or starts[0] != 0 or starts[pages] != links or len(tallies) & mask:
        raise ValueError("hosts, links and tallies have different lengths")
    cdef int64_t[:, ::1] found = np.empty((2, min(2 * links, 2 * REACH * pages)), np.int64)
    with nogil:
        for page in range(pages):
            if hosts[page] == 0:
                continue
            for end in range(2):
                for at in range(
                    max(starts[page + 1] - REACH, starts[page]) if end else starts[page],
                    starts[page + 1] if end else min(starts[page] + REACH, starts[page + 1]),
                ):
                    value = hash_place(targets[at], <uint64_t> hosts[page], at - starts[page + end])
                    if tallies[value & mask] >= least:
                        found[0, out] = at
                        found[1, out] = <int64_t> value
                        out += 1
    return np.asarray(found)[:, :out].copy()


def count_pages(const int32_t[::1] keys not None, const int32_t[::1] pages not None, int32_t count):
    """Return for each key, from 0 to count - 1, on how many pages it is; equal keys of one page must not be interrupted by other pages."""
    cdef int32_t[::1] counts = np.zeros(count, np.int32)
    cdef int32_t[::1] last = np.full(count, -1, np.int32)
    cdef Py_ssize_t at
    if len(pages) != len(keys) or (len(keys) and not 0 <= np.min(keys) <= np.max(keys) < count):
        raise ValueError("keys and pages do not fit together")
    with nogil:
        for at in range(len(keys)):
            if last[keys[at]] != pages[at]:
                last[keys[at]] = pages[at]
                counts[keys[at]] += 1
    return np.asarray(counts)


def hash_bridges(
    const int64_t[::1] hosts not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] targets not None,
    const int64_t[::1] own not None,
):
    """Return, in the order of `hash_pairs`, the hashes of the two pairs that each pair would be with the page itself between them."""
    cdef Py_ssize_t page, at, out = 0, pages = len(hosts), links = len(targets)
    cdef uint64_t before, here, host, itself
    if len(starts) != pages + 1 or starts[0] != 0 or starts[pages] != links or len(own) != pages:
        raise ValueError("hosts and links have different lengths")
    cdef int64_t[:, ::1] found = np.zeros((2, links + pages), np.int64)
    with nogil:
        for page in range(pages):
            host, before = <uint64_t> hosts[page], LEFT_MARGIN
            itself = hash_end(own[page], host)
            for at in range(starts[page], starts[page + 1] + 1):
                here = hash_end(targets[at], host) if at < starts[page + 1] else RIGHT_MARGIN
                if before != itself and here != itself:
                    found[0, out] = <int64_t> hash_pair(before, itself, host)
                    found[1, out] = <int64_t> hash_pair(itself, here, host)
                before = here
                out += 1
    return np.asarray(found)
