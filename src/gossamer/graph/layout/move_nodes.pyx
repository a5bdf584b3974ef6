# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compiled steps of a force layout: one round of forces, and groups of neighbours for a coarser graph.

Nodes push each other away, all pairs of them, and links pull their ends together. Far groups of nodes push as one: a
quadtree sums them up (Barnes and Hut 1986), so that a round costs O(n log n). Its rooms are limited, so that no arrangement
of nodes, such as many at one point, can make it grow.
"""

import numpy as np

from libc.math cimport fabs, isfinite, log1p, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    DEEPEST = 40
    MOST_OPEN = 200  # at most three siblings wait at each depth

cdef double LEAST_DISTANCE = 1e-9


def move_nodes(
    double[:, ::1] places not None,
    const double[::1] masses not None,
    const uint8_t[::1] stays not None,
    const int32_t[::1] order not None,
    const int32_t[::1] sources not None,
    const int32_t[::1] targets not None,
    const double[::1] weights not None,
    double push,
    double gravity,
    double step,
    double wide,
    bint by_logarithm,
):
    """Move the nodes of a graph one step along the forces on them; return how far they moved in all.

    No node moves further than `step`, and those that stay do not move. Squares of the tree that are seen under a
    smaller angle than `wide` (their side divided by their distance) count as one node. `order` names all nodes; it is
    quickest if nodes that are close together follow each other.
    """
    cdef Py_ssize_t nodes = len(masses), links = len(sources), room = 4 * nodes + 64
    if (
        places.shape[0] != nodes
        or places.shape[1] != 2
        or len(stays) != nodes
        or len(order) != nodes
        or len(targets) != links
        or len(weights) != links
    ):
        raise ValueError("every node needs a place, a mass and a turn, and every link two ends and a weight")
    if nodes and not (_are_nodes(order, nodes) and _are_nodes(sources, nodes) and _are_nodes(targets, nodes)):
        raise ValueError("links and the order may only name nodes of the graph")
    cdef double[:, ::1] forces = np.zeros((nodes, 2))
    cdef int32_t[::1] children = np.full(4 * room, -1, np.int32)
    cdef double[:, ::1] squares = np.zeros((room, 4))
    cdef double moved = 0.0
    if not nodes or not np.isfinite(places).all():
        return 0.0
    with nogil:
        _build_tree(places, masses, order, children, squares, room)
        _push_nodes(places, masses, stays, order, children, squares, forces, push, wide)
        _pull_links(places, sources, targets, weights, forces, by_logarithm)
        moved = _move_along(places, masses, stays, forces, gravity, step)
    return moved


cdef bint _are_nodes(const int32_t[::1] numbers, Py_ssize_t nodes) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(len(numbers)):
        if numbers[at] < 0 or numbers[at] >= nodes:
            return False
    return True


cdef void _build_tree(
    const double[:, ::1] places,
    const double[::1] masses,
    const int32_t[::1] order,
    int32_t[::1] children,
    double[:, ::1] squares,
    Py_ssize_t room,
) noexcept nogil:
    """Build the quadtree: of each square the sum of masses, the sums of mass times place, and the side.

    A child is -1 if there is none, the number of a square, or -2 - v for the single node v. Nodes that are at one point,
    or find no room, are only part of the sums of their square.
    """
    cdef double low_x = places[0, 0], high_x = low_x, low_y = places[0, 1], high_y = low_y
    cdef Py_ssize_t at, depth
    cdef int32_t node, square, used = 1, slot, other
    cdef double x, y, mass, middle_x, middle_y, half
    for at in range(len(masses)):
        low_x, high_x = min(low_x, places[at, 0]), max(high_x, places[at, 0])
        low_y, high_y = min(low_y, places[at, 1]), max(high_y, places[at, 1])
    cdef double side = max(high_x - low_x, high_y - low_y) * 1.0001 + LEAST_DISTANCE
    squares[0, 3] = side
    for at in range(len(order)):
        node = order[at]
        x, y, mass = places[node, 0], places[node, 1], masses[node]
        square, half = 0, side / 2
        middle_x, middle_y = low_x + half, low_y + half
        for depth in range(DEEPEST):
            squares[square, 0] += mass
            squares[square, 1] += mass * x
            squares[square, 2] += mass * y
            slot = 4 * square + (x >= middle_x) + 2 * (y >= middle_y)
            other = children[slot]
            if other == -1:
                children[slot] = -2 - node
                break
            half /= 2
            if other < -1:  # a node: put it into a square of its own, and go on with that
                other = -2 - other
                if used >= room or depth == DEEPEST - 1:
                    break
                children[slot] = used
                squares[used, 0] = masses[other]
                squares[used, 1] = masses[other] * places[other, 0]
                squares[used, 2] = masses[other] * places[other, 1]
                squares[used, 3] = 2 * half
                children[
                    4 * used
                    + (places[other, 0] >= middle_x + (half if x >= middle_x else -half))
                    + 2 * (places[other, 1] >= middle_y + (half if y >= middle_y else -half))
                ] = -2 - other
                used += 1
            square = children[slot]
            middle_x += half if x >= middle_x else -half
            middle_y += half if y >= middle_y else -half


cdef void _push_nodes(
    const double[:, ::1] places,
    const double[::1] masses,
    const uint8_t[::1] stays,
    const int32_t[::1] order,
    const int32_t[::1] children,
    const double[:, ::1] squares,
    double[:, ::1] forces,
    double push,
    double wide,
) noexcept nogil:
    """Add the forces that push each node away from all others: the product of masses divided by the distance."""
    cdef int32_t open_squares[MOST_OPEN]
    cdef Py_ssize_t at
    cdef int32_t node, square, child, waiting, slot
    cdef double x, y, away_x, away_y, distance, mass, sum_x, sum_y, strength, wide2 = wide * wide
    for at in range(len(order)):
        node = order[at]
        if stays[node]:
            continue
        x, y, sum_x, sum_y = places[node, 0], places[node, 1], 0.0, 0.0
        open_squares[0], waiting = 0, 1
        while waiting:
            waiting -= 1
            square = open_squares[waiting]
            mass = squares[square, 0]
            away_x, away_y = x - squares[square, 1] / mass, y - squares[square, 2] / mass
            distance = away_x * away_x + away_y * away_y
            if squares[square, 3] * squares[square, 3] < wide2 * distance:
                strength = mass / distance
                sum_x += strength * away_x
                sum_y += strength * away_y
                continue
            for slot in range(4 * square, 4 * square + 4):
                child = children[slot]
                if child >= 0 and waiting < MOST_OPEN:
                    open_squares[waiting] = child
                    waiting += 1
                elif child < -1 and -2 - child != node:
                    away_x, away_y = x - places[-2 - child, 0], y - places[-2 - child, 1]
                    distance = away_x * away_x + away_y * away_y
                    if distance > LEAST_DISTANCE:
                        strength = masses[-2 - child] / distance
                        sum_x += strength * away_x
                        sum_y += strength * away_y
        forces[node, 0] += push * masses[node] * sum_x
        forces[node, 1] += push * masses[node] * sum_y


cdef void _pull_links(
    const double[:, ::1] places,
    const int32_t[::1] sources,
    const int32_t[::1] targets,
    const double[::1] weights,
    double[:, ::1] forces,
    bint by_logarithm,
) noexcept nogil:
    """Add the forces that pull the ends of each link together: its weight times its length, or the logarithm of that."""
    cdef Py_ssize_t at
    cdef int32_t source, target
    cdef double x, y, length, strength
    for at in range(len(sources)):
        source, target = sources[at], targets[at]
        x, y = places[target, 0] - places[source, 0], places[target, 1] - places[source, 1]
        strength = weights[at]
        if by_logarithm:
            length = sqrt(x * x + y * y)
            strength *= log1p(length) / max(length, LEAST_DISTANCE)
        forces[source, 0] += strength * x
        forces[source, 1] += strength * y
        forces[target, 0] -= strength * x
        forces[target, 1] -= strength * y


cdef double _move_along(
    double[:, ::1] places,
    const double[::1] masses,
    const uint8_t[::1] stays,
    const double[:, ::1] forces,
    double gravity,
    double step,
) noexcept nogil:
    """Move each node along its force divided by its mass, but not further than a step; return the sum of moves."""
    cdef Py_ssize_t node
    cdef double x, y, length, far, moved = 0.0
    for node in range(len(masses)):
        if stays[node]:
            continue
        x = forces[node, 0] / masses[node] - gravity * places[node, 0]
        y = forces[node, 1] / masses[node] - gravity * places[node, 1]
        length = sqrt(x * x + y * y)
        if not isfinite(length) or length <= LEAST_DISTANCE:
            continue
        far = min(length, step)
        places[node, 0] += x / length * far
        places[node, 1] += y / length * far
        moved += far
    return moved


def group_neighbours(
    const int64_t[::1] starts not None,
    const int32_t[::1] neighbours not None,
    const double[::1] weights not None,
    const double[::1] masses not None,
    const int32_t[::1] order not None,
    double most_mass,
):
    """Put nodes that are linked into small groups; return the group of each node.

    In this order, each node joins the group of the neighbour that it is linked to most, among those that have room. The
    leaves of a hub whose group is full form groups of their own, so that stars shrink as fast as other graphs.
    """
    cdef Py_ssize_t nodes = len(starts) - 1, turn
    if len(order) != nodes or len(masses) != nodes or len(weights) != len(neighbours):
        raise ValueError("every node needs a turn and a mass, and every link a weight")
    if nodes and not (_are_nodes(order, nodes) and _are_nodes(neighbours, nodes)):
        raise ValueError("neighbours and the order may only name nodes of the graph")
    if nodes and (starts[0] != 0 or starts[nodes] != len(neighbours) or np.any(np.diff(starts) < 0)):
        raise ValueError("the starts must ascend from 0 to the number of links")
    cdef int32_t[::1] groups = np.full(nodes, -1, np.int32)
    cdef double[::1] held = np.zeros(nodes)
    cdef int32_t[::1] spare = np.full(nodes, -1, np.int32)
    cdef int32_t node, other, best, nearest, used = 0
    cdef int64_t at
    cdef double strongest, nearest_weight, weight
    with nogil:
        for turn in range(nodes):
            node = order[turn]
            if groups[node] >= 0:
                continue
            best, nearest, strongest, nearest_weight = -1, -1, -1.0, -1.0
            for at in range(starts[node], starts[node + 1]):
                other = neighbours[at]
                if other == node:
                    continue
                weight = weights[at] / masses[other]
                if weight > nearest_weight:
                    nearest, nearest_weight = other, weight
                if weight > strongest and (
                    groups[other] < 0 or held[groups[other]] + masses[node] <= most_mass
                ) and (groups[other] >= 0 or masses[other] + masses[node] <= most_mass):
                    best, strongest = other, weight
            if best >= 0 and groups[best] < 0:
                groups[best] = used
                held[used] = masses[best]
                used += 1
            if best >= 0:
                groups[node] = groups[best]
            elif nearest >= 0 and spare[nearest] >= 0 and held[spare[nearest]] + masses[node] <= most_mass:
                groups[node] = spare[nearest]
            else:
                groups[node] = used
                used += 1
                if nearest >= 0:
                    spare[nearest] = groups[node]
            held[groups[node]] += masses[node]
    return np.asarray(groups), used
