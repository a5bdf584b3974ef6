"""The set of keys seen before: 64-bit integers in a hash table with open addressing.

Measured at 10 million keys: 27 bytes a key, where a Python set takes 59. Loading them takes half a second, so that a
web is ready again soon after a kill. Adding or testing the hundred keys of a page takes 3 µs.
"""

import os

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif

    // A large table is read at random places: with pages of 4 kB most reads would miss the TLB.
    static void prefer_huge_pages(void *start, size_t bytes) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        size_t into_page = (size_t) start % 4096, skipped = into_page ? 4096 - into_page : 0;
        if (bytes >= (1u << 22))
            madvise((char *) start + skipped, bytes - skipped, MADV_HUGEPAGE);
    #else
        (void) start; (void) bytes;
    #endif
    }

    #if defined(__GNUC__)
    #define prefetch(address) __builtin_prefetch(address)
    #else
    #define prefetch(address) ((void) (address))
    #endif
    """
    void prefer_huge_pages(void *start, size_t bytes) noexcept
    void prefetch(const void *address) noexcept

cdef enum:
    SMALLEST_BITS = 12
    # Slots are prefetched this many keys ahead: in a large table each is a walk to main memory, and walks can overlap.
    AHEAD = 16

# Above this load linear probing begins to walk: 0.6 costs 1.75 probes for a hit, 0.8 costs 3 (Knuth, vol. 3, 6.4).
cdef double FULLEST = 0.6

# Types for the .pyi, unused at run time: numpy takes 0.1 s to load.
Keys = Flags = object


cdef class SeenSet:
    """A growing set of 64-bit keys. 0 marks an empty slot, so the key 0 has a flag of its own."""

    cdef int64_t *_slots
    cdef int _bits
    cdef uint64_t _salt
    cdef Py_ssize_t _count
    cdef bint _has_zero

    def __cinit__(self, const int64_t[::1] keys=None):
        # Fingerprints spread well by themselves, but an author of URLs can make them collide; a random salt prevents it.
        self._salt = int.from_bytes(os.urandom(8), "little") | 1
        self._bits = _count_bits(0 if keys is None else len(keys))
        self._slots = _allocate_slots(self._bits)
        if keys is not None and len(keys):
            self._add(&keys[0], len(keys), 0, bytearray(len(keys)))

    def __dealloc__(self):
        free(self._slots)

    def __len__(self):
        return self._count + self._has_zero

    def add(self, const int64_t[::1] keys not None):
        """Add keys; return for each whether it was new. A key that is twice in `keys` is new once."""
        flags = bytearray(len(keys))
        if len(keys):
            self._add(&keys[0], len(keys), 0, flags)
        return _to_array(flags)

    def has(self, const int64_t[::1] keys not None):
        """Return for each key whether it is in the set."""
        flags = bytearray(len(keys))
        if len(keys):
            self._find(&keys[0], len(keys), 0, flags)
        return _to_array(flags)

    def add_many(self, list keys not None, int64_t mark=0):
        """Add keys, each XORed with a mark; return a byte for each: 1 if it was new, else 0."""
        cdef Py_ssize_t count = len(keys)
        cdef bytes flags = PyBytes_FromStringAndSize(NULL, count)
        cdef int64_t *unpacked = _unpack_keys(keys, count)
        try:
            self._add(unpacked, count, mark, <uint8_t *> PyBytes_AS_STRING(flags))
        finally:
            free(unpacked)
        return flags

    def has_many(self, list keys not None, tuple marks=(0,)):
        """Return a byte for each key: 1 if the key XORed with any of the marks is in the set, else 0."""
        cdef Py_ssize_t count = len(keys)
        cdef bytes flags = PyBytes_FromStringAndSize(NULL, count)
        cdef int64_t *unpacked = _unpack_keys(keys, count)
        memset(PyBytes_AS_STRING(flags), 0, count)
        try:
            for mark in marks:
                self._find(unpacked, count, mark, <uint8_t *> PyBytes_AS_STRING(flags))
        finally:
            free(unpacked)
        return flags

    cdef int _add(self, const int64_t *keys, Py_ssize_t count, int64_t mark, uint8_t *is_new) except -1:
        cdef Py_ssize_t at
        if self._count + count > FULLEST * (<int64_t> 1 << self._bits):
            self._grow(self._count + count)
        for at in range(count):
            if at + AHEAD < count:
                prefetch(&self._slots[self._find_slot(keys[at + AHEAD] ^ mark)])
            is_new[at] = self._put(keys[at] ^ mark)
        return 0

    cdef void _find(self, const int64_t *keys, Py_ssize_t count, int64_t mark, uint8_t *is_found) noexcept:
        """Set the flags of the keys that are in the set; leave the others."""
        cdef Py_ssize_t at
        for at in range(count):
            if at + AHEAD < count:
                prefetch(&self._slots[self._find_slot(keys[at + AHEAD] ^ mark)])
            is_found[at] |= self._holds(keys[at] ^ mark)

    cdef inline uint64_t _find_slot(self, int64_t key) noexcept:
        """Return the first slot of a key: the high bits of the product depend on every bit of the key."""
        return (<uint64_t> key * self._salt) >> (64 - self._bits)

    cdef inline uint64_t _search(self, int64_t key) noexcept:
        """Return the slot of a key, or the empty one where it would go."""
        cdef uint64_t slot = self._find_slot(key), mask = (<uint64_t> 1 << self._bits) - 1
        while self._slots[slot] != 0 and self._slots[slot] != key:
            slot = (slot + 1) & mask
        return slot

    cdef inline bint _holds(self, int64_t key) noexcept:
        return self._slots[self._search(key)] == key and (key != 0 or self._has_zero)

    cdef inline bint _put(self, int64_t key) noexcept:
        """Add a key; say whether it was new."""
        cdef uint64_t slot
        cdef bint is_new
        if key == 0:
            is_new = not self._has_zero
            self._has_zero = True
            return is_new
        slot = self._search(key)
        is_new = self._slots[slot] == 0
        self._slots[slot] = key
        self._count += is_new
        return is_new

    cdef int _grow(self, Py_ssize_t expected) except -1:
        cdef int64_t *old = self._slots
        cdef Py_ssize_t slot, old_size = <Py_ssize_t> 1 << self._bits
        cdef int bits = _count_bits(expected)
        self._slots = _allocate_slots(bits)
        self._bits = bits
        self._count = 0
        for slot in range(old_size):
            if old[slot] != 0:
                self._put(old[slot])
        free(old)
        return 0


cdef _to_array(bytearray flags):
    import numpy as np

    return np.frombuffer(flags, np.bool_)


cdef int64_t *_unpack_keys(list keys, Py_ssize_t count) except NULL:
    """Return the keys of a list as an array, which the caller frees."""
    cdef int64_t *unpacked = <int64_t *> malloc(max(count, 1) * sizeof(int64_t))
    cdef Py_ssize_t at
    if unpacked == NULL:
        raise MemoryError
    try:
        for at in range(count):
            unpacked[at] = keys[at]
    except BaseException:
        free(unpacked)
        raise
    return unpacked


cdef int _count_bits(Py_ssize_t expected) noexcept:
    """Return the bits of a table that has room for these keys and a quarter more."""
    cdef int bits = SMALLEST_BITS
    while FULLEST * (<int64_t> 1 << bits) < expected * 1.25:
        bits += 1
    return bits


cdef int64_t *_allocate_slots(int bits) except NULL:
    cdef int64_t *slots = <int64_t *> calloc(<size_t> 1 << bits, sizeof(int64_t))
    if slots == NULL:
        raise MemoryError
    prefer_huge_pages(slots, sizeof(int64_t) << bits)
    return slots
