from libc.stdint cimport uint32_t, uint64_t


cdef struct ByteString:
    # Where its bytes are, and two numbers that belong to it: a term, and a page.
    uint32_t at
    uint32_t length
    uint32_t term
    uint32_t page


cdef struct Slot:
    # The hash of a string, and its number plus one; 0 in an empty slot.
    uint32_t hash
    uint32_t number


cdef class ByteStrings:
    cdef ByteString *strings
    cdef unsigned char *bytes
    cdef readonly uint32_t count
    cdef Slot *_slots
    cdef uint64_t _seed
    cdef Py_ssize_t _mask, _strings_room, _bytes_room, _bytes_used

    cdef Py_ssize_t find(self, const unsigned char *text, Py_ssize_t length) noexcept
    cdef Py_ssize_t add(self, const unsigned char *text, Py_ssize_t length) except -1
    cdef int clear(self) except -1
    cdef uint32_t _hash(self, const unsigned char *text, Py_ssize_t length) noexcept
    cdef void _put(self, uint32_t hash, uint32_t number) noexcept
    cdef int _widen(self) except -1
