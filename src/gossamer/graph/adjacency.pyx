# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Links sorted by counting: the compiled loops that a `Graph` is made by.

A graph is kept as slices: those of node v begin at starts[v] and end where those of v + 1 begin. Sorting is done by
counting how long each slice gets and then dealing every link to its place, so it costs the same few steps for each
link however many there are. What is dealt in ascending order of v arrives ascending in every slice.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t


def group_by_key(const int32_t[::1] keys not None, const int32_t[::1] values not None, int64_t nodes):
    """Deal values to slices by their keys, without those that equal their key; each is a node, which is checked."""
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
    """Return the slices of the other direction: v stands in the slice of w where w stood in the slice of v.

    `starts` and `values` are slices of one graph, so every value is a node.
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
    """Say whether no value in a slice is smaller than the one before it."""
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
    """Move ascending values together so that each stands once in its slice; return starts, and values cut short."""
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
    """Count the links that are answered by one back: what stands in both ascending slices of a node."""
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
    """Return the slices of the nodes that keep a number (0, 1, 2 … in order; the others have -1), with these numbers."""
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
