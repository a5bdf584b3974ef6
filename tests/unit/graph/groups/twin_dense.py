"""Slow, readable twins of cliques, clusters and bipartite cores, which the compiled loops must equal."""

from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest

from gossamer.graph.groups.density import ClusterRules, CoreRules, Thresholds

Links = set[tuple[int, int]]
Core = tuple[frozenset[int], frozenset[int]]
Linked = dict[int, set[int]]


def threshold(rule: Thresholds, size: float) -> float:
    return float(rule.t_min + (rule.t_max - rule.t_min) * rule.decay ** (size * size))


def prune(nodes: set[int], links: Links, least: float) -> set[int]:
    """Remove nodes with too few links until nothing changes."""
    while True:
        among = [(a, b) for a, b in links if a in nodes and b in nodes]
        sources, targets = Counter(a for a, _ in among), Counter(b for _, b in among)
        stay = {v for v in nodes if min(sources[v], targets[v]) >= least}
        if stay == nodes:
            return nodes
        nodes = stay


def twin_clusters(nodes: int, links: Links, rules: ClusterRules) -> set[frozenset[int]]:
    """Grow from every node without a memory of seen sets; equal sets are merged at the end."""
    left = prune(set(range(nodes)), links, rules.thresholds.t_min * (rules.size - 1))
    among = {(a, b) for a, b in links if a in left and b in left}
    grown = {grow_from(v, among, rules.thresholds) for v in left}
    return {members for members in grown if len(members) >= rules.size}


def twin_cliques(nodes: int, links: Links, size: int) -> set[frozenset[int]]:
    """Grow from every node that could be in a clique of that size; nodes with most links to candidates join first."""
    left = prune(set(range(nodes)), links, size - 1)
    mutual = {v: {w for w in left if (v, w) in links and (w, v) in links} for v in left}
    among = {(a, b) for a, b in links if a in left and b in left}
    grown = set()
    for first in left:
        members = {first}
        known = members | mutual[first]
        for v in sorted(mutual[first], key=lambda v: (-links_with(v, known, among), v)):
            if members <= mutual[v]:
                members.add(v)
        grown.add(frozenset(members))
    return {members for members in grown if len(members) >= size}


def grow_from(node: int, links: Links, rule: Thresholds) -> frozenset[int]:
    members = {node}
    while True:
        t = threshold(rule, len(members))
        near = {b for a, b in links if a in members} | {a for a, b in links if b in members}
        fitting = [v for v in near - members if min(shares(v, members, links)) >= t]
        before = set(members)
        known = before | set(fitting)
        for v in sorted(fitting, key=lambda v: (-links_with(v, known, links), v)):
            if min(shares(v, members, links)) >= t:
                members.add(v)
        if members == before:
            return frozenset(members)


def shares(node: int, members: set[int], links: Links) -> tuple[float, float]:
    """Return the share of members that link to a node, and the share that it links to."""
    to_it = sum((m, node) in links for m in members)
    from_it = sum((node, m) in links for m in members)
    return to_it / len(members), from_it / len(members)


def links_with(node: int, others: set[int], links: Links) -> int:
    return sum((node, other) in links for other in others) + sum((other, node) in links for other in others)


def density(members: frozenset[int], links: Links) -> float:
    if len(members) == 1:
        return 1.0
    return sum(a in members and b in members for a, b in links) / (len(members) * (len(members) - 1))


def twin_cores(
    links: Links, rules: CoreRules, famous: int | None = None, variant: str = "standard"
) -> set[Core]:
    """Grow from every link, in the order of fans, then centres.

    In the standard variant, links between fans and centres of cores are passed over, and so are candidates with too few
    links for the smallest core asked for.
    """
    left = prune_by_role(links, rules, famous)
    to_centres, to_fans = linked_with(left), linked_with((b, a) for a, b in left)
    is_seed = variant == "seed"
    least = (
        (0.0, 0.0)
        if is_seed
        else (rules.thresholds.t_min * rules.centres, rules.thresholds.t_min * rules.fans)
    )
    fans: set[int] = set()
    centres: set[int] = set()
    met: set[Core] = set()
    found: set[Core] = set()
    for fan, centre in sorted(left):
        if fan in fans and centre in centres and not is_seed:
            continue
        core = grow_core(fan, centre, to_centres, to_fans, rules.thresholds, least, met)
        if core and len(core[0]) >= rules.fans and len(core[1]) >= rules.centres:
            found.add(core)
            fans |= core[0]
            centres |= core[1]
    return found


def prune_by_role(links: Links, rules: CoreRules, famous: int | None) -> Links:
    """Keep the links from possible fans to possible centres."""
    t = rules.thresholds.t_min
    linked_to = Counter(b for _, b in links)
    left = {(a, b) for a, b in links if famous is None or linked_to[b] <= famous}
    while True:
        sources, targets = Counter(a for a, _ in left), Counter(b for _, b in left)
        stay = {(a, b) for a, b in left if sources[a] >= t * rules.centres and targets[b] >= t * rules.fans}
        if stay == left:
            return left
        left = stay


def linked_with(links: Iterable[tuple[int, int]]) -> Linked:
    found: Linked = {}
    for node, other in links:
        found.setdefault(node, set()).add(other)
    return found


def grow_core(
    fan: int,
    centre: int,
    to_centres: Linked,
    to_fans: Linked,
    rule: Thresholds,
    least: tuple[float, float],
    met: set[Core],
) -> Core | None:
    fans, centres = {fan}, {centre}

    def fits(linked: set[int], members: set[int]) -> bool:
        return len(linked & members) / len(members) >= threshold(rule, (len(fans) + len(centres)) / 2)

    while True:
        before = frozenset(fans), frozenset(centres)
        near_fans = set().union(*(to_fans[c] for c in centres)) - fans
        near_centres = set().union(*(to_centres[f] for f in fans)) - centres
        new_fans = {f for f in near_fans if fits(to_centres[f], centres)}
        new_centres = {c for c in near_centres if fits(to_fans[c], fans)}
        fan_scores = scores(new_fans, to_centres, centres | new_centres, least[0])
        centre_scores = scores(new_centres, to_fans, fans | set(fan_scores), least[1])
        for f, c in zip_longest(best_first(fan_scores), best_first(centre_scores)):
            if f is not None and fits(to_centres[f], centres):
                fans.add(f)
            if c is not None and fits(to_fans[c], fans):
                centres.add(c)
        core = frozenset(fans), frozenset(centres)
        if core == before:
            return core
        if core in met:
            return None
        met.add(core)


def scores(nodes: set[int], linked: Linked, others: set[int], least: float) -> dict[int, int]:
    """Return the number of others that each node is linked with, for nodes with enough."""
    counts = {node: len(linked[node] & others) for node in nodes}
    return {node: count for node, count in counts.items() if count >= least}


def best_first(scores: dict[int, int]) -> list[int]:
    return sorted(scores, key=lambda v: (-scores[v], v))
