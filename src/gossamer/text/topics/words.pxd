from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    # The three highest bits of a hash are the number of its field.
    FIELD_AT = 29

cdef struct Counts:
    uint32_t *ids
    uint32_t *times
    uint64_t mask
    Py_ssize_t held

cdef int count_parts(list parts, Counts *counts) except -1
cdef void let_go(Counts *counts) noexcept
