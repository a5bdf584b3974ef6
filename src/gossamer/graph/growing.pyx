# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Clusters grown from single nodes: the compiled loop of seed 002, section 3.4.2.

All arguments are arrays of one `Graph`, so no index can leave its array. Links that lead to a candidate are counted
while members join; those that lead from it are counted only once enough lead to it, which is true of few.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from gossamer.graph.seen_sets cimport SeenSets, first_mark, second_mark

cdef enum:
    # A search among the links of a node costs about as much as reading so many of them.
    SEARCH = 8


cdef class ClusterGrower:
    """Grows clusters on one graph and remembers every set that it has met."""

    cdef const int64_t[::1] _starts
    cdef const int32_t[::1] _targets
    cdef const double[::1] _thresholds
    cdef SeenSets _seen
    cdef int32_t[::1] _linked
    cdef uint8_t[::1] _inside
    cdef uint8_t[::1] _wants
    cdef int32_t[::1] _score
    cdef int32_t[::1] _members
    cdef int32_t[::1] _near
    cdef Py_ssize_t _size, _near_count
    cdef int64_t _links
    cdef uint64_t _first, _second

    def __init__(
        self,
        const int64_t[::1] starts not None,
        const int32_t[::1] targets not None,
        const double[::1] thresholds not None,
    ):
        """`thresholds[m]` is asked of who wants to join m members; the last one holds for all larger clusters."""
        cdef Py_ssize_t nodes = len(starts) - 1
        self._starts, self._targets, self._thresholds = starts, targets, thresholds
        self._seen = SeenSets()
        self._linked = np.zeros(nodes, np.int32)
        self._inside = np.zeros(nodes, np.uint8)
        self._wants = np.zeros(nodes, np.uint8)
        self._score = np.zeros(nodes, np.int32)
        self._members = np.empty(nodes, np.int32)
        self._near = np.empty(nodes, np.int32)

    def grow(self, int32_t node, Py_ssize_t least):
        """Grow a cluster from a node; return its members, ascending, and its links; None if seen or too small."""
        cdef Py_ssize_t before = 0
        cdef bint new = True
        self._size = self._near_count = self._links = self._first = self._second = 0
        self._join(node)
        while new and before < self._size:
            before = self._size
            self._round()
            if before < self._size:
                new = self._seen.add(self._first, self._second)
        found = None
        if new and self._size >= least:
            found = np.sort(np.asarray(self._members)[: self._size]), self._links
        self._forget()
        return found

    cdef int _round(self) except -1:
        """Let all join who are linked with enough members, those first who have most links with members and others."""
        cdef double threshold = self._thresholds[min(self._size, len(self._thresholds) - 1)]
        cdef int32_t node
        cdef int64_t links
        for key in self._candidates(threshold):
            node = <int32_t> (<int64_t> key & 0x7FFFFFFF)
            if <double> self._linked[node] / self._size < threshold:
                continue
            links = self._links_inside(node)
            if <double> links / self._size >= threshold:
                self._links += links + self._linked[node]
                self._join(node)
        return 0

    cdef list _candidates(self, double threshold):
        """Return who is linked with enough members now, in the order of links with members and other candidates."""
        cdef Py_ssize_t at
        cdef int32_t node, other
        cdef int64_t links, link
        wanting, keys = [], []
        for at in range(self._near_count):
            node = self._near[at]
            if self._inside[node] or <double> self._linked[node] / self._size < threshold:
                continue
            links = self._links_inside(node)
            if <double> links / self._size >= threshold:
                wanting.append(node)
                self._wants[node] = True
                self._score[node] = <int32_t> links + self._linked[node]
        for node in wanting:
            for link in range(self._starts[node], self._starts[node + 1]):
                other = self._targets[link]
                if self._wants[other]:
                    self._score[node] += 1
                    self._score[other] += 1
        for node in wanting:
            keys.append((<int64_t> (0x7FFFFFFF - self._score[node]) << 32) | node)
            self._wants[node] = False
        keys.sort()
        return keys

    cdef int64_t _links_inside(self, int32_t node) noexcept:
        """Count the links from a node to members."""
        cdef int64_t at, low, high, middle, count = 0
        cdef Py_ssize_t member
        cdef int64_t start = self._starts[node], end = self._starts[node + 1]
        if end - start <= SEARCH * self._size:
            for at in range(start, end):
                count += self._inside[self._targets[at]]
            return count
        for member in range(self._size):
            low, high = start, end
            while low < high:
                middle = (low + high) >> 1
                if self._targets[middle] < self._members[member]:
                    low = middle + 1
                else:
                    high = middle
            count += low < end and self._targets[low] == self._members[member]
        return count

    cdef void _join(self, int32_t node) noexcept:
        cdef int64_t at
        cdef int32_t target
        self._inside[node] = True
        self._members[self._size] = node
        self._size += 1
        self._first += first_mark(node)
        self._second += second_mark(node)
        for at in range(self._starts[node], self._starts[node + 1]):
            target = self._targets[at]
            if not self._linked[target]:
                self._near[self._near_count] = target
                self._near_count += 1
            self._linked[target] += 1

    cdef void _forget(self) noexcept:
        cdef Py_ssize_t at
        for at in range(self._size):
            self._inside[self._members[at]] = False
        for at in range(self._near_count):
            self._linked[self._near[at]] = 0
