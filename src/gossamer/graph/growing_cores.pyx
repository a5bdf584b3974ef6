# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Bipartite cores grown from single links: the compiled loop of seed 002, section 3.4.3.

All arguments are arrays of one `Graph`, or of its links between possible fans and possible centres, so no index can
leave its array. How many centres each page links to, and how many fans link to it, is counted while members join.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from gossamer.graph.seen_sets cimport SeenSets, first_mark, second_mark


cdef class Side:
    """The members of one role, and how many of them each page is linked with on the other side."""

    cdef const int64_t[::1] starts
    cdef const int32_t[::1] others
    cdef uint64_t role
    cdef uint8_t[::1] inside
    cdef uint8_t[::1] told
    cdef int32_t[::1] members
    cdef Py_ssize_t size
    # Of pages of the other role: links with members of this one, and which pages have any; which have enough.
    cdef int32_t[::1] linked
    cdef int32_t[::1] near
    cdef Py_ssize_t near_count
    cdef uint8_t[::1] is_ripe
    cdef int32_t[::1] ripe
    cdef Py_ssize_t ripe_count
    cdef double t_min

    def __init__(
        self, const int64_t[::1] starts not None, const int32_t[::1] others not None, uint64_t role, double t_min
    ):
        cdef Py_ssize_t nodes = len(starts) - 1
        self.starts, self.others, self.role, self.t_min = starts, others, role, t_min
        self.inside = np.zeros(nodes, np.uint8)
        self.told = np.zeros(nodes, np.uint8)
        self.members = np.empty(nodes, np.int32)
        self.linked = np.zeros(nodes, np.int32)
        self.near = np.empty(nodes, np.int32)
        self.is_ripe = np.zeros(nodes, np.uint8)
        self.ripe = np.empty(nodes, np.int32)

    cdef uint64_t join(self, int32_t node) noexcept:
        """Take a member in; return what stands for it in fingerprints.

        Whoever fits some time later had enough links already when the last of them was counted: sides only grow.
        """
        cdef int64_t at
        cdef int32_t other, enough
        self.inside[node] = True
        self.members[self.size] = node
        self.size += 1
        enough = self.enough(self.t_min)
        for at in range(self.starts[node], self.starts[node + 1]):
            other = self.others[at]
            if not self.linked[other]:
                self.near[self.near_count] = other
                self.near_count += 1
            self.linked[other] += 1
            if self.linked[other] >= enough and not self.is_ripe[other]:
                self.is_ripe[other] = True
                self.ripe[self.ripe_count] = other
                self.ripe_count += 1
        return (<uint64_t> node << 1) | self.role

    cdef int32_t enough(self, double threshold) noexcept:
        """Return the smallest number of links that is such a share of the members."""
        cdef int32_t links = <int32_t> (threshold * self.size)
        while links and <double> (links - 1) / self.size >= threshold:
            links -= 1
        while <double> links / self.size < threshold:
            links += 1
        return links

    cdef void pick(self, Side other) noexcept:
        """Leave only those ripe that are linked with enough members and are not on the other side already."""
        cdef Py_ssize_t at, kept = 0
        cdef int32_t node, enough = self.enough(self.t_min)
        for at in range(self.ripe_count):
            node = self.ripe[at]
            if self.linked[node] >= enough and not other.inside[node]:
                self.ripe[kept] = node
                kept += 1
            else:
                self.is_ripe[node] = False
        self.ripe_count = kept

    cdef void forget(self) noexcept:
        cdef Py_ssize_t at
        for at in range(self.size):
            self.inside[self.members[at]] = False
        for at in range(self.near_count):
            self.linked[self.near[at]] = 0
        for at in range(self.ripe_count):
            self.is_ripe[self.ripe[at]] = False
        self.size = self.near_count = self.ripe_count = 0


