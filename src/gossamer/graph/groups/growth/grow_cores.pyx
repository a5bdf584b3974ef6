# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compiled growth of bipartite cores from single links (Schmitz 2001, section 3.4.3).

All arguments are arrays of one `Graph`, or of its links between possible fans and possible centres, so no index is out
of range. While a core is so small that a new member must be linked with all of the other side, only fans that share
enough centres with the first fan matter. They form a small local graph, which serves all links of that fan. Most cores
end there; only the others are grown in the whole graph.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t

from gossamer.graph.groups.growth.growing_members cimport LINKS, PackedSets, CandidateRanking, MemberSet, least_links
from gossamer.graph.groups.growth.seen_sets cimport SeenSets

cdef enum:
    FAN = 0
    CENTRE = 1


cdef class GrowingCore:
    """A core that grows in rounds, in the whole graph or in a local one."""

    cdef MemberSet fans, centres
    cdef const double[::1] _thresholds
    cdef double _least_centres, _least_fans
    cdef CandidateRanking _new_fans, _new_centres
    # For possible centres: whether each is a candidate, and its links with fans and with candidate fans.
    cdef uint8_t[::1] _wants
    cdef int32_t[::1] _score, _hits

    def __init__(
        self,
        Py_ssize_t fans,
        Py_ssize_t centres,
        const double[::1] thresholds not None,
        double least_centres,
        double least_fans,
        CandidateRanking new_fans not None,
        CandidateRanking new_centres not None,
    ):
        cdef double t_min = thresholds[len(thresholds) - 1]
        self.fans, self.centres = MemberSet(fans, centres, FAN, t_min), MemberSet(centres, fans, CENTRE, t_min)
        self._thresholds, self._least_centres, self._least_fans = thresholds, least_centres, least_fans
        self._new_fans, self._new_centres = new_fans, new_centres
        self._wants = np.zeros(centres, np.uint8)
        self._score, self._hits = np.zeros(centres, np.int32), np.empty(centres + 1, np.int32)

    cdef Py_ssize_t size(self) noexcept:
        return self.fans.size + self.centres.size

    cdef double threshold(self) noexcept:
        return self._thresholds[min(self.size(), len(self._thresholds) - 1)]

    cdef bint needs_all(self) noexcept:
        """Return whether a new member must now be linked with all members of the other side."""
        cdef double threshold = self.threshold()
        return (
            least_links(self.fans.size, threshold) == self.fans.size
            and least_links(self.centres.size, threshold) == self.centres.size
        )

    cdef bint grow(self) noexcept:
        """Add candidates alternately as fan and centre, those with most links first; return whether any was added."""
        cdef Py_ssize_t turn, before = self.size()
        cdef int32_t node
        self._rank_fans()
        self._rank_centres()
        for turn in range(max(self._new_fans.size, self._new_centres.size)):
            if turn < self._new_fans.size:
                node = self._new_fans.at(turn)
                if (self.centres.linked[node] & LINKS) >= least_links(self.centres.size, self.threshold()):
                    self.fans.add_member(node)
            if turn < self._new_centres.size:
                node = self._new_centres.at(turn)
                if (self.fans.linked[node] & LINKS) >= least_links(self.fans.size, self.threshold()):
                    self.centres.add_member(node)
        return before < self.size()

    cdef void _rank_fans(self) noexcept:
        """Rank candidate fans by their links with centres and candidate centres; score the candidate centres."""
        cdef Py_ssize_t at
        cdef int64_t link
        cdef int32_t node, links, wanting
        cdef int32_t *hits = &self._hits[0]
        cdef MemberSet fans = self.fans, centres = self.centres
        cdef uint8_t *wants = &self._wants[0]
        cdef int32_t *score = &self._score[0]
        cdef int32_t bar = least_links(fans.size, self.threshold())
        fans.select_ripe(centres.inside)
        centres.select_ripe(fans.inside)
        for at in range(fans.ripe_count):
            node = fans.ripe[at]
            score[node] = fans.linked[node] & LINKS
            wants[node] = score[node] >= bar
        bar = least_links(centres.size, self.threshold())
        self._new_fans.size = 0
        for at in range(centres.ripe_count):
            node = centres.ripe[at]
            links = centres.linked[node] & LINKS
            if links < bar:
                continue
            wanting = 0
            for link in range(fans.starts[node], fans.starts[node + 1]):
                hits[wanting] = fans.others[link]
                wanting += wants[fans.others[link]]
            if links + wanting < self._least_centres:
                continue
            self._new_fans.add(links + wanting, node)
            for link in range(wanting):
                score[hits[link]] += 1
        self._new_fans.sort()

    cdef void _rank_centres(self) noexcept:
        """Rank candidate centres by their links with fans and candidate fans."""
        cdef Py_ssize_t at
        cdef int32_t node
        self._new_centres.size = 0
        for at in range(self.fans.ripe_count):
            node = self.fans.ripe[at]
            if self._wants[node] and self._score[node] >= self._least_fans:
                self._new_centres.add(self._score[node], node)
            self._wants[node] = False
        self._new_centres.sort()

    cdef void clear(self) noexcept:
        self.fans.clear()
        self.centres.clear()


