# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Logistic regression over the features and measures of links, learnt one visit at a time.

A feature is present or not; a measure is a number, and its weight begins with a belief. Each weight has its own rate,
which falls with what it has learnt so far (AdaGrad, Duchi et al. 2011). Waiting links are in a table, so that all of
them can be scored again: 10,000 take 1 ms.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport exp, log1p, log1pf, sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, realloc

cpdef enum:
    RELEVANCE = 0
    DEPTH = 1
    WORDS = 2
    RELEVANT_SOURCES = 3
    OTHER_SOURCES = 4
    MEASURES = 5

# Links of less relevant pages do not double their worth by one more.
cdef double LEAST_RISE = 0.1

cdef enum:
    # 65,536 weights fit into the processor's cache; four times as many find no more on the recorded departments.
    BITS = 16
    SLOTS = 1 << BITS
    # The weights of measures follow those of features.
    WEIGHTS = SLOTS + MEASURES
    KIND_AT = 27
    ROOM = 80
    FEWEST_ROWS = 1024

cdef struct Change:
    uint32_t slot
    float weight
    float learnt

cdef struct Row:
    # A waiting link: of its features only the slots of their weights. Slots after `count` are undefined.
    float last_odds
    float start
    float measures[MEASURES]
    # Of the pages that link to it: the sum of their relevance, and of what each lacks to 1.
    float relevant_sources, other_sources
    int count
    uint16_t slots[ROOM]

cdef Py_ssize_t HEAD = sizeof(Row) - ROOM * sizeof(uint16_t)


cdef inline double _to_probability(double odds) noexcept nogil:
    return 1.0 / (1.0 + exp(-odds))


cdef inline void _add_source(Row *row, double relevance) noexcept nogil:
    """Add a page that links to a waiting link. Logarithms: the tenth page says less than the second."""
    row.relevant_sources += <float> relevance
    row.other_sources += <float> (1.0 - relevance)
    row.measures[RELEVANT_SOURCES] = log1pf(row.relevant_sources)
    row.measures[OTHER_SOURCES] = log1pf(row.other_sources)


