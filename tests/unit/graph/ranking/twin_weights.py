"""Slow, readable twins of PageRank and HITS: the equations of their sources, iterated on lists."""

import math

Links = set[tuple[int, int]]
ROUNDS = 20_000


def pagerank(
    nodes: int, links: Links, preference: list[float], damping: float, still: float = 1e-15
) -> list[float]:
    """Iterate the definition of Page et al.; dangling pages pass their weight to the preference."""
    total = sum(preference)
    given = [weight / total for weight in preference]
    degrees = [sum(source == node for source, _ in links) for node in range(nodes)]
    old = given
    for _ in range(ROUNDS):
        anew = 1 - damping + damping * sum(old[node] for node in range(nodes) if not degrees[node])
        new = [anew * weight for weight in given]
        for source, target in links:
            new[target] += damping * old[source] / degrees[source]
        moved = sum(abs(one - other) for one, other in zip(new, old, strict=True))
        old = new
        if moved < still:
            break
    return old


def schmitz_pagerank(
    nodes: int, links: Links, preference: list[float], epsilon: float
) -> tuple[list[float], int]:
    """Iterate as in Schmitz 2001, section 3.5.1; return also the number of rounds."""
    total = sum(preference)
    given = [weight / total for weight in preference]
    degrees = [sum(source == node for source, _ in links) for node in range(nodes)]
    old, moved, rounds = given, math.inf, 0
    while moved >= epsilon:
        new = list(given)
        for source, target in links:
            new[target] += old[source] / degrees[source]
        norm = sum(new)
        new = [weight / norm for weight in new]
        moved = sum(abs(one - other) for one, other in zip(new, old, strict=True))
        old = new
        rounds += 1
    return old, rounds


def _normalise(weights: list[float]) -> list[float]:
    length = math.sqrt(sum(weight * weight for weight in weights))
    return [weight / length for weight in weights] if length else weights


def _mix(old: list[float], new: list[float], damping: float) -> list[float]:
    return _normalise([damping * one + (1 - damping) * other for one, other in zip(old, new, strict=True)])


def schmitz_hits(
    nodes: int, links: Links, hubs: list[float], authorities: list[float], damping: float, rounds: int
) -> tuple[list[float], list[float], float]:
    """Do some rounds as in Schmitz 2001, section 3.6.1; return hubs, authorities and the change in the last round."""
    hubs, authorities = _normalise(hubs), _normalise(authorities)
    moved = math.inf
    for _ in range(rounds):
        sums_hubs, sums_authorities = [0.0] * nodes, [0.0] * nodes
        for source, target in links:
            sums_hubs[source] += authorities[target]
            sums_authorities[target] += hubs[source]
        new_hubs, new_authorities = (
            _mix(hubs, sums_hubs, damping),
            _mix(authorities, sums_authorities, damping),
        )
        moved = max(math.dist(new_hubs, hubs), math.dist(new_authorities, authorities))
        hubs, authorities = new_hubs, new_authorities
    return hubs, authorities, moved


def kleinberg_hits(nodes: int, links: Links, rounds: int) -> tuple[list[float], list[float]]:
    """Do some rounds of Kleinberg's iteration: authorities from hubs, then hubs from these authorities."""
    hubs = _normalise([1.0] * nodes)
    authorities = hubs
    for _ in range(rounds):
        authorities, sums_hubs = [0.0] * nodes, [0.0] * nodes
        for source, target in links:
            authorities[target] += hubs[source]
        authorities = _normalise(authorities)
        for source, target in links:
            sums_hubs[source] += authorities[target]
        hubs = _normalise(sums_hubs)
    return hubs, authorities
