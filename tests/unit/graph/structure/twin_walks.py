"""Slow readable twins of components and bow-tie: sets of nodes, and every step as the source tells it."""

from collections.abc import Iterable

Links = set[tuple[int, int]]


def reached(origins: Iterable[int], links: Links, without: Iterable[int] = ()) -> set[int]:
    """Return all that can be reached from some nodes, these included, in the graph without some others."""
    closed = set(without)
    found = set(origins) - closed
    waiting = list(found)
    while waiting:
        node = waiting.pop()
        new = {target for source, target in links if source == node} - found - closed
        found |= new
        waiting += new
    return found


def turned(links: Links) -> Links:
    return {(target, source) for source, target in links}


def strong(nodes: int, links: Links) -> list[set[int]]:
    """Return the strongly connected components by their smallest nodes: what a node reaches and is reached from."""
    found: list[set[int]] = []
    for node in range(nodes):
        if not any(node in component for component in found):
            found.append(reached([node], links) & reached([node], turned(links)))
    return found


def weak(nodes: int, links: Links) -> list[set[int]]:
    return strong(nodes, links | turned(links))


def bowtie(nodes: int, links: Links) -> dict[str, set[int]]:
    """Follow the eight steps of section 3.3.2 of seed 002 one by one."""
    back = turned(links)
    # 1 to 3
    scc = max(strong(nodes, links), key=len)
    out = reached(scc, links) - scc
    in_ = reached(scc, back) - scc
    # 4 and 5; regions share no node, so what is in IN or OUT stays there
    intendrils = reached(in_, links, scc) - in_ - out
    outtendrils = reached(out, back, scc) - out - in_
    # 6
    tubes = intendrils & outtendrils
    # 7: nodes on ways from tubes to OUT, and from IN to tubes
    between_out = reached(tubes, links, scc) & reached(out, back, scc) - out
    between_in = reached(tubes, back, scc) & reached(in_, links, scc) - in_
    tubes |= between_out | between_in
    intendrils -= tubes
    outtendrils -= tubes
    # 8
    rest = set(range(nodes)) - scc - in_ - out - tubes - intendrils - outtendrils
    regions = (scc, in_, out, tubes, intendrils, outtendrils, rest)
    names = ("SCC", "IN", "OUT", "TUBES", "INTENDRILS", "OUTTENDRILS", "DISC")
    return dict(zip(names, regions, strict=True))