cdef class CoreGrower:
    """Grows cores on one graph, remembers every one that it has met, and which links are in cores that were told."""

    cdef Side _fans, _centres
    cdef const double[::1] _thresholds
    cdef double _least_centres, _least_fans
    cdef SeenSets _seen
    cdef int32_t[::1] _shared
    cdef int32_t[::1] _sharing
    cdef int32_t[::1] _score
    cdef uint8_t[::1] _wants
    cdef uint64_t _first, _second

    def __init__(
        self,
        const int64_t[::1] starts not None,
        const int32_t[::1] targets not None,
        const int64_t[::1] in_starts not None,
        const int32_t[::1] sources not None,
        const double[::1] thresholds not None,
        double least_centres,
        double least_fans,
    ):
        """`thresholds[m]` is asked of who wants to join m fans and centres; the last holds for all larger cores."""
        cdef Py_ssize_t nodes = len(starts) - 1
        self._fans = Side(starts, targets, 0, thresholds[len(thresholds) - 1])
        self._centres = Side(in_starts, sources, 1, thresholds[len(thresholds) - 1])
        self._thresholds, self._least_centres, self._least_fans = thresholds, least_centres, least_fans
        self._seen = SeenSets()
        self._shared = np.zeros(nodes, np.int32)
        self._sharing = np.empty(nodes, np.int32)
        self._score = np.zeros(nodes, np.int32)
        self._wants = np.zeros(nodes, np.uint8)

    def grow_from(self, int32_t fan, Py_ssize_t fans, Py_ssize_t centres):
        """Grow a core from each link of a fan that is in none yet; return those with so many fans and centres.

        Each is a triple: its fans, ascending, its centres, ascending, and the number of links between them.
        """
        cdef int64_t at
        cdef Py_ssize_t sharing
        found = []
        sharing = self._share(fan)
        for at in range(self._fans.starts[fan], self._fans.starts[fan + 1]):
            if not (self._fans.told[fan] and self._centres.told[self._fans.others[at]]):
                if self._grow(fan, self._fans.others[at]) and self._fans.size >= fans and self._centres.size >= centres:
                    found.append(self._tell())
                self._fans.forget()
                self._centres.forget()
        for at in range(sharing):
            self._shared[self._sharing[at]] = 0
        return found

    cdef Py_ssize_t _share(self, int32_t fan) noexcept:
        """Count for every page how many centres it links to that a fan links to as well."""
        cdef int64_t at, back
        cdef int32_t centre, other
        cdef Py_ssize_t sharing = 0
        for at in range(self._fans.starts[fan], self._fans.starts[fan + 1]):
            centre = self._fans.others[at]
            for back in range(self._centres.starts[centre], self._centres.starts[centre + 1]):
                other = self._centres.others[back]
                if not self._shared[other]:
                    self._sharing[sharing] = other
                    sharing += 1
                self._shared[other] += 1
        return sharing

    cdef bint _grow(self, int32_t fan, int32_t centre) except -1:
        """Grow from one link for as long as somebody joins; say whether the core is new."""
        cdef Py_ssize_t before = 0
        cdef bint alone = True
        self._first = self._second = 0
        self._note(self._fans.join(fan))
        self._note(self._centres.join(centre))
        while before < self._fans.size + self._centres.size:
            before = self._fans.size + self._centres.size
            self._round(alone)
            alone = False
            if before < self._fans.size + self._centres.size and not self._seen.add(self._first, self._second):
                return False
        return True

    cdef void _note(self, uint64_t member) noexcept:
        self._first += first_mark(member)
        self._second += second_mark(member)

    cdef double _threshold(self) noexcept:
        cdef Py_ssize_t size = self._fans.size + self._centres.size
        return self._thresholds[min(size, len(self._thresholds) - 1)]

    cdef int _round(self, bint alone) except -1:
        """Let candidates join by turns, a fan and a centre, those first who share most with the others."""
        cdef Py_ssize_t turn
        cdef int32_t node
        fans, centres = self._candidates(alone)
        for turn in range(max(len(fans), len(centres))):
            if turn < len(fans):
                node = <int32_t> (<int64_t> fans[turn] & 0x7FFFFFFF)
                if self._centres.linked[node] >= self._centres.enough(self._threshold()):
                    self._note(self._fans.join(node))
            if turn < len(centres):
                node = <int32_t> (<int64_t> centres[turn] & 0x7FFFFFFF)
                if self._fans.linked[node] >= self._fans.enough(self._threshold()):
                    self._note(self._centres.join(node))
        return 0

    cdef tuple _candidates(self, bint alone):
        """Return who fits now, as fans and as centres, in the order of links with members and candidates."""
        cdef Py_ssize_t at
        cdef int32_t node, score
        cdef int64_t link
        cdef int32_t enough = self._fans.enough(self._threshold())
        centres, fans = [], []
        self._fans.pick(self._centres)
        self._centres.pick(self._fans)
        for at in range(self._fans.ripe_count):
            node = self._fans.ripe[at]
            self._wants[node] = self._fans.linked[node] >= enough
            self._score[node] = self._fans.linked[node]
        enough = self._centres.enough(self._threshold())
        for at in range(self._centres.ripe_count):
            node = self._centres.ripe[at]
            if self._centres.linked[node] < enough:
                continue
            # With one fan and one centre, all centres that a page shares with the fan are its score.
            score = self._shared[node] if alone else self._centres.linked[node] + self._wanting(node)
            if score < self._least_centres:
                continue
            fans.append((<int64_t> (0x7FFFFFFF - score) << 32) | node)
            for link in range(self._fans.starts[node], self._fans.starts[node + 1]):
                self._score[self._fans.others[link]] += self._wants[self._fans.others[link]]
        for at in range(self._fans.ripe_count):
            node = self._fans.ripe[at]
            if self._wants[node] and self._score[node] >= self._least_fans:
                centres.append((<int64_t> (0x7FFFFFFF - self._score[node]) << 32) | node)
            self._wants[node] = False
        fans.sort()
        centres.sort()
        return fans, centres

    cdef int32_t _wanting(self, int32_t fan) noexcept:
        """Count the candidates for centres that a page links to."""
        cdef int64_t link
        cdef int32_t count = 0
        for link in range(self._fans.starts[fan], self._fans.starts[fan + 1]):
            count += self._wants[self._fans.others[link]]
        return count

    cdef tuple _tell(self):
        """Return the core that was grown, and remember who was a fan and who a centre."""
        cdef Py_ssize_t at
        cdef int64_t links = 0
        for at in range(self._fans.size):
            links += self._centres.linked[self._fans.members[at]]
            self._fans.told[self._fans.members[at]] = True
        for at in range(self._centres.size):
            self._centres.told[self._centres.members[at]] = True
        fans = np.sort(np.asarray(self._fans.members)[: self._fans.size])
        centres = np.sort(np.asarray(self._centres.members)[: self._centres.size])
        return fans, centres, links
