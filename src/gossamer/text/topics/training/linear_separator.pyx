# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A plane that separates examples, found by coordinate descent in the dual.

Meaning: the weights w that minimise |w|²/2 + Σ cost·max(0, 1 − sign·(w·x))², a linear support vector machine with squared
loss. Rows are visited in a seeded random order, until no row has a gradient above the tolerance.
Cost: O(entries) a round, ten to fifty rounds. Source: Hsieh, Chang, Lin, Keerthi, Sundararajan 2008, algorithm 1.
Why it is not taken from a library: docs/decisions/0015-linear-topic-model.md.
"""

import numpy as np

from libc.math cimport fabs, fmax
from libc.stdint cimport int64_t, uint64_t


def separate(
    const int64_t[::1] starts,
    const int64_t[::1] columns,
    const double[::1] values,
    const double[::1] signs,
    const double[::1] costs,
    Py_ssize_t width,
    int most_rounds,
    double tolerance,
):
    """Return the weights of the columns; row n has the entries from starts[n] to starts[n + 1]."""
    cdef Py_ssize_t rows = signs.shape[0], row, at, turn, other, place
    weights = np.zeros(width)
    cdef double[::1] w = weights
    cdef double[::1] alpha = np.zeros(rows)
    cdef double[::1] curve = np.empty(rows)
    cdef int64_t[::1] order = np.arange(rows)
    cdef double slope, moved, worst, before
    cdef uint64_t state = 0x9E3779B97F4A7C15u
    for row in range(rows):
        curve[row] = 0.5 / costs[row]
        for at in range(starts[row], starts[row + 1]):
            curve[row] += values[at] * values[at]
    for _ in range(most_rounds):
        worst = 0.0
        for turn in range(rows):
            state = state * 6364136223846793005u + 1442695040888963407u
            place = turn + <Py_ssize_t> ((state >> 33) % <uint64_t> (rows - turn))
            other = order[turn]
            order[turn] = order[place]
            order[place] = other
            row = order[turn]
            slope = 0.0
            for at in range(starts[row], starts[row + 1]):
                slope += w[columns[at]] * values[at]
            slope = signs[row] * slope - 1.0 + alpha[row] * 0.5 / costs[row]
            if alpha[row] == 0.0 and slope > 0.0:
                continue
            worst = fmax(worst, fabs(slope))
            before = alpha[row]
            alpha[row] = fmax(before - slope / curve[row], 0.0)
            moved = (alpha[row] - before) * signs[row]
            if moved != 0.0:
                for at in range(starts[row], starts[row + 1]):
                    w[columns[at]] += moved * values[at]
        if worst < tolerance:
            break
    return weights
