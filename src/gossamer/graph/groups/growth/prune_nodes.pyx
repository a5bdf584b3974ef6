# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled pruning of nodes with too few links to be in a dense group, repeated to a fixpoint.

All arguments are arrays of one `Graph`, so no index is out of range. Each node is removed at most once, which lowers
the degrees of its neighbours: O(nodes + links), even for long chains. Source: Schmitz 2001, section 3.4.5.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t


def prune_by_degree(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const int64_t[::1] in_starts not None,
    const int32_t[::1] sources not None,
    double least,
):
    """Return which nodes stay if each needs `least` links from, and `least` links to, other nodes that stay."""
    cdef Py_ssize_t nodes = len(starts) - 1, waiting = 0, node, at
    cdef int64_t[::1] out_degrees = np.diff(starts)
    cdef int64_t[::1] in_degrees = np.diff(in_starts)
    cdef uint8_t[::1] stays = np.ones(nodes, np.uint8)
    cdef int32_t[::1] going = np.empty(nodes, np.int32)
    with nogil:
        for node in range(nodes):
            if out_degrees[node] < least or in_degrees[node] < least:
                stays[node] = False
                going[waiting] = <int32_t> node
                waiting += 1
        while waiting:
            waiting -= 1
            node = going[waiting]
            for at in range(starts[node], starts[node + 1]):
                _drop_link(targets[at], in_degrees, least, stays, going, &waiting)
            for at in range(in_starts[node], in_starts[node + 1]):
                _drop_link(sources[at], out_degrees, least, stays, going, &waiting)
    return np.asarray(stays).view(np.bool_)


def prune_by_role(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const int64_t[::1] in_starts not None,
    const int32_t[::1] sources not None,
    const uint8_t[::1] may_be_centre not None,
    double least_centres,
    double least_fans,
):
    """Return which nodes can be fans (linking to `least_centres` centres) and which centres (with `least_fans` fans)."""
    cdef Py_ssize_t nodes = len(starts) - 1, waiting = 0, at
    cdef int64_t node
    cdef int64_t[::1] out_degrees = np.zeros(nodes, np.int64)
    cdef int64_t[::1] in_degrees = np.diff(in_starts)
    cdef uint8_t[::1] fans = np.ones(nodes, np.uint8)
    cdef uint8_t[::1] centres = np.array(may_be_centre, np.uint8)
    # A node can be removed twice: as a fan, and as a centre, encoded with the number of nodes added.
    cdef int64_t[::1] going = np.empty(2 * nodes, np.int64)
    with nogil:
        for node in range(nodes):
            if centres[node] and in_degrees[node] < least_fans:
                centres[node] = False
        for node in range(nodes):
            for at in range(starts[node], starts[node + 1]):
                out_degrees[node] += centres[targets[at]]
        for node in range(nodes):
            if out_degrees[node] < least_centres:
                fans[node] = False
                going[waiting] = node
                waiting += 1
        while waiting:
            waiting -= 1
            node = going[waiting]
            if node < nodes:
                for at in range(starts[node], starts[node + 1]):
                    _drop_role_link(targets[at], nodes, in_degrees, least_fans, centres, going, &waiting)
            else:
                node -= nodes
                for at in range(in_starts[node], in_starts[node + 1]):
                    _drop_role_link(sources[at], 0, out_degrees, least_centres, fans, going, &waiting)
    return np.asarray(fans).view(np.bool_), np.asarray(centres).view(np.bool_)


cdef inline void _drop_link(
    int32_t node, int64_t[::1] degrees, double least, uint8_t[::1] stays, int32_t[::1] going, Py_ssize_t *waiting
) noexcept nogil:
    """Lower the degree of a node; remove the node if it has too few links left."""
    degrees[node] -= 1
    if stays[node] and degrees[node] < least:
        stays[node] = False
        going[waiting[0]] = node
        waiting[0] += 1


cdef inline void _drop_role_link(
    int64_t node,
    int64_t role,
    int64_t[::1] degrees,
    double least,
    uint8_t[::1] stays,
    int64_t[::1] going,
    Py_ssize_t *waiting,
) noexcept nogil:
    """Lower the degree of a node in one role; remove it from the role if it has too few links left."""
    degrees[node] -= 1
    if stays[node] and degrees[node] < least:
        stays[node] = False
        going[waiting[0]] = node + role
        waiting[0] += 1


def select_links(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const int32_t[::1] from_these not None,
    const int32_t[::1] numbers not None,
):
    """Return the slices of the links from some nodes, in their order, to nodes with a number of at least 0."""
    cdef Py_ssize_t row, at, kept = 0
    cdef int64_t[::1] fewer = np.zeros(len(from_these) + 1, np.int64)
    cdef int32_t[::1] left
    with nogil:
        for row in range(from_these.shape[0]):
            for at in range(starts[from_these[row]], starts[from_these[row] + 1]):
                kept += numbers[targets[at]] >= 0
            fewer[row + 1] = kept
    left = np.empty(kept, np.int32)
    kept = 0
    with nogil:
        for row in range(from_these.shape[0]):
            for at in range(starts[from_these[row]], starts[from_these[row] + 1]):
                if numbers[targets[at]] >= 0:
                    left[kept] = numbers[targets[at]]
                    kept += 1
    return np.asarray(fewer), np.asarray(left)
