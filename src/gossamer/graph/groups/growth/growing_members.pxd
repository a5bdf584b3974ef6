from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    # The flag in `linked` of nodes that are in `ripe`; the lower bits are the number of links.
    RIPE = 1 << 30
    LINKS = RIPE - 1

cdef inline int32_t least_links(Py_ssize_t size, double threshold) noexcept nogil:
    """Return the smallest number of links that is at least this share of the members."""
    cdef int32_t links = <int32_t> (threshold * size)
    while links and <double> (links - 1) / size >= threshold:
        links -= 1
    while <double> links / size < threshold:
        links += 1
    return links


cdef class MemberSet:
    cdef list _buffers
    # The links of each page of this role; the names of pages, if they differ from their numbers.
    cdef const int64_t *starts
    cdef const int32_t *others
    cdef const int32_t *names
    cdef uint64_t role, first, second
    cdef double t_min
    cdef uint8_t *inside
    cdef int32_t *members
    cdef Py_ssize_t size
    # For pages of the other role: number of links with members, the pages with any, and the pages with enough (ripe).
    cdef int32_t *linked
    cdef int32_t *near
    cdef Py_ssize_t near_count
    cdef int32_t *ripe
    cdef Py_ssize_t ripe_count

    cdef void add_member(self, int32_t node) noexcept
    cdef void select_ripe(self, const uint8_t *inside_already) noexcept
    cdef void clear(self) noexcept


cdef class CandidateRanking:
    cdef int64_t[::1] _keys
    # Names by number and numbers by name, if they differ.
    cdef const int32_t[::1] _names, _numbers
    cdef Py_ssize_t size

    cdef void add(self, int32_t score, int32_t node) noexcept
    cdef void sort(self) noexcept
    cdef int32_t at(self, Py_ssize_t place) noexcept


cdef class PackedSets:
    cdef int32_t[::1] _members
    cdef int64_t[::1] _ends
    cdef Py_ssize_t _count

    cdef const int32_t *add(self, MemberSet side) except NULL
