from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    # Marks in `linked` who is in `ripe`; what is below is the number of links.
    RIPE = 1 << 30
    LINKS = RIPE - 1

cdef inline int32_t least_links(Py_ssize_t size, double threshold) noexcept nogil:
    """Return the smallest number of links that is such a share of so many members."""
    cdef int32_t links = <int32_t> (threshold * size)
    while links and <double> (links - 1) / size >= threshold:
        links -= 1
    while <double> links / size < threshold:
        links += 1
    return links


cdef class MemberSet:
    cdef list _buffers
    # Whom each page of this role is linked with; what a page is called elsewhere, if that is not its number.
    cdef const int64_t *starts
    cdef const int32_t *others
    cdef const int32_t *names
    cdef uint64_t role, first, second
    cdef double t_min
    cdef uint8_t *inside
    cdef int32_t *members
    cdef Py_ssize_t size
    # Of pages of the other role: links with members of this one, and who has any; who has enough.
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
    # Which pages the numbers of nodes stand for, and back, if these are not the same.
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
