# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled searches along links: reachable nodes and connected components. None of them recurses.

All arguments are arrays of one `Graph`: every target is a node, so no index is out of range. Nodes carry marks, one
byte each, so that one array of a few hundred kilobytes records both visited and forbidden nodes.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fetch_soon(address) __builtin_prefetch(address)
    #else
    #define fetch_soon(address) ((void) (address))
    #endif
    """
    void fetch_soon(const void *address) noexcept nogil

cdef enum:
    # The beginning of a slice is prefetched this many nodes ahead, since slices are far apart in memory.
    AHEAD = 8


def mark_reachable(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const int32_t[::1] origins not None,
    uint8_t[::1] marks not None,
    uint8_t mark,
    uint8_t closed,
):
    """Mark all nodes reachable from the origins, breadth first; nodes with this mark or a closed mark are not entered.

    The marks of the origins do not change. Each link is followed once.
    """
    cdef int32_t[::1] queue = np.empty(len(marks) + len(origins), np.int32)
    cdef Py_ssize_t head = 0, tail = len(origins), at
    cdef int32_t node, target
    cdef uint8_t shut = mark | closed
    queue[:tail] = origins
    with nogil:
        while head < tail:
            if head + AHEAD < tail:
                fetch_soon(&starts[queue[head + AHEAD]])
            if head + AHEAD // 2 < tail:
                fetch_soon(&targets[0] + starts[queue[head + AHEAD // 2]])
            node = queue[head]
            head += 1
            for at in range(starts[node], starts[node + 1]):
                target = targets[at]
                if not marks[target] & shut:
                    marks[target] |= mark
                    queue[tail] = target
                    tail += 1


def label_strong_components(
    const int64_t[::1] starts not None,
    const int32_t[::1] targets not None,
    const uint8_t[::1] marks not None,
    int32_t[::1] labels not None,
    int32_t labelled,
):
    """Number the strong components of nodes labelled -1, starting from `labelled`; return the next free number.

    No component has nodes with different marks, so links between such nodes are skipped. Pearce, "A space-efficient
    algorithm for finding strongly connected components" (2016): Tarjan's search with one number per node, its rank.
    """
    cdef Py_ssize_t nodes = len(labels), root, depth, waiting = 0
    cdef int32_t[::1] rank = np.zeros(nodes, np.int32)
    cdef int32_t[::1] path = np.empty(nodes, np.int32)
    cdef int64_t[::1] cursor = np.empty(nodes, np.int64)
    cdef int32_t[::1] open_nodes = np.empty(nodes, np.int32)
    cdef uint8_t[::1] is_root = np.empty(nodes, np.uint8)
    cdef int32_t node, target, met
    with nogil:
        for root in range(nodes):
            if labels[root] != -1:
                continue
            depth, met = 0, 1
            path[0], cursor[0], rank[root], is_root[root] = <int32_t> root, starts[root], 1, True
            while depth >= 0:
                node = path[depth]
                if cursor[depth] < starts[node + 1]:
                    target = targets[cursor[depth]]
                    cursor[depth] += 1
                    if labels[target] != -1 or marks[target] != marks[node]:
                        continue
                    if not rank[target]:
                        met += 1
                        depth += 1
                        path[depth], cursor[depth] = target, starts[target]
                        rank[target], is_root[target] = met, True
                    elif rank[target] < rank[node]:
                        rank[node], is_root[node] = rank[target], False
                    continue
                depth -= 1
                if is_root[node]:
                    waiting = _label_component(node, labelled, rank, labels, open_nodes, waiting)
                    labelled += 1
                else:
                    open_nodes[waiting] = node
                    waiting += 1
                if depth >= 0 and labels[node] == -1 and rank[node] < rank[path[depth]]:
                    rank[path[depth]], is_root[path[depth]] = rank[node], False
    return labelled


cdef inline Py_ssize_t _label_component(
    int32_t node, int32_t label, const int32_t[::1] rank, int32_t[::1] labels, const int32_t[::1] waiting, Py_ssize_t count
) noexcept nogil:
    """Label a root and all open nodes visited after it, which can reach it; return the number of nodes still open."""
    labels[node] = label
    while count and rank[waiting[count - 1]] >= rank[node]:
        count -= 1
        labels[waiting[count]] = label
    return count


def find_weak_components(const int64_t[::1] starts not None, const int32_t[::1] targets not None):
    """Return for each node the smallest node connected to it by links in any direction."""
    cdef int32_t[::1] above = np.arange(len(starts) - 1, dtype=np.int32)
    cdef Py_ssize_t node, at
    cdef int32_t one, other
    with nogil:
        for node in range(len(above)):
            one = _find_root(above, <int32_t> node)
            for at in range(starts[node], starts[node + 1]):
                other = _find_root(above, targets[at])
                if other < one:
                    above[one] = other
                    one = other
                elif one < other:
                    above[other] = one
        for node in range(len(above)):
            above[node] = above[above[node]]
    return np.asarray(above)


cdef inline int32_t _find_root(int32_t[::1] above, int32_t node) noexcept nogil:
    """Return the root of a node's set, halving the path on the way."""
    while above[node] != node:
        above[node] = above[above[node]]
        node = above[node]
    return node


def renumber_by_first_node(int32_t[::1] labels not None, int32_t count):
    """Renumber labels in place in order of first appearance; return the number of nodes with each label."""
    cdef int32_t[::1] number = np.full(count, -1, np.int32)
    cdef int64_t[::1] sizes = np.zeros(count, np.int64)
    cdef Py_ssize_t node
    cdef int32_t used = 0
    with nogil:
        for node in range(len(labels)):
            if number[labels[node]] < 0:
                number[labels[node]] = used
                used += 1
            labels[node] = number[labels[node]]
            sizes[labels[node]] += 1
    return np.asarray(sizes)[:used]