cdef class LinkLearner:
    """The weights of features and measures, and the waiting links, each under its key."""

    cdef float *_weights
    cdef float *_learnt
    cdef uint8_t *_touched
    cdef list _changed
    cdef Row *_rows
    cdef Py_ssize_t _room
    cdef dict _places
    cdef list _free
    cdef set _linked_again
    cdef double _rate

    def __cinit__(self, double rate, tuple beliefs not None):
        """Start with `beliefs` as the weights of the measures."""
        cdef Py_ssize_t slot
        self._weights = <float *> calloc(WEIGHTS, sizeof(float))
        self._learnt = <float *> calloc(WEIGHTS, sizeof(float))
        self._touched = <uint8_t *> calloc(WEIGHTS, 1)
        if self._weights == NULL or self._learnt == NULL or self._touched == NULL:
            raise MemoryError
        self._changed = []
        self._places = {}
        self._free = []
        self._linked_again = set()
        self._rate = rate
        for slot in range(WEIGHTS):
            self._learnt[slot] = 1.0
        for slot in range(MEASURES):
            self._weights[SLOTS + slot] = beliefs[slot]

    def __dealloc__(self):
        free(self._weights)
        free(self._learnt)
        free(self._touched)
        free(self._rows)

    def __len__(self):
        return len(self._places)

    def add_links(self, list keys not None, list features not None, double start, double relevance, double depth, list words not None):
        """Add waiting links of a page; return the probability of each, which is what it is expected to be worth.

        `start` are their log-odds before anything is learnt, `relevance` is that of the page, `depth` that of the links,
        `words` are the log-odds that the topic gives to the words of each.
        """
        cdef list values = []
        cdef Row *row
        for key, packed, odds in zip(keys, features, words):
            row = self._fill_row(key, packed)
            row.start = start
            row.measures[RELEVANCE], row.measures[DEPTH], row.measures[WORDS] = relevance, depth, odds
            row.relevant_sources = row.other_sources = 0.0
            _add_source(row, relevance)
            row.last_odds = <float> self._sum_odds(row)
            values.append(_to_probability(row.last_odds))
        return values

    cdef Row *_fill_row(self, key, bytes features) except NULL:
        """Fill the row of a link, or a new one, with its features."""
        cdef const uint32_t *numbers = <const uint32_t *> PyBytes_AS_STRING(features)
        cdef Row *row
        cdef int at
        place = self._places.get(key)
        if place is None:
            if not self._free:
                self._grow()
            place = self._places[key] = self._free.pop()
        row = self._rows + <Py_ssize_t> place
        row.count = <int> min(PyBytes_GET_SIZE(features) // <Py_ssize_t> sizeof(uint32_t), ROOM)
        for at in range(row.count):
            row.slots[at] = <uint16_t> (numbers[at] & (SLOTS - 1))
        return row

    def record_links(self, targets, double relevance):
        """Record that a page of this relevance links to these targets; those that wait are linked once more."""
        cdef Row *row
        for key in targets:
            place = self._places.get(key)
            if place is not None:
                row = self._rows + <Py_ssize_t> place
                _add_source(row, relevance)
                if relevance >= LEAST_RISE:
                    self._linked_again.add(key)

    def forget(self, key):
        """Forget a link."""
        place = self._places.pop(key, None)
        if place is not None:
            self._free.append(place)
            self._linked_again.discard(key)

    def pack_link(self, key):
        """Return a waiting link, packed for `learn`; None if it is unknown."""
        cdef Row *row
        place = self._places.get(key)
        if place is None:
            return None
        row = self._rows + <Py_ssize_t> place
        return PyBytes_FromStringAndSize(<char *> row, HEAD + row.count * <Py_ssize_t> sizeof(uint16_t))

    def learn(self, bytes link not None, double worth, double weight):
        """Learn what a link was worth, from 0 to 1; return what was expected."""
        cdef const Row *row = <const Row *> PyBytes_AS_STRING(link)
        cdef double expected = _to_probability(self._sum_odds(row))
        cdef double slope = (expected - worth) * weight
        cdef int at
        for at in range(row.count):
            self._update_weight(row.slots[at], slope)
        for at in range(MEASURES):
            if row.measures[at]:
                self._update_weight(SLOTS + at, slope * row.measures[at])
        return expected

    cdef inline int _update_weight(self, uint32_t slot, double slope) except -1:
        self._learnt[slot] += <float> (slope * slope)
        self._weights[slot] -= <float> (self._rate * slope / sqrt(self._learnt[slot]))
        if not self._touched[slot]:
            self._touched[slot] = 1
            self._changed.append(slot)
        return 0

    def take_score_changes(self, double share, double least, double floor, bint linked_again=False):
        """Return the changes of waiting links since their probability was last returned, if larger than a share of it.

        Links below `floor`, now and before, are left out until the floor is lower. With `linked_again` only links are
        weighed that further pages have linked to since the last call, and only rises are returned: a fall can wait.
        """
        cdef dict found = {}
        cdef double smallest = log1p(share)
        if linked_again:
            for key in self._linked_again:
                self._weigh_row(key, self._places[key], share, least, floor, True, smallest, found)
        else:
            for key, place in self._places.items():
                self._weigh_row(key, place, share, least, floor, False, smallest, found)
        self._linked_again.clear()
        return found

    @property
    def linked_again(self):
        """The number of waiting links that further pages have linked to since changes were last taken."""
        return len(self._linked_again)

    cdef inline int _weigh_row(self, key, Py_ssize_t place, double share, double least, double floor, bint rises, double smallest, dict found) except -1:
        """Add the change of one waiting link to those found, if it is large enough."""
        cdef Row *row = self._rows + place
        cdef double now, last, odds = self._sum_odds(row)
        cdef double change = odds - row.last_odds if rises else abs(odds - row.last_odds)
        if change < smallest:
            return 0  # a chance changes by no more than its odds, and most have not changed
        now, last = _to_probability(odds), _to_probability(row.last_odds)
        if max(now, last) >= floor and abs(now - last) > least + share * min(now, last):
            found[key] = now - last
            row.last_odds = <float> odds
        return 0

    def explain_features(self, bytes features not None):
        """Return how much each kind of feature adds to the log-odds of a link."""
        cdef const uint32_t *numbers = <const uint32_t *> PyBytes_AS_STRING(features)
        cdef Py_ssize_t at
        cdef dict found = {}
        for at in range(PyBytes_GET_SIZE(features) // <Py_ssize_t> sizeof(uint32_t)):
            kind = numbers[at] >> KIND_AT
            found[kind] = found.get(kind, 0.0) + self._weights[numbers[at] & (SLOTS - 1)]
        return found

    def get_measure_weights(self):
        """Return what one unit of each measure adds to the log-odds of a link."""
        return [self._weights[SLOTS + measure] for measure in range(MEASURES)]

    def pack_changes(self):
        """Return the weights that have changed since the last call, packed."""
        packed = self._pack(self._changed)
        for slot in self._changed:
            self._touched[<uint32_t> slot] = 0
        self._changed = []
        return packed

    def pack_all(self):
        """Return all weights that have learnt something, packed."""
        cdef uint32_t slot
        cdef list used = []
        for slot in range(<uint32_t> WEIGHTS):
            if self._learnt[slot] > 1.0:
                used.append(slot)
        return self._pack(used)

    def load(self, bytes packed not None):
        """Load the result of `pack_changes` or `pack_all`; newer weights replace older ones."""
        cdef const Change *changes = <const Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        for at in range(PyBytes_GET_SIZE(packed) // <Py_ssize_t> sizeof(Change)):
            slot = changes[at].slot % WEIGHTS
            self._weights[slot] = changes[at].weight
            self._learnt[slot] = changes[at].learnt

    def merge(self, bytes packed not None):
        """Merge the result of another learner's `pack_all`: the mean of two weights, by what each has learnt.

        The result counts as having learnt as much as the larger of the two, so that merging a copy changes nothing.
        """
        cdef const Change *changes = <const Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        cdef double own, others
        for at in range(PyBytes_GET_SIZE(packed) // <Py_ssize_t> sizeof(Change)):
            slot = changes[at].slot % WEIGHTS
            own, others = self._learnt[slot] - 1.0, changes[at].learnt - 1.0
            if others > 0.0:
                self._weights[slot] = <float> ((own * self._weights[slot] + others * changes[at].weight) / (own + others))
                self._learnt[slot] = max(self._learnt[slot], changes[at].learnt)

    cdef bytes _pack(self, list slots):
        cdef bytes packed = PyBytes_FromStringAndSize(NULL, len(slots) * <Py_ssize_t> sizeof(Change))
        cdef Change *changes = <Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        for at in range(len(slots)):
            slot = slots[at]
            changes[at].slot, changes[at].weight, changes[at].learnt = slot, self._weights[slot], self._learnt[slot]
        return packed

    cdef double _sum_odds(self, const Row *row) noexcept:
        cdef double total = row.start
        cdef int at
        for at in range(MEASURES):
            total += self._weights[SLOTS + at] * row.measures[at]
        for at in range(row.count):
            total += self._weights[row.slots[at]]
        return total

    cdef _grow(self):
        cdef Py_ssize_t room = max(2 * self._room, FEWEST_ROWS)
        cdef void *rows = realloc(self._rows, room * sizeof(Row))
        if rows == NULL:
            raise MemoryError
        self._rows = <Row *> rows
        self._free.extend(range(room - 1, self._room - 1, -1))
        self._room = room
