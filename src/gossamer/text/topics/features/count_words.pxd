from libc.stdint cimport uint32_t

cdef enum:
    # The three highest bits of a hash are the number of its field.
    FIELD_AT = 29

cdef struct Ids:
    uint32_t *numbers
    Py_ssize_t count
    Py_ssize_t room

cdef int take_ids(str text, uint32_t field, bint pairs, Ids *ids) except -1
