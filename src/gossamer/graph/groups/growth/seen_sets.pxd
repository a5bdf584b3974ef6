from libc.stdint cimport uint64_t

cdef uint64_t hash_first(uint64_t member) noexcept nogil
cdef uint64_t hash_second(uint64_t member) noexcept nogil

cdef class SeenSets:
    cdef uint64_t[:, ::1] _slots
    cdef Py_ssize_t _count

    cdef bint add(self, uint64_t first, uint64_t second) except -1
    cdef int _grow(self) except -1
