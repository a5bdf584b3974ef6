# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled sums over the neighbours of every node: the inner loops of PageRank and HITS.

All arguments are arrays of one `Graph`, or have one value per node, which is checked. Nodes are visited in order and
pull values from their neighbours, so writes are sequential and only reads are random.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, int64_t


def sum_neighbours(
    const int64_t[::1] starts not None,
    const int32_t[::1] neighbours not None,
    const double[::1] values not None,
    double[::1] into not None,
):
    """Write the sum of each node's neighbours' values to `into`."""
    cdef Py_ssize_t node, at, nodes = len(starts) - 1
    cdef double total
    if not len(values) == len(into) == nodes:
        raise ValueError("there must be one value for each node")
    with nogil:
        for node in range(nodes):
            total = 0
            for at in range(starts[node], starts[node + 1]):
                total += values[neighbours[at]]
            into[node] = total


def sweep(
    const int64_t[::1] in_starts not None,
    const int32_t[::1] sources not None,
    const int64_t[::1] out_degrees not None,
    const double[::1] given not None,
    double damping,
    double[::1] shares not None,
):
    """Do one Gauss-Seidel sweep for weights = given + damping · (sum of shares), shares = weights / out-degrees.

    Updates `shares` in place. Return the change of the weights, the weight of pages with links, and the weight of pages
    without links.
    """
    cdef Py_ssize_t node, at, nodes = len(in_starts) - 1
    cdef double total, share, change = 0, linking = 0, dangling = 0
    if not len(out_degrees) == len(given) == len(shares) == nodes:
        raise ValueError("there must be one value for each node")
    with nogil:
        for node in range(nodes):
            total = 0
            for at in range(in_starts[node], in_starts[node + 1]):
                total += shares[sources[at]]
            total = given[node] + damping * total
            if out_degrees[node] == 0:
                dangling += total
                continue
            share = total / out_degrees[node]
            change += fabs(share - shares[node]) * out_degrees[node]
            linking += total
            shares[node] = share
    return change, linking, dangling


def normalise(double[::1] weights not None, const double[::1] before not None, double damping):
    """Mix weights with a share `damping` of those before, scale them to length 1 (L2), and return their distance.

    Weights that are all 0 stay 0. Written without BLAS: on busy cores its threads waited for each other so long that
    HITS took twice the CPU time.
    """
    cdef Py_ssize_t node, nodes = len(weights)
    cdef double squares = 0, apart = 0, scale
    if len(before) != nodes:
        raise ValueError("there must be one value for each node")
    with nogil:
        for node in range(nodes):
            weights[node] = (1 - damping) * weights[node] + damping * before[node]
            squares += weights[node] * weights[node]
        scale = 1 / sqrt(squares) if squares > 0 else 0
        for node in range(nodes):
            weights[node] *= scale
            apart += (weights[node] - before[node]) * (weights[node] - before[node])
    return sqrt(apart)
