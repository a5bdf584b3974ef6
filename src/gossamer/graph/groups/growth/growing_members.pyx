# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compiled parts shared by growing clusters and cores: members, their candidates, and packed results.

A cluster has one set of members; a core has two, fans and centres.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport qsort

from gossamer.graph.groups.growth.seen_sets cimport hash_first, hash_second

cdef enum:
    # Up to this many keys, insertion sort is faster than qsort with a call per comparison.
    FEW = 16


cdef class MemberSet:
    """The members of one role, and the number of members that each page of the other role is linked with."""

    def __init__(self, Py_ssize_t nodes, Py_ssize_t others, uint64_t role, double t_min):
        """Allocate for this many pages of this role and of the other; the caller sets `starts` and `others`."""
        cdef uint8_t[::1] inside = np.zeros(nodes + 1, np.uint8)
        cdef int32_t[::1] members = np.empty(nodes + 1, np.int32)
        cdef int32_t[::1] linked = np.zeros(others + 1, np.int32)
        # One more entry than is kept is written: see `add_member`.
        cdef int32_t[::1] near = np.empty(others + 1, np.int32)
        cdef int32_t[::1] ripe = np.empty(others + 1, np.int32)
        self._buffers = [inside, members, linked, near, ripe]
        self.inside, self.members = &inside[0], &members[0]
        self.linked, self.near, self.ripe = &linked[0], &near[0], &ripe[0]
        self.role, self.t_min = role, t_min

    cdef void add_member(self, int32_t node) noexcept:
        """Add a member and count its links.

        Sets only grow, so a page that fits later had enough links when its last link was counted. The loop adds
        conditions as numbers instead of branching on them, since the processor would often mispredict the branches.
        """
        cdef int32_t *linked = self.linked
        cdef int32_t *near = self.near
        cdef int32_t *ripe = self.ripe
        cdef const int32_t *others = self.others
        cdef Py_ssize_t near_count = self.near_count, ripe_count = self.ripe_count
        cdef int64_t at
        cdef int32_t other, links, bar
        cdef bint becomes_ripe
        cdef uint64_t member = <uint64_t> (self.names[node] if self.names else node) << 1 | self.role
        self.first += hash_first(member)
        self.second += hash_second(member)
        self.inside[node] = True
        self.members[self.size] = node
        self.size += 1
        bar = least_links(self.size, self.t_min)
        for at in range(self.starts[node], self.starts[node + 1]):
            other = others[at]
            links = linked[other] + 1
            near[near_count] = other
            near_count += links == 1
            becomes_ripe = (links >= bar) & (links < RIPE)
            ripe[ripe_count] = other
            ripe_count += becomes_ripe
            linked[other] = links + becomes_ripe * RIPE
        self.near_count, self.ripe_count = near_count, ripe_count

    cdef void select_ripe(self, const uint8_t *inside_already) noexcept:
        """Keep only the ripe pages that are linked with enough members and are not yet members of their role."""
        cdef Py_ssize_t at, kept = 0
        cdef int32_t node, bar = least_links(self.size, self.t_min)
        for at in range(self.ripe_count):
            node = self.ripe[at]
            if (self.linked[node] & LINKS) >= bar and not inside_already[node]:
                self.ripe[kept] = node
                kept += 1
            else:
                self.linked[node] &= LINKS
        self.ripe_count = kept

    cdef void clear(self) noexcept:
        cdef Py_ssize_t at
        for at in range(self.size):
            self.inside[self.members[at]] = False
        for at in range(self.near_count):
            self.linked[self.near[at]] = 0
        self.size = self.near_count = self.ripe_count = 0
        self.first = self.second = 0


cdef class CandidateRanking:
    """Candidates sorted by score, the highest first; equal ones by the smallest number."""

    def __init__(self, Py_ssize_t nodes, names=None, numbers=None):
        self._keys = np.empty(nodes + 1, np.int64)
        self._names, self._numbers = names, numbers

    cdef void add(self, int32_t score, int32_t node) noexcept:
        cdef int32_t name = node if self._names is None else self._names[node]
        self._keys[self.size] = (<int64_t> (0x7FFFFFFF - score) << 32) | name
        self.size += 1

    cdef int32_t at(self, Py_ssize_t place) noexcept:
        cdef int32_t name = <int32_t> (self._keys[place] & 0x7FFFFFFF)
        return name if self._numbers is None else self._numbers[name]

    cdef void sort(self) noexcept:
        cdef Py_ssize_t place, at
        cdef int64_t key
        cdef int64_t *keys = &self._keys[0]
        if self.size > FEW:
            qsort(keys, self.size, sizeof(int64_t), _compare_keys)
            return
        for place in range(1, self.size):
            key = keys[place]
            at = place
            while at and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                at -= 1
            keys[at] = key


cdef int _compare_keys(const void *one, const void *other) noexcept nogil:
    cdef int64_t first = (<const int64_t *> one)[0], second = (<const int64_t *> other)[0]
    return (first > second) - (first < second)


cdef class PackedSets:
    """Sets concatenated in one array: millions of them would not fit into memory as objects."""

    def __init__(self):
        self._members = np.empty(1024, np.int32)
        self._ends = np.zeros(1024, np.int64)

    cdef const int32_t *add(self, MemberSet side) except NULL:
        """Append the names of the members, ascending; return a pointer to them."""
        cdef Py_ssize_t at
        cdef int64_t start = self._ends[self._count], end = start + side.size
        self._count += 1
        if self._count == len(self._ends):
            self._ends = _enlarge(self._ends, 2 * self._count)
        if end > len(self._members):
            self._members = _enlarge(self._members, 2 * end)
        self._ends[self._count] = end
        for at in range(side.size):
            self._members[start + at] = side.names[side.members[at]] if side.names else side.members[at]
        qsort(&self._members[start], side.size, sizeof(int32_t), _compare_members)
        return &self._members[start]

    def arrays(self):
        """Return the starts of the sets, with the end of the last, and the members of all."""
        ends = np.asarray(self._ends)[: self._count + 1]
        return ends, np.asarray(self._members)[: self._ends[self._count]]


def _enlarge(old, Py_ssize_t room):
    """Return a larger copy of an array; the new part takes no memory until it is written to."""
    new = np.empty(room, np.asarray(old).dtype)
    new[: len(old)] = old
    return new


cdef int _compare_members(const void *one, const void *other) noexcept nogil:
    return (<const int32_t *> one)[0] - (<const int32_t *> other)[0]
