# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What links turned out to lead to: logistic regression over their traits, learnt one visit at a time.

Each weight has its own rate, which falls with what it has learnt so far (AdaGrad, Duchi et al. 2011). Links that wait
keep their traits here, in a table of bounded size, so that all of them can be scored again: 10,000 take 1 ms.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport exp, log1p, sqrt
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

cdef enum:
    # 65,536 weights stay in the processor's cache; four times as many find no more on the recorded departments.
    BITS = 16
    SLOTS = 1 << BITS
    KIND_AT = 27
    ROOM = 80
    FEWEST_ROWS = 1024

cdef struct Change:
    uint32_t slot
    float weight
    float learnt


cdef inline double _chance(double odds) noexcept nogil:
    return 1.0 / (1.0 + exp(-odds))


cdef class LinkLearner:
    """Weights of traits, and the traits of links that wait, each under its key."""

    cdef float *_weights
    cdef float *_learnt
    cdef uint8_t *_touched
    cdef list _changed
    cdef uint32_t *_traits
    cdef uint8_t *_counts
    cdef float *_starts
    cdef float *_told
    cdef Py_ssize_t _rows
    cdef dict _places
    cdef list _free
    cdef double _rate

    def __cinit__(self, double rate):
        cdef Py_ssize_t slot
        self._weights = <float *> calloc(SLOTS, sizeof(float))
        self._learnt = <float *> calloc(SLOTS, sizeof(float))
        self._touched = <uint8_t *> calloc(SLOTS, 1)
        if self._weights == NULL or self._learnt == NULL or self._touched == NULL:
            raise MemoryError
        self._changed = []
        self._places = {}
        self._free = []
        self._rate = rate
        for slot in range(SLOTS):
            self._learnt[slot] = 1.0

    def __dealloc__(self):
        free(self._weights)
        free(self._learnt)
        free(self._touched)
        free(self._traits)
        free(self._counts)
        free(self._starts)
        free(self._told)

    def __len__(self):
        return len(self._places)

    def meet(self, list keys not None, list traits not None, list starts not None):
        """Keep the traits of links that wait, each with the log-odds that it has before anything is learnt.

        Returns what each is expected to be worth.
        """
        cdef list values = []
        for key, seen, start in zip(keys, traits, starts):
            values.append(self._meet(key, seen, start))
        return values

    cdef double _meet(self, key, bytes traits, double start) except -1.0:
        cdef Py_ssize_t row, count = min(PyBytes_GET_SIZE(traits) // <Py_ssize_t> sizeof(uint32_t), ROOM)
        if not self._free:
            self._grow()
        row = self._free.pop()
        memcpy(self._traits + row * ROOM, PyBytes_AS_STRING(traits), count * sizeof(uint32_t))
        self._counts[row] = <uint8_t> count
        self._starts[row] = start
        before = self._places.get(key)
        if before is not None:
            self._free.append(before)
        self._places[key] = row
        self._told[row] = <float> self._odds(row)
        return _chance(self._told[row])

    def forget(self, key):
        """Let go of a link."""
        row = self._places.pop(key, None)
        if row is not None:
            self._free.append(row)

    def traits(self, key):
        """Return the traits of a link that waits, and the log-odds it began with; None if it is not known."""
        cdef Py_ssize_t row
        if key not in self._places:
            return None
        row = self._places[key]
        kept = PyBytes_FromStringAndSize(<char *> (self._traits + row * ROOM), self._counts[row] * sizeof(uint32_t))
        return kept, self._starts[row]

    def learn(self, bytes traits not None, double start, double worth, double weight):
        """Learn that a link with these traits was worth so much, from 0 to 1; return what was expected."""
        cdef const uint32_t *numbers = <const uint32_t *> PyBytes_AS_STRING(traits)
        cdef Py_ssize_t count = PyBytes_GET_SIZE(traits) // <Py_ssize_t> sizeof(uint32_t), at
        cdef double expected = _chance(start + self._sum(numbers, count))
        cdef double slope = (expected - worth) * weight
        cdef uint32_t slot
        for at in range(count):
            slot = numbers[at] & (SLOTS - 1)
            self._learnt[slot] += <float> (slope * slope)
            self._weights[slot] -= <float> (self._rate * slope / sqrt(self._learnt[slot]))
            if not self._touched[slot]:
                self._touched[slot] = 1
                self._changed.append(slot)
        return expected

    def moved(self, double share, double least, double floor):
        """Return by how much waiting links are worth more now than was told, where that is by more than a share.

        What is worth less than `floor`, now and as it was told, stays where it is until that is lower.
        """
        cdef Py_ssize_t row
        cdef double odds, now, told
        cdef dict found = {}
        for key, place in self._places.items():
            row = place
            odds = self._odds(row)
            if abs(odds - self._told[row]) < log1p(share):
                continue  # a chance changes by no more than its odds, and most have not changed
            now, told = _chance(odds), _chance(self._told[row])
            if max(now, told) >= floor and abs(now - told) > least + share * min(now, told):
                found[key] = now - told
                self._told[row] = <float> odds
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
        for slot in range(<uint32_t> SLOTS):
            if self._learnt[slot] > 1.0:
                used.append(slot)
        return self._packed(used)

    def recall(self, bytes packed not None):
        """Know again what `changes` or `everything` returned; the last word holds."""
        cdef const Change *changes = <const Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        for at in range(PyBytes_GET_SIZE(packed) // <Py_ssize_t> sizeof(Change)):
            self._weights[changes[at].slot & (SLOTS - 1)] = changes[at].weight
            self._learnt[changes[at].slot & (SLOTS - 1)] = changes[at].learnt

    def join(self, bytes packed not None):
        """Know as well what another one's `everything` returned: of two weights the mean, by what each has learnt.

        It counts as having learnt as much as the one of them that has more, so that a copy of it says nothing new.
        """
        cdef const Change *changes = <const Change *> PyBytes_AS_STRING(packed)
        cdef Py_ssize_t at
        cdef uint32_t slot
        cdef double own, others
        for at in range(PyBytes_GET_SIZE(packed) // <Py_ssize_t> sizeof(Change)):
            slot = changes[at].slot & (SLOTS - 1)
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

    cdef double _sum(self, const uint32_t *numbers, Py_ssize_t count) noexcept:
        cdef double total = 0.0
        cdef Py_ssize_t at
        for at in range(count):
            total += self._weights[numbers[at] & (SLOTS - 1)]
        return total

    cdef double _odds(self, Py_ssize_t row) noexcept:
        return self._starts[row] + self._sum(self._traits + row * ROOM, self._counts[row])

    cdef _grow(self):
        cdef Py_ssize_t rows = max(2 * self._rows, FEWEST_ROWS)
        cdef void *traits = realloc(self._traits, rows * ROOM * sizeof(uint32_t))
        if traits == NULL:
            raise MemoryError
        self._traits = <uint32_t *> traits
        cdef void *counts = realloc(self._counts, rows)
        if counts == NULL:
            raise MemoryError
        self._counts = <uint8_t *> counts
        cdef void *starts = realloc(self._starts, rows * sizeof(float))
        if starts == NULL:
            raise MemoryError
        self._starts = <float *> starts
        cdef void *told = realloc(self._told, rows * sizeof(float))
        if told == NULL:
            raise MemoryError
        self._told = <float *> told
        self._free.extend(range(rows - 1, self._rows - 1, -1))
        self._rows = rows
