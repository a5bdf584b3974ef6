"""The words in the class names and ids of elements, each with its bits."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    SLOTS = 1024
    MOST_MODIFIERS = 64
    LONGEST_WORD = 16

cdef class NameWords:
    # A table of words of at most sixteen letters, as two numbers each; unused slots have no bits.
    cdef uint64_t[SLOTS] begins
    cdef uint64_t[SLOTS] rests
    cdef uint32_t[SLOTS] bits
    cdef unsigned char[MOST_MODIFIERS][LONGEST_WORD + 1] modifiers
    cdef int modifier_count
    cdef Py_ssize_t most_chars

    cdef bint find(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end, uint32_t* found) noexcept
    cdef bint is_modifier(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef uint32_t look_up(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept
