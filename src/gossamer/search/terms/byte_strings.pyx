# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Number different strings of bytes in order of arrival: a hash table without Python's objects.

Every string that is given must be followed by eight bytes of zero, since it is hashed eight bytes at a time. Hashes depend on a
random number, so that no page can bring words that all fall into one slot.
"""

import os

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy

cdef extern from *:
    """
    #ifdef __SIZEOF_INT128__
    static inline uint64_t multiply_and_fold(uint64_t one, uint64_t other) {
        unsigned __int128 product = (unsigned __int128) one * other;
        return (uint64_t) product ^ (uint64_t) (product >> 64);
    }
    #else
    static inline uint64_t multiply_and_fold(uint64_t one, uint64_t other) {
        one = (one ^ one >> 31) * (other | 1);
        return one ^ one >> 29;
    }
    #endif
    static const uint64_t SPREAD = 0x9E3779B97F4A7C15u;
    """
    uint64_t multiply_and_fold(uint64_t one, uint64_t other) noexcept
    const uint64_t SPREAD

cdef enum:
    FIRST_SLOTS = 1 << 12
    FIRST_STRINGS = 1 << 11
    FIRST_BYTES = 1 << 14


cdef class ByteStrings:
    """Different strings of bytes, each with its number."""

    def __cinit__(self):
        self.strings = NULL
        self.bytes = NULL
        self._slots = NULL
        self._seed = int.from_bytes(os.urandom(8), "little")
        self.clear()

    def __dealloc__(self):
        free(self.strings)
        free(self.bytes)
        free(self._slots)

    cdef int clear(self) except -1:
        """Forget all strings."""
        free(self._slots)
        self._slots = <Slot *>calloc(FIRST_SLOTS, sizeof(Slot))
        self._mask = FIRST_SLOTS - 1
        self.strings = <ByteString *>_resize(self.strings, FIRST_STRINGS * sizeof(ByteString))
        self.bytes = <unsigned char *>_resize(self.bytes, FIRST_BYTES)
        self._strings_room, self._bytes_room = FIRST_STRINGS, FIRST_BYTES
        self.count, self._bytes_used = 0, 0
        if self._slots == NULL:
            raise MemoryError
        return 0

    cdef Py_ssize_t find(self, const unsigned char *text, Py_ssize_t length) noexcept:
        """Return the number of a string; -1 if it is not known."""
        cdef uint32_t hash = self._hash(text, length)
        cdef Py_ssize_t at = hash & self._mask
        cdef ByteString *known
        while self._slots[at].number:
            if self._slots[at].hash == hash:
                known = &self.strings[self._slots[at].number - 1]
                if known.length == length and memcmp(self.bytes + known.at, text, length) == 0:
                    return self._slots[at].number - 1
            at = (at + 1) & self._mask
        return -1

    cdef Py_ssize_t add(self, const unsigned char *text, Py_ssize_t length) except -1:
        """Add a string that is not known; return its number."""
        if 2 * (<Py_ssize_t>self.count + 1) > self._mask:
            self._widen()
        if self.count == self._strings_room:
            self.strings = <ByteString *>_resize(self.strings, 2 * self._strings_room * sizeof(ByteString))
            self._strings_room *= 2
        if self._bytes_used + length > self._bytes_room:
            self.bytes = <unsigned char *>_resize(self.bytes, 2 * self._bytes_room + length)
            self._bytes_room = 2 * self._bytes_room + length
        memcpy(self.bytes + self._bytes_used, text, length)
        self.strings[self.count] = ByteString(self._bytes_used, length, 0, 0)
        self._bytes_used += length
        self.count += 1
        self._put(self._hash(text, length), self.count)
        return self.count - 1

    cdef void _put(self, uint32_t hash, uint32_t number) noexcept:
        cdef Py_ssize_t at = hash & self._mask
        while self._slots[at].number:
            at = (at + 1) & self._mask
        self._slots[at] = Slot(hash, number)

    cdef int _widen(self) except -1:
        """Double the slots: at most half of them are taken."""
        cdef Slot *before = self._slots
        cdef Slot *after = <Slot *>calloc(2 * (self._mask + 1), sizeof(Slot))
        cdef Py_ssize_t at, slots = self._mask + 1
        if after == NULL:
            raise MemoryError
        self._slots, self._mask = after, 2 * slots - 1
        for at in range(slots):
            if before[at].number:
                self._put(before[at].hash, before[at].number)
        free(before)
        return 0

    cdef uint32_t _hash(self, const unsigned char *text, Py_ssize_t length) noexcept:
        cdef uint64_t found = self._seed ^ <uint64_t>length, chunk
        cdef Py_ssize_t at
        for at in range(0, length, 8):
            memcpy(&chunk, text + at, 8)
            found = multiply_and_fold(found ^ chunk, SPREAD)
        return found ^ (found >> 32)


cdef void *_resize(void *memory, size_t size) except NULL:
    cdef void *found = realloc(memory, size)
    if found == NULL:
        raise MemoryError
    return found
