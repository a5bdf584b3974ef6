# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The score of one page, in compiled code: what `weighing` says, without arrays in between.

A page of 5,000 characters takes 0.05 ms, most of it for counting its words.
"""

import numpy as np

from libc.math cimport log, sqrt
from libc.stdint cimport uint32_t, uint64_t

from gossamer.text.topics.words cimport Counts, FIELD_AT, count_parts, let_go

cdef enum:
    FIELDS = 8

cdef struct Sums:
    double says[FIELDS]
    double squares[FIELDS]


cdef class Judge:
    """What each word says, where it is found at once."""

    cdef uint32_t[::1] _ids
    cdef double[::1] _scales
    cdef double[::1] _weights
    cdef double[::1] _fields
    cdef uint64_t _mask
    cdef bint _by_presence, _by_counts, _by_angle

    def __init__(self, str kind not None, ids, scales, weights, fields):
        """Lay out the table; fields are what each counts."""
        cdef Py_ssize_t at
        cdef uint64_t place
        cdef uint64_t size = 16
        cdef const uint32_t[::1] given = ids
        cdef const double[::1] given_scales = scales
        cdef const double[::1] given_weights = weights
        while size < 2 * <uint64_t> len(ids):
            size *= 2
        self._mask = size - 1
        self._ids = np.zeros(size, np.uint32)
        self._scales = np.zeros(size)
        self._weights = np.zeros(size)
        self._fields = np.zeros(FIELDS)
        for at in range(min(FIELDS, len(fields))):
            self._fields[at] = fields[at]
        self._by_presence = kind == "linear"
        self._by_counts = kind == "bayes"
        self._by_angle = kind == "cosine"
        for at in range(given.shape[0]):
            place = self._place(given[at])
            self._ids[place] = given[at]
            self._scales[place] = given_scales[at]
            self._weights[place] = given_weights[at]

    def score(self, list parts not None):
        """Return the score of a page, given as its texts by field; see `words.counted`."""
        cdef Counts counts
        cdef Sums sums
        count_parts(parts, &counts)
        try:
            self._sum(&counts, &sums)
        finally:
            let_go(&counts)
        return self._joined(&sums)

    cdef inline uint64_t _place(self, uint32_t id) noexcept:
        """Return where a hash stands, or where it would."""
        cdef uint64_t place = (id * <uint64_t> 0x9E3779B97F4A7C15u >> 32) & self._mask
        while self._ids[place] != 0 and self._ids[place] != id:
            place = (place + 1) & self._mask
        return place

    cdef void _sum(self, const Counts *counts, Sums *sums) noexcept:
        cdef uint64_t at, place
        cdef int field
        cdef double value
        for field in range(FIELDS):
            sums.says[field] = sums.squares[field] = 0.0
        for at in range(counts.mask + 1):
            if counts.ids[at] == 0:
                continue
            place = self._place(counts.ids[at])
            if self._ids[place] == 0:
                continue
            field = counts.ids[at] >> FIELD_AT
            if self._by_presence:
                value = 1.0
            elif self._by_counts:
                value = counts.times[at]
            else:
                value = (1.0 + log(<double> counts.times[at])) * self._scales[place]
            sums.says[field] += self._weights[place] * value
            sums.squares[field] += value * value

    cdef double _joined(self, const Sums *sums) noexcept:
        cdef double score = 0.0, length = 0.0
        cdef int field
        for field in range(FIELDS):
            if self._by_counts:
                score += sums.says[field]
            elif sums.squares[field] > 0.0:
                score += sums.says[field] / sqrt(sums.squares[field]) * self._fields[field]
                length += self._fields[field] * self._fields[field]
        return score / sqrt(length) if self._by_angle and length > 0.0 else score
