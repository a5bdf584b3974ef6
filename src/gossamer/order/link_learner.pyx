# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What links turned out to lead to: logistic regression over their traits and measures, learnt one visit at a time.

Traits are there or not, measures are numbers; the weights of these begin with what is believed. Each weight has its own
rate, which falls with what it has learnt so far (AdaGrad, Duchi et al. 2011). Links that wait are kept here, in a table
of bounded size, so that all of them can be scored again: 10,000 take 1 ms.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport exp, log1p, log1pf, sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, realloc

cpdef enum:
    RELEVANCE = 0
    DEPTH = 1
    WORDS = 2
    MORE_RELEVANCE = 3
    MORE_PAGES = 4
    MEASURES = 5

cdef enum:
    # 65,536 weights stay in the processor's cache; four times as many find no more on the recorded departments.
    BITS = 16
    SLOTS = 1 << BITS
    # The weights of measures stand behind those of traits.
    WEIGHTS = SLOTS + MEASURES
    KIND_AT = 27
    ROOM = 80
    FEWEST_ROWS = 1024

cdef struct Change:
    uint32_t slot
    float weight
    float learnt

cdef struct Row:
    # A link that waits: of its traits only where their weights stand. What follows the last one is nothing.
    float told
    float start
    float measures[MEASURES]
    # Of further pages that link to it: how relevant they are in sum, and how many they are.
    float more_relevance, more_pages
    int count
    uint16_t slots[ROOM]

cdef Py_ssize_t HEAD = sizeof(Row) - ROOM * sizeof(uint16_t)


cdef inline double _chance(double odds) noexcept nogil:
    return 1.0 / (1.0 + exp(-odds))