cdef class CoreGrower:
    """Grows cores on one graph; remembers every core seen, and the fans and centres of the cores found."""

    cdef const int64_t[::1] _starts, _in_starts
    cdef const int32_t[::1] _targets, _sources, _fan_names, _centre_names, _fan_numbers, _centre_numbers
    cdef double _least_centres, _least_fans
    cdef bint _from_all
    cdef SeenSets _seen
    cdef GrowingCore _local, _whole
    cdef PackedSets _found_fans, _found_centres
    cdef list _found_links
    cdef uint8_t[::1] _known_fans, _known_centres
    # Number of centres each page shares with a fan, later its row in the local graph; pages that share any, and enough.
    cdef int32_t[::1] _shared, _sharing
    cdef CandidateRanking _sharing_enough
    # The local graph: the pages of its rows and columns, and its links in both directions.
    cdef int32_t[::1] _row_names, _column_names, _rows, _columns
    cdef int64_t[::1] _row_starts, _row_at, _column_starts

    def __init__(self, to_centres, to_fans, fans, centres, thresholds, least, bint from_all):
        """Take the links of possible fans and of possible centres, as slices, and the numbers of both.

        Fans and centres are numbered separately from 0; each come with names by number and numbers by name, and names
        decide the order of equal ones. `thresholds[m]` applies to candidates for a core of m fans and centres, the last
        one to all larger cores. Candidates linked with fewer centres, or fans, than `least` are not tried.
        """
        self._starts, self._targets = to_centres
        self._in_starts, self._sources = to_fans
        self._fan_names, self._fan_numbers = fans
        self._centre_names, self._centre_numbers = centres
        self._least_centres, self._least_fans = least
        self._from_all = from_all
        self._seen, self._found_fans, self._found_centres, self._found_links = SeenSets(), PackedSets(), PackedSets(), []
        cdef Py_ssize_t fan_count = len(self._fan_names), centre_count = len(self._centre_names)
        self._known_fans, self._known_centres = np.zeros(fan_count, np.uint8), np.zeros(centre_count, np.uint8)
        rankings = CandidateRanking(fan_count, *fans), CandidateRanking(centre_count, *centres)
        self._whole = GrowingCore(fan_count, centre_count, thresholds, *least, *rankings)
        self._whole.fans.starts, self._whole.fans.others = &self._starts[0], &self._targets[0]
        self._whole.centres.starts, self._whole.centres.others = &self._in_starts[0], &self._sources[0]
        self._whole.fans.names, self._whole.centres.names = &self._fan_names[0], &self._centre_names[0]
        self._sharing_enough = CandidateRanking(fan_count, *fans)
        self._prepare(fan_count, np.diff(self._starts).max(initial=0), thresholds, least)

    cdef int _prepare(self, Py_ssize_t rows, Py_ssize_t columns, thresholds, least) except -1:
        """Allocate local graphs with up to this many fans and centres."""
        self._local = GrowingCore(rows, columns, thresholds, *least, CandidateRanking(rows), CandidateRanking(columns))
        self._shared, self._sharing = np.zeros(rows, np.int32), np.empty(rows + 1, np.int32)
        self._row_names, self._column_names = np.empty(rows + 1, np.int32), np.empty(columns + 1, np.int32)
        self._row_starts, self._row_at = np.zeros(rows + 2, np.int64), np.empty(rows + 1, np.int64)
        self._column_starts = np.zeros(columns + 1, np.int64)
        return self._make_room(columns)

    def to_arrays(self):
        """Return the fans and the centres of all cores found, each as starts and members, and their numbers of links."""
        return self._found_fans.arrays(), self._found_centres.arrays(), np.array(self._found_links, np.int64)

    def grow_from(self, int32_t fan, Py_ssize_t fans, Py_ssize_t centres):
        """Grow a core from each link of a fan that is in no core yet; keep cores with enough fans and centres."""
        cdef int64_t start = self._starts[fan], end = self._starts[fan + 1], at
        cdef GrowingCore grown
        if not self._is_new(fan, start, end):
            return
        self._build_local_graph(fan)
        for at in range(end - start):
            if not self._is_new(fan, start + at, start + at + 1):
                continue
            # A centre with no other fan cannot start a core: every possible centre would have only one fan.
            if self._least_fans > 1 and self._column_starts[at + 1] - self._column_starts[at] == 1:
                continue
            grown = self._grow(<int32_t> at)
            if grown is not None and grown.fans.size >= fans and grown.centres.size >= centres:
                self._record_core(grown)
            self._local.clear()
            self._whole.clear()

    cdef bint _is_new(self, int32_t fan, int64_t start, int64_t end) noexcept:
        """Return whether one of a fan's links is not between a fan and a centre of cores found before."""
        cdef int64_t at
        if self._from_all or not self._known_fans[fan]:
            return True
        for at in range(start, end):
            if not self._known_centres[self._targets[at]]:
                return True
        return False

    cdef int _build_local_graph(self, int32_t fan) except -1:
        """Build the local graph of a fan's centres and of all fans that share enough of them."""
        cdef Py_ssize_t row, rows, sharing = self._count_shared_centres(fan)
        cdef int32_t node
        self._sharing_enough.size = 0
        for row in range(sharing):
            node = self._sharing[row]
            if self._shared[node] >= self._least_centres and node != fan:
                self._sharing_enough.add(0, node)
        self._sharing_enough.sort()
        rows = self._sharing_enough.size + 1
        self._row_names[0] = self._fan_names[fan]
        self._row_starts[1] = self._starts[fan + 1] - self._starts[fan]
        for row in range(1, rows):
            node = self._sharing_enough.at(row - 1)
            self._row_names[row] = self._fan_names[node]
            self._row_starts[row + 1] = self._row_starts[row] + self._shared[node]
        self._make_room(self._row_starts[rows])
        for row in range(sharing):
            self._shared[self._sharing[row]] = 0
        self._fill_local_graph(fan, rows)
        return 0

    cdef Py_ssize_t _count_shared_centres(self, int32_t fan) noexcept:
        """Count the centres that each page shares with a fan."""
        cdef int64_t at, back
        cdef int32_t centre, other
        cdef int32_t *shared = &self._shared[0]
        cdef int32_t *sharing = &self._sharing[0]
        cdef const int32_t *sources = &self._sources[0]
        cdef Py_ssize_t count = 0
        for at in range(self._starts[fan], self._starts[fan + 1]):
            centre = self._targets[at]
            for back in range(self._in_starts[centre], self._in_starts[centre + 1]):
                other = sources[back]
                sharing[count] = other
                count += shared[other] == 0
                shared[other] += 1
        return count

    cdef int _make_room(self, int64_t entries) except -1:
        """Make room for this many links in the local graph, and point the local core to its arrays."""
        if self._rows is None or entries >= len(self._rows):
            self._rows = np.empty(2 * entries + 1, np.int32)
            self._columns = np.empty(2 * entries + 1, np.int32)
            self._local.fans.starts, self._local.fans.others = &self._row_starts[0], &self._columns[0]
            self._local.centres.starts, self._local.centres.others = &self._column_starts[0], &self._rows[0]
            self._local.fans.names, self._local.centres.names = &self._row_names[0], &self._column_names[0]
        return 0

    cdef void _fill_local_graph(self, int32_t fan, Py_ssize_t rows) noexcept:
        """Write the links of the local graph in both directions; row 0 is the fan, which has all columns."""
        cdef int64_t *row_at = &self._row_at[0]
        cdef int32_t *row_of = &self._shared[0]
        cdef int64_t back, entry = 0
        cdef int32_t column, centre, row, columns = <int32_t> (self._starts[fan + 1] - self._starts[fan])
        for row in range(1, rows):
            row_at[row] = self._row_starts[row]
            row_of[self._fan_numbers[self._row_names[row]]] = row
        row_at[0] = self._row_starts[rows]
        for column in range(columns):
            self._columns[column] = column
            self._rows[entry] = 0
            entry += 1
            centre = self._targets[self._starts[fan] + column]
            self._column_names[column] = self._centre_names[centre]
            if rows > 1:
                for back in range(self._in_starts[centre], self._in_starts[centre + 1]):
                    row = row_of[self._sources[back]]
                    # Pages without a row are written too, without a branch: the next write overwrites them.
                    self._rows[entry] = row
                    entry += row > 0
                    self._columns[row_at[row]] = column
                    row_at[row] += row > 0
            self._column_starts[column + 1] = entry
        for row in range(1, rows):
            row_of[self._fan_numbers[self._row_names[row]]] = 0

    cdef GrowingCore _grow(self, int32_t column):
        """Grow a core from the local fan's link to one of its centres; return it, or None if it was seen before."""
        cdef GrowingCore core = self._local
        core.fans.add_member(0)
        core.centres.add_member(column)
        while True:
            if core is self._local and not core.needs_all():
                core = self._move_to_whole_graph()
            if not core.grow():
                return core
            if not self._seen.add(core.fans.first + core.centres.first, core.fans.second + core.centres.second):
                return None

    cdef GrowingCore _move_to_whole_graph(self):
        """Copy the core from the local graph to the whole graph."""
        cdef Py_ssize_t at
        for at in range(self._local.fans.size):
            self._whole.fans.add_member(self._fan_numbers[self._row_names[self._local.fans.members[at]]])
        for at in range(self._local.centres.size):
            self._whole.centres.add_member(self._centre_numbers[self._column_names[self._local.centres.members[at]]])
        return self._whole

    cdef int _record_core(self, GrowingCore core) except -1:
        """Store a core, and mark its fans and centres as known."""
        cdef Py_ssize_t at
        cdef int64_t links = 0
        cdef const int32_t *fans = self._found_fans.add(core.fans)
        cdef const int32_t *centres = self._found_centres.add(core.centres)
        for at in range(core.fans.size):
            links += core.centres.linked[core.fans.members[at]] & LINKS
            self._known_fans[self._fan_numbers[fans[at]]] = True
        for at in range(core.centres.size):
            self._known_centres[self._centre_numbers[centres[at]]] = True
        self._found_links.append(links)
        return 0
