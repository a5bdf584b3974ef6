# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Numbers 0, 1, 2 … for ids: by an array where ids fill their range, else by a compiled hash table.

The table uses open addressing. A million ids take 32 MB, and ten million look-ups take a fifth of a second.
"""

import os

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fetch_soon(address) __builtin_prefetch(address)
    #else
    #define fetch_soon(address) ((void) (address))
    #endif
    """
    void fetch_soon(const void *address) noexcept nogil

cdef enum:
    SMALLEST_BITS = 10
    # A slot is prefetched this many ids ahead, so that accesses to main memory overlap.
    AHEAD = 16
    # About ten links come between two pages, so the slots of pages need less lead.
    PAGES_AHEAD = 4
    EMPTY = -1

cdef struct Slot:
    int64_t id
    int32_t number

ctypedef fused Id:
    int32_t
    int64_t

# Ids may be fingerprints, or 0, 1, 2 …: multiplying by this odd number spreads both (Knuth, vol. 3, 6.4).
cdef uint64_t SPREAD = 0x9E3779B97F4A7C15u


def mark_ids(const Id[::1] ids not None, int64_t first, uint8_t[::1] there not None):
    """Set there[id - first] for each id; every id must be in this range."""
    cdef Py_ssize_t at
    with nogil:
        for at in range(len(ids)):
            there[ids[at] - first] = 1


def look_up_nodes(const Id[::1] ids not None, int64_t first, const int32_t[::1] node_at not None):
    """Return node_at[id - first] for each id, or -1 for ids outside the range."""
    cdef int32_t[::1] nodes = np.empty(len(ids), np.int32)
    cdef Py_ssize_t at
    cdef uint64_t place, places = len(node_at)
    with nogil:
        for at in range(len(ids)):
            place = <uint64_t> <int64_t> ids[at] - <uint64_t> first
            nodes[at] = node_at[place] if place < places else -1
    return np.asarray(nodes)