cdef class LinkLearner:
    """Weights of traits and measures, and the links that wait, each under its key."""

    cdef float *_weights
    cdef float *_learnt
    cdef uint8_t *_touched
    cdef list _changed
    cdef Row *_rows
    cdef Py_ssize_t _room
    cdef dict _places
    cdef list _free
    cdef double _rate

    def __cinit__(self, double rate, tuple beliefs not None):
        """`beliefs` are the weights that measures begin with."""
        cdef Py_ssize_t slot
        self._weights = <float *> calloc(WEIGHTS, sizeof(float))
        self._learnt = <float *> calloc(WEIGHTS, sizeof(float))
        self._touched = <uint8_t *> calloc(WEIGHTS, 1)
        if self._weights == NULL or self._learnt == NULL or self._touched == NULL:
            raise MemoryError
        self._changed = []
        self._places = {}
        self._free = []
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

    def meet(self, list keys not None, list traits not None, double start, double relevance, double depth, list words not None):
        """Keep links of a page that wait, with the log-odds they have before anything is learnt.

        The page is so relevant and its links so deep; `words` are the log-odds that the topic's words give each. Returns
        what each is expected to be worth.
        """
        cdef list values = []
        cdef Row *row
        for key, seen, said in zip(keys, traits, words):
            row = self._met(key, seen)
            row.start = start
            row.measures[RELEVANCE], row.measures[DEPTH], row.measures[WORDS] = relevance, depth, said
            row.measures[MORE_RELEVANCE] = row.measures[MORE_PAGES] = row.more_relevance = row.more_pages = 0.0
            row.told = <float> self._odds(row)
            values.append(_chance(row.told))
        return values

    cdef Row *_met(self, key, bytes traits) except NULL:
        """Find a row for a link, and put its traits there."""
        cdef const uint32_t *numbers = <const uint32_t *> PyBytes_AS_STRING(traits)
        cdef Row *row
        cdef int at
        place = self._places.get(key)
        if place is None:
            if not self._free:
                self._grow()
            place = self._places[key] = self._free.pop()
        row = self._rows + <Py_ssize_t> place
        row.count = <int> min(PyBytes_GET_SIZE(traits) // <Py_ssize_t> sizeof(uint32_t), ROOM)
        for at in range(row.count):
            row.slots[at] = <uint16_t> (numbers[at] & (SLOTS - 1))
        return row

    def linked(self, targets, double relevance):
        """A page that is so relevant links to all of these: those that wait already are linked once more."""
        cdef Row *row
        for key in targets:
            place = self._places.get(key)
            if place is not None:
                row = self._rows + <Py_ssize_t> place
                row.more_relevance += <float> relevance
                row.more_pages += 1.0
                row.measures[MORE_RELEVANCE] = log1pf(row.more_relevance)
                row.measures[MORE_PAGES] = log1pf(row.more_pages)

    def forget(self, key):
        """Let go of a link."""
        place = self._places.pop(key, None)
        if place is not None:
            self._free.append(place)

    def link(self, key):
        """Return a link that waits, packed, as `learn` takes it; None if it is not known."""
        cdef Row *row
        place = self._places.get(key)
        if place is None:
            return None
        row = self._rows + <Py_ssize_t> place
        return PyBytes_FromStringAndSize(<char *> row, HEAD + row.count * <Py_ssize_t> sizeof(uint16_t))

    def learn(self, bytes link not None, double worth, double weight):
        """Learn that a link was worth so much, from 0 to 1; return what was expected."""
        cdef const Row *row = <const Row *> PyBytes_AS_STRING(link)
        cdef double expected = _chance(self._odds(row))
        cdef double slope = (expected - worth) * weight
        cdef int at
        for at in range(row.count):
            self._step(row.slots[at], slope)
        for at in range(MEASURES):
            if row.measures[at]:
                self._step(SLOTS + at, slope * row.measures[at])
        return expected

    cdef inline int _step(self, uint32_t slot, double slope) except -1:
        self._learnt[slot] += <float> (slope * slope)
        self._weights[slot] -= <float> (self._rate * slope / sqrt(self._learnt[slot]))
        if not self._touched[slot]:
            self._touched[slot] = 1
            self._changed.append(slot)
        return 0

    def moved(self, double share, double least, double floor):
        """Return by how much waiting links are worth more now than was told, where that is by more than a share.

        What is worth less than `floor`, now and as it was told, stays where it is until that is lower.
        """
        cdef Row *row
        cdef double odds, now, told, smallest = log1p(share)
        cdef dict found = {}
        for key, place in self._places.items():
            row = self._rows + <Py_ssize_t> place
            odds = self._odds(row)
            if abs(odds - row.told) < smallest:
                continue  # a chance changes by no more than its odds, and most have not changed
            now, told = _chance(odds), _chance(row.told)
            if max(now, told) >= floor and abs(now - told) > least + share * min(now, told):
                found[key] = now - told
                row.told = <float> odds
        return found

    def parts(self, bytes traits not None):
        """Return how much each kind of trait adds to the log-odds of a link."""
        cdef const uint32_t *numbers = <const uint32_t *> PyBytes_AS_STRING(traits)
        cdef Py_ssize_t at
        cdef dict found = {}
        for at in range(PyBytes_GET_SIZE(traits) // <Py_ssize_t> sizeof(uint32_t)):
            kind = numbers[at] >> KIND_AT
            found[kind] = found.get(kind, 0.0) + self._weights[numbers[at] & (SLOTS - 1)]
        return found

    def measure_weights(self):
        """Return what each measure adds to the log-odds of a link for each unit of it."""
        return [self._weights[SLOTS + measure] for measure in range(MEASURES)]

    def changes(self):
        """Return, packed, the weights that have changed since this was last asked."""
        packed = self._packed(self._changed)
        for slot in self._changed:
            self._touched[<uint32_t> slot] = 0
        self._changed = []
        return packed

    def everything(self):
        """Return, packed, all weights that have learnt something."""
        cdef uint32_t slot
        cdef list used = []
        for slot in range(<uint32_t> WEIGHTS):
            if self._learnt[slot] > 1.0:
                used.append(slot)
        return self._packed(used)

    def recall(self, bytes packed not None):
        """Know again what `changes` or `everything` returned; the last word holds."""
        cdef const Change *changes = <const Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        for at in range(PyBytes_GET_SIZE(packed) // <Py_ssize_t> sizeof(Change)):
            slot = changes[at].slot % WEIGHTS
            self._weights[slot] = changes[at].weight
            self._learnt[slot] = changes[at].learnt

    def join(self, bytes packed not None):
        """Know as well what another one's `everything` returned: of two weights the mean, by what each has learnt.

        It counts as having learnt as much as the one of them that has more, so that a copy of it says nothing new.
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

    cdef bytes _packed(self, list slots):
        cdef bytes packed = PyBytes_FromStringAndSize(NULL, len(slots) * <Py_ssize_t> sizeof(Change))
        cdef Change *changes = <Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        for at in range(len(slots)):
            slot = slots[at]
            changes[at].slot, changes[at].weight, changes[at].learnt = slot, self._weights[slot], self._learnt[slot]
        return packed

    cdef double _odds(self, const Row *row) noexcept:
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
