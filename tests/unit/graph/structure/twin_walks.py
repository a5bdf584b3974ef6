"""Slow, readable twins of components and bow-tie: with sets of nodes, and every step as in the source."""

from collections.abc import Iterable

Links = set[tuple[int, int]]


def reach(origins: Iterable[int], links: Links, without: Iterable[int] = ()) -> set[int]:
    """Return all nodes reachable from some nodes, including these, in the graph without some others."""
    closed = set(without)
    found = set(origins) - closed
    waiting = list(found)
    while waiting:
        node = waiting.pop()
        new = {target for source, target in links if source == node} - found - closed
        found |= new
        waiting += new
    return found


def reverse(links: Links) -> Links:
    return {(target, source) for source, target in links}


def strong_components(nodes: int, links: Links) -> list[set[int]]:
    """Return the strongly connected components by their smallest nodes: nodes that a node reaches and that reach it."""
    found: list[set[int]] = []
    for node in range(nodes):
        if not any(node in component for component in found):
            found.append(reach([node], links) & reach([node], reverse(links)))
    return found


def weak_components(nodes: int, links: Links) -> list[set[int]]:
    return strong_components(nodes, links | reverse(links))


def bowtie(nodes: int, links: Links) -> dict[str, set[int]]:
    """Do the eight steps of Schmitz 2001, section 3.3.2, one by one."""
    back = reverse(links)
    # 1 to 3
    scc = max(strong_components(nodes, links), key=len)
    out = reach(scc, links) - scc
    in_ = reach(scc, back) - scc
    # 4 and 5; regions share no node, so what is in IN or OUT stays there
    intendrils = reach(in_, links, scc) - in_ - out
    outtendrils = reach(out, back, scc) - out - in_
    # 6
    tubes = intendrils & outtendrils
    # 7: nodes on paths from tubes to OUT, and from IN to tubes
    between_out = reach(tubes, links, scc) & reach(out, back, scc) - out
    between_in = reach(tubes, back, scc) & reach(in_, links, scc) - in_
    tubes |= between_out | between_in
    intendrils -= tubes
    outtendrils -= tubes
    # 8
    rest = set(range(nodes)) - scc - in_ - out - tubes - intendrils - outtendrils
    regions = (scc, in_, out, tubes, intendrils, outtendrils, rest)
    names = ("SCC", "IN", "OUT", "TUBES", "INTENDRILS", "OUTTENDRILS", "DISC")
    return dict(zip(names, regions, strict=True))
