# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled loops that sort links by counting, to build a `Graph`.

A graph is stored as slices: the slice of node v runs from starts[v] to starts[v + 1]. Counting sort first counts the
length of each slice, then copies every link to its place: a constant number of steps per link. The sort is stable, so
links that arrive in ascending order of v are ascending in every slice.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t


def group_by_key(const int32_t[::1] keys not None, const int32_t[::1] values not None, int64_t nodes):
    """Copy each value to the slice of its key, except values equal to their key; check that both are nodes."""
    cdef int64_t[::1] ends = np.zeros(nodes + 2, np.int64)
    cdef Py_ssize_t at, count = len(keys)
    cdef bint known = len(values) == count
    cdef int32_t[::1] dealt
    with nogil:
        for at in range(count if known else 0):
            if <uint32_t> keys[at] >= <uint32_t> nodes or <uint32_t> values[at] >= <uint32_t> nodes:
                known = False
                break
            ends[keys[at] + 2] += keys[at] != values[at]
    if not known:
        raise ValueError("every link needs a source and a target among the nodes")
    _accumulate(ends)
    dealt = np.empty(ends[nodes + 1], np.int32)
    with nogil:
        for at in range(count):
            if keys[at] != values[at]:
                dealt[ends[keys[at] + 1]] = values[at]
                ends[keys[at] + 1] += 1
    return np.asarray(ends)[: nodes + 1], np.asarray(dealt)


def transpose(const int64_t[::1] starts not None, const int32_t[::1] values not None):
    """Return the slices of the other direction: v is in the slice of w if w was in the slice of v.

    `starts` and `values` are the slices of a graph, so every value is a node.
    """
    cdef Py_ssize_t node, at, nodes = len(starts) - 1
    cdef int64_t[::1] ends = np.zeros(nodes + 2, np.int64)
    cdef int32_t[::1] dealt = np.empty(len(values), np.int32)
    with nogil:
        for at in range(len(values)):
            ends[values[at] + 2] += 1
    _accumulate(ends)
    with nogil:
        for node in range(nodes):
            for at in range(starts[node], starts[node + 1]):
                dealt[ends[values[at] + 1]] = <int32_t> node
                ends[values[at] + 1] += 1
    return np.asarray(ends)[: nodes + 1], np.asarray(dealt)


def is_ascending(const int64_t[::1] starts not None, const int32_t[::1] values not None):
    """Return whether every slice is in ascending order."""
    cdef Py_ssize_t node, at
    cdef bint ascending = True
    with nogil:
        for node in range(len(starts) - 1):
            for at in range(starts[node] + 1, starts[node + 1]):
                ascending &= values[at - 1] <= values[at]
            if not ascending:
                break
    return ascending


def drop_repeats(const int64_t[::1] starts not None, int32_t[::1] values not None):
    """Remove repeated values from ascending slices, in place; return the new starts and the shortened values."""
    cdef Py_ssize_t node, at, kept = 0, nodes = len(starts) - 1
    cdef int64_t[::1] fewer = np.zeros(nodes + 1, np.int64)
    with nogil:
        for node in range(nodes):
            for at in range(starts[node], starts[node + 1]):
                if at == starts[node] or values[at] != values[kept - 1]:
                    values[kept] = values[at]
                    kept += 1
            fewer[node + 1] = kept
    return np.asarray(fewer), np.asarray(values)[:kept]


def count_mutual_links(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const int64_t[::1] in_starts not None,
    const int32_t[::1] sources not None,
):
    """Count the links that have a link back: the values in both ascending slices of a node."""
    cdef Py_ssize_t node, out, back
    cdef int64_t both = 0
    with nogil:
        for node in range(len(starts) - 1):
            out, back = starts[node], in_starts[node]
            while out < starts[node + 1] and back < in_starts[node + 1]:
                both += targets[out] == sources[back]
                if targets[out] <= sources[back]:
                    out += 1
                else:
                    back += 1
    return both


def select_nodes(const int64_t[::1] starts not None, const int32_t[::1] values not None, const int32_t[::1] number_of not None):
    """Return the slices of some nodes: number_of[v] is the new number of v (ascending), or -1 to drop it."""
    cdef Py_ssize_t node, at, nodes = len(starts) - 1
    cdef int64_t kept = 0, kept_nodes = 0
    cdef int64_t[::1] fewer
    cdef int32_t[::1] renamed
    with nogil:
        for node in range(nodes):
            if number_of[node] >= 0:
                kept_nodes += 1
                for at in range(starts[node], starts[node + 1]):
                    kept += number_of[values[at]] >= 0
    fewer = np.zeros(kept_nodes + 1, np.int64)
    renamed = np.empty(kept, np.int32)
    kept = 0
    with nogil:
        for node in range(nodes):
            if number_of[node] >= 0:
                for at in range(starts[node], starts[node + 1]):
                    if number_of[values[at]] >= 0:
                        renamed[kept] = number_of[values[at]]
                        kept += 1
                fewer[number_of[node] + 1] = kept
    return np.asarray(fewer), np.asarray(renamed)


cdef void _accumulate(int64_t[::1] counts) noexcept:
    cdef Py_ssize_t at
    for at in range(1, len(counts)):
        counts[at] += counts[at - 1]
