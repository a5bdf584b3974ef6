from libc.stdint cimport uint32_t, uint64_t


cdef struct Block:
    # The first entry of a block: its bytes are in the arena, the value behind the key; the first eight of them also as a number.
    uint64_t start
    uint32_t at
    uint32_t key_length
    uint32_t value_length
    uint32_t end


cdef enum:
    LONGEST = 1024
    # Short strings are copied so many bytes at once, whatever their length.
    COPIED = 16


cdef struct Entry:
    # A form and its base form, and where the next entry begins.
    unsigned char key[LONGEST + COPIED]
    unsigned char value[LONGEST + COPIED]
    Py_ssize_t key_length
    Py_ssize_t value_length
    Py_ssize_t end


cdef class LemmaDictionary:
    cdef bytes _prepared
    cdef const Block *_blocks
    cdef Py_ssize_t _block_count
    cdef const unsigned char *_arena
    cdef const unsigned char *_data
    cdef Py_ssize_t _data_length
    cdef readonly Py_ssize_t forms

    cpdef str get(self, str form)
    cdef str _find(self, const unsigned char *target, Py_ssize_t length)
    cdef const Block *_find_block(self, const unsigned char *target, Py_ssize_t length) noexcept
    cdef Py_ssize_t _measure_distance(self, const Block *block, const unsigned char *target, Py_ssize_t length) noexcept
