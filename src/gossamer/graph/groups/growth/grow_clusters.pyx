# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compiled growth of clusters from single nodes (Schmitz 2001, section 3.4.2).

All arguments are arrays of one `Graph`, so no index is out of range. Links from members to a candidate are counted
while members join; links back are counted only for the few candidates with enough links from members.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t

from gossamer.graph.groups.growth.growing_members cimport LINKS, PackedSets, CandidateRanking, MemberSet, least_links
from gossamer.graph.groups.growth.seen_sets cimport SeenSets

cdef enum:
    # A binary search in the links of a node costs about as much as reading this many of them.
    SEARCH = 8


cdef class ClusterGrower:
    """Grows clusters on one graph and remembers every set that it has seen."""

    cdef const int64_t[::1] _starts
    cdef const int32_t[::1] _targets
    cdef const double[::1] _thresholds
    cdef SeenSets _seen
    cdef MemberSet _members
    cdef CandidateRanking _candidates
    cdef uint8_t[::1] _wants
    cdef int32_t[::1] _score, _wanting
    cdef int64_t _links
    cdef PackedSets _found
    cdef list _found_links

    def __init__(
        self,
        const int64_t[::1] starts not None,
        const int32_t[::1] targets not None,
        const double[::1] thresholds not None,
    ):
        """`thresholds[m]` applies to candidates for a set of m members, the last one to all larger sets."""
        cdef Py_ssize_t nodes = len(starts) - 1
        self._starts, self._targets, self._thresholds = starts, targets, thresholds
        self._seen, self._found, self._found_links = SeenSets(), PackedSets(), []
        self._members = MemberSet(nodes, nodes, 0, thresholds[len(thresholds) - 1])
        self._members.starts, self._members.others = &starts[0], &targets[0]
        self._candidates = CandidateRanking(nodes)
        self._wants = np.zeros(nodes, np.uint8)
        self._score, self._wanting = np.zeros(nodes, np.int32), np.empty(nodes, np.int32)

    def grow_from(self, int32_t node, Py_ssize_t least):
        """Grow a cluster from a node; keep it if it is new and has at least `least` members."""
        cdef bint new = True
        self._links = 0
        self._members.add_member(node)
        while new and self._grow():
            new = self._seen.add(self._members.first, self._members.second)
        if new and self._members.size >= least:
            self._found.add(self._members)
            self._found_links.append(self._links)
        self._members.clear()

    def to_arrays(self):
        """Return the clusters found, as starts and members, and their numbers of links."""
        return self._found.arrays(), np.array(self._found_links, np.int64)

    cdef bint _grow(self) noexcept:
        """Add all nodes linked with enough members, those with most links first; return whether any was added."""
        cdef Py_ssize_t place, before = self._members.size
        cdef double threshold = self._thresholds[min(before, len(self._thresholds) - 1)]
        cdef int32_t node, bar
        cdef int64_t links
        self._rank_candidates(least_links(before, threshold))
        for place in range(self._candidates.size):
            node = self._candidates.at(place)
            bar = least_links(self._members.size, threshold)
            if (self._members.linked[node] & LINKS) < bar:
                continue
            links = self._links_inside(node)
            if links >= bar:
                self._links += links + (self._members.linked[node] & LINKS)
                self._members.add_member(node)
        return before < self._members.size

    cdef void _rank_candidates(self, int32_t bar) noexcept:
        """Rank the nodes linked with enough members now by their links with members and other candidates."""
        cdef Py_ssize_t at, count = 0
        cdef int32_t node, other
        cdef int64_t links, link
        self._members.select_ripe(self._members.inside)
        for at in range(self._members.ripe_count):
            node = self._members.ripe[at]
            if (self._members.linked[node] & LINKS) < bar:
                continue
            links = self._links_inside(node)
            if links >= bar:
                self._wanting[count] = node
                count += 1
                self._wants[node] = True
                self._score[node] = <int32_t> links + (self._members.linked[node] & LINKS)
        for at in range(count):
            node = self._wanting[at]
            for link in range(self._starts[node], self._starts[node + 1]):
                other = self._targets[link]
                if self._wants[other]:
                    self._score[node] += 1
                    self._score[other] += 1
        self._candidates.size = 0
        for at in range(count):
            self._candidates.add(self._score[self._wanting[at]], self._wanting[at])
            self._wants[self._wanting[at]] = False
        self._candidates.sort()

    cdef int64_t _links_inside(self, int32_t node) noexcept:
        """Count the links from a node to members."""
        cdef int64_t at, low, high, middle, count = 0
        cdef Py_ssize_t place
        cdef int64_t start = self._starts[node], end = self._starts[node + 1]
        cdef int32_t member
        if end - start <= SEARCH * self._members.size:
            for at in range(start, end):
                count += self._members.inside[self._targets[at]]
            return count
        for place in range(self._members.size):
            member = self._members.members[place]
            low, high = start, end
            while low < high:
                middle = (low + high) >> 1
                if self._targets[middle] < member:
                    low = middle + 1
                else:
                    high = middle
            count += low < end and self._targets[low] == member
        return count
