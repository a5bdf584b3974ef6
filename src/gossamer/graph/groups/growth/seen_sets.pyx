# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""A compiled table of the node sets seen so far, as 128-bit fingerprints: 27 to 53 bytes for a set of any size.

The fingerprint of a set is the sum of the hashes of its members: adding a member costs one addition, and the order does
not matter. Schmitz 2001, section 3.4.6, uses the MD5 of the sorted numbers, which must be recomputed at each step.
"""

import numpy as np

from libc.stdint cimport uint64_t

cdef enum:
    SMALLEST = 1 << 10


cdef uint64_t _mix_bits(uint64_t bits) noexcept nogil:
    """Mix bits so that each changes about half of the others: the finaliser of SplitMix64 (Steele et al. 2014)."""
    bits = (bits ^ (bits >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <uint64_t> 0x94D049BB133111EB
    return bits ^ (bits >> 31)


cdef uint64_t hash_first(uint64_t member) noexcept nogil:
    return _mix_bits(member * <uint64_t> 0x9E3779B97F4A7C15 + 1)


cdef uint64_t hash_second(uint64_t member) noexcept nogil:
    return _mix_bits(member * <uint64_t> 0xD1B54A32D192ED03 + 2)


cdef class SeenSets:
    """A growing hash table of fingerprints, with open addressing. (0, 0) is an empty slot, and the empty set."""

    def __init__(self):
        self._slots = np.zeros((SMALLEST, 2), np.uint64)
        self._count = 0

    def __len__(self):
        return self._count

    cdef bint add(self, uint64_t first, uint64_t second) except -1:
        """Add a fingerprint; return whether it is new."""
        cdef Py_ssize_t last = self._slots.shape[0] - 1, at = first & last
        while self._slots[at, 0] or self._slots[at, 1]:
            if self._slots[at, 0] == first and self._slots[at, 1] == second:
                return False
            at = (at + 1) & last
        self._slots[at, 0], self._slots[at, 1] = first, second
        self._count += 1
        if self._count * 5 > self._slots.shape[0] * 3:
            self._grow()
        return True

    cdef int _grow(self) except -1:
        cdef const uint64_t[:, ::1] old = self._slots
        cdef uint64_t[:, ::1] new = np.zeros((old.shape[0] * 2, 2), np.uint64)
        cdef Py_ssize_t last = new.shape[0] - 1, slot, at
        for slot in range(old.shape[0]):
            if old[slot, 0] or old[slot, 1]:
                at = old[slot, 0] & last
                while new[at, 0] or new[at, 1]:
                    at = (at + 1) & last
                new[at, 0], new[at, 1] = old[slot, 0], old[slot, 1]
        self._slots = new
        return 0
