from libc.stdint cimport uint32_t


cdef enum:
    # The rarity of words that no list has.
    HIGHEST_COST = 700


cdef struct Header:
    uint32_t format
    uint32_t words
    uint32_t slots
    uint32_t text_bytes


cdef struct CostSlot:
    # The hash of a word, and its number plus one; 0 in an empty slot.
    uint32_t hash
    uint32_t number


cdef struct ListedWord:
    # Where its bytes are, how many, and its cost.
    uint32_t at
    uint32_t length
    uint32_t cost


cdef class WordCosts:
    cdef bytes _packed
    cdef readonly Py_ssize_t count
    cdef uint32_t _mask
    cdef const CostSlot *_slots
    cdef const ListedWord *_words
    cdef const unsigned char *_text

    cdef int find(self, str word) except -2
    cdef int estimate(self, str word) except -2
    cdef int _find(self, const unsigned char *text, Py_ssize_t length) noexcept