cdef class Numbering:
    """Numbers ids in the order in which they are added."""

    cdef Slot *_slots
    cdef int _bits
    cdef uint64_t _salt
    cdef int64_t _count

    def __cinit__(self, int64_t expected=0):
        # An attacker can craft URLs whose fingerprints collide, but cannot guess this salt.
        self._salt = int.from_bytes(os.urandom(8), "little")
        self._bits = SMALLEST_BITS
        while (<int64_t> 1 << self._bits) < 2 * expected:
            self._bits += 1
        self._slots = _empty_slots(self._bits)

    def __dealloc__(self):
        free(self._slots)

    def __len__(self):
        return self._count

    def add(self, const int64_t[::1] ids not None):
        """Return the number of each id; an unknown id gets the next number."""
        cdef Py_ssize_t at = 0, count = len(ids), until
        cdef int32_t[::1] numbers = np.empty(count, np.int32)
        while at < count:
            # As many ids as are sure to fit, so that the inner loop needs no check.
            until = min(count, at + ((<int64_t> 1 << self._bits) * 6) // 10 - self._count)
            if until <= at:
                self._grow()
                continue
            with nogil:
                for at in range(at, until):
                    if at + AHEAD < until:
                        fetch_soon(&self._slots[self._slot_of(ids[at + AHEAD])])
                    numbers[at] = self._put(ids[at])
            at = until
        return np.asarray(numbers)

    def find(self, const int64_t[::1] ids not None):
        """Return the number of each id, or -1 if it is unknown."""
        cdef Py_ssize_t at, count = len(ids)
        cdef int32_t[::1] numbers = np.empty(count, np.int32)
        with nogil:
            for at in range(count):
                if at + AHEAD < count:
                    fetch_soon(&self._slots[self._slot_of(ids[at + AHEAD])])
                numbers[at] = self._slots[self._search(ids[at])].number
        return np.asarray(numbers)

    def find_links(
        self,
        const int64_t[::1] pages not None,
        const int64_t[::1] starts not None,
        const int64_t[::1] targets not None,
        const uint8_t[::1] kinds not None,
        const uint8_t[::1] wanted not None,
        int64_t[::1] counts not None,
        int32_t[:, ::1] into not None,
        Py_ssize_t found,
    ):
        """Find both ends of links: page p has the links starts[p] to starts[p + 1], each with a target and a kind.

        Sources and targets are appended to the two rows of `into`, which hold `found` links already. Links of unknown
        pages and of unwanted kinds are skipped; the others are counted by kind. Return the new number of links and, for
        links to unknown ids, the sources as numbers and the targets as ids.
        """
        cdef Py_ssize_t page, at, outside = 0, links = len(targets)
        cdef int32_t source, target
        if len(starts) != len(pages) + 1 or starts[0] != 0 or starts[len(pages)] != links or len(kinds) != links:
            raise ValueError("pages, links and kinds have different lengths")
        if len(wanted) < 256 or len(counts) < 256 or into.shape[0] != 2 or into.shape[1] < found + links:
            raise ValueError("the arrays are too small for these links or kinds")
        cdef int32_t[::1] leaving = np.empty(links, np.int32)
        cdef int64_t[::1] elsewhere = np.empty(links, np.int64)
        with nogil:
            for page in range(len(pages)):
                if page + PAGES_AHEAD < len(pages):
                    fetch_soon(&self._slots[self._slot_of(pages[page + PAGES_AHEAD])])
                source = self._slots[self._search(pages[page])].number
                for at in range(starts[page], starts[page + 1]):
                    if at + AHEAD < links:
                        fetch_soon(&self._slots[self._slot_of(targets[at + AHEAD])])
                    if source == EMPTY or not wanted[kinds[at]]:
                        continue
                    counts[kinds[at]] += 1
                    target = self._slots[self._search(targets[at])].number
                    if target != EMPTY:
                        into[0, found] = source
                        into[1, found] = target
                        found += 1
                    else:
                        leaving[outside] = source
                        elsewhere[outside] = targets[at]
                        outside += 1
        return found, np.asarray(leaving)[:outside].copy(), np.asarray(elsewhere)[:outside].copy()

    def ids(self):
        """Return all ids, ordered by their numbers."""
        cdef int64_t[::1] ids = np.empty(self._count, np.int64)
        cdef Py_ssize_t slot
        for slot in range(<Py_ssize_t> 1 << self._bits):
            if self._slots[slot].number != EMPTY:
                ids[self._slots[slot].number] = self._slots[slot].id
        return np.asarray(ids)

    cdef inline uint64_t _slot_of(self, int64_t id) noexcept nogil:
        cdef uint64_t spread = (<uint64_t> id ^ self._salt) * SPREAD
        return ((spread ^ (spread >> 32)) * SPREAD) >> (64 - self._bits)

    cdef inline uint64_t _search(self, int64_t id) noexcept nogil:
        """Return the slot of an id, or the empty slot where it would be inserted."""
        cdef uint64_t slot = self._slot_of(id), mask = (<uint64_t> 1 << self._bits) - 1
        while self._slots[slot].number != EMPTY and self._slots[slot].id != id:
            slot = (slot + 1) & mask
        return slot

    cdef inline int32_t _put(self, int64_t id) noexcept nogil:
        cdef uint64_t slot = self._search(id)
        if self._slots[slot].number == EMPTY:
            self._slots[slot].id = id
            self._slots[slot].number = <int32_t> self._count
            self._count += 1
        return self._slots[slot].number

    cdef int _grow(self) except -1:
        cdef Slot *old = self._slots
        cdef Py_ssize_t slot, old_size = <Py_ssize_t> 1 << self._bits
        cdef Slot *larger = _empty_slots(self._bits + 1)
        self._slots = larger
        self._bits += 1
        for slot in range(old_size):
            if old[slot].number != EMPTY:
                self._slots[self._search(old[slot].id)] = old[slot]
        free(old)
        return 0


cdef Slot *_empty_slots(int bits) except NULL:
    cdef Slot *slots = <Slot *> malloc((<size_t> 1 << bits) * sizeof(Slot))
    cdef Py_ssize_t at
    if slots == NULL:
        raise MemoryError
    for at in range(<Py_ssize_t> 1 << bits):
        slots[at].number = EMPTY
    return slots
