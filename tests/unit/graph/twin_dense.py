"""Cliques, clusters and bipartite cores with sets, slow and readable: what the compiled loops must agree with."""

from itertools import count, zip_longest

from gossamer.graph.density import ClusterRules, CoreRules, Thresholds

Links = set[tuple[int, int]]
Core = tuple[frozenset[int], frozenset[int]]


def threshold(rule: Thresholds, size: float) -> float:
    return float(rule.t_min + (rule.t_max - rule.t_min) * rule.decay ** (size * size))


def pruned(nodes: set[int], links: Links, least: float) -> set[int]:
    """Cut off nodes with too few links, again and again until nothing changes."""
    while True:
        stay = {
            v
            for v in nodes
            if sum(a == v and b in nodes for a, b in links) >= least
            and sum(b == v and a in nodes for a, b in links) >= least
        }
        if stay == nodes:
            return nodes
        nodes = stay


def twin_clusters(nodes: int, links: Links, rules: ClusterRules) -> set[frozenset[int]]:
    """Grow from every node, without remembering anything; sets that are equal fall together at the end."""
    left = pruned(set(range(nodes)), links, rules.thresholds.t_min * (rules.size - 1))
    among = {(a, b) for a, b in links if a in left and b in left}
    grown = {grown_from(v, among, rules.thresholds) for v in left}
    return {members for members in grown if len(members) >= rules.size}


def grown_from(node: int, links: Links, rule: Thresholds) -> frozenset[int]:
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
    """Return which share of the members link to a node, and which share it links to."""
    to_it = sum((m, node) in links for m in members)
    from_it = sum((node, m) in links for m in members)
    return to_it / len(members), from_it / len(members)


def links_with(node: int, others: set[int], links: Links) -> int:
    return sum((node, other) in links for other in others) + sum((other, node) in links for other in others)


def density(members: frozenset[int], links: Links) -> float:
    if len(members) == 1:
        return 1.0
    return sum(a in members and b in members for a, b in links) / (len(members) * (len(members) - 1))


def twin_cores(nodes: int, links: Links, rules: CoreRules, famous: int) -> set[Core]:
    """Grow from every link unless its ends are fan and centre of cores already, in the order of fans, then centres."""
    left = by_roles(nodes, links, rules, famous)
    fans: set[int] = set()
    centres: set[int] = set()
    met: set[Core] = set()
    found: set[Core] = set()
    for fan, centre in sorted(left):
        if fan in fans and centre in centres:
            continue
        core = core_from(fan, centre, left, rules, met)
        if core and len(core[0]) >= rules.fans and len(core[1]) >= rules.centres:
            found.add(core)
            fans |= core[0]
            centres |= core[1]
    return found


def by_roles(nodes: int, links: Links, rules: CoreRules, famous: int) -> Links:
    """Leave the links from who can be a fan to who can be a centre."""
    t = rules.thresholds.t_min
    left = {(a, b) for a, b in links if sum(other == b for _, other in links) <= famous}
    while True:
        fans = {v for v in range(nodes) if sum(a == v for a, _ in left) >= t * rules.centres}
        centres = {v for v in range(nodes) if sum(b == v for _, b in left) >= t * rules.fans}
        stay = {(a, b) for a, b in left if a in fans and b in centres}
        if stay == left:
            return left
        left = stay


def core_from(fan: int, centre: int, links: Links, rules: CoreRules, met: set[Core]) -> Core | None:
    fans, centres = {fan}, {centre}
    t_min = rules.thresholds.t_min
    for _ in count():
        before = frozenset(fans), frozenset(centres)
        new_fans = {
            a for a, b in links if b in centres and a not in fans and fits_fan(a, *before, links, rules)
        }
        new_centres = {
            b for a, b in links if a in fans and b not in centres and fits_centre(b, *before, links, rules)
        }
        fan_scores = {f: sum((f, c) in links for c in centres | new_centres) for f in new_fans}
        fan_scores = {f: score for f, score in fan_scores.items() if score >= t_min * rules.centres}
        centre_scores = {c: sum((f, c) in links for f in fans | set(fan_scores)) for c in new_centres}
        centre_scores = {c: score for c, score in centre_scores.items() if score >= t_min * rules.fans}
        for f, c in zip_longest(best_first(fan_scores), best_first(centre_scores)):
            if f is not None and fits_fan(f, fans, centres, links, rules):
                fans.add(f)
            if c is not None and fits_centre(c, fans, centres, links, rules):
                centres.add(c)
        core = frozenset(fans), frozenset(centres)
        if core == before:
            return core
        if core in met:
            return None
        met.add(core)
    raise AssertionError


def best_first(scores: dict[int, int]) -> list[int]:
    return sorted(scores, key=lambda v: (-scores[v], v))


def fits_fan(
    node: int,
    fans: set[int] | frozenset[int],
    centres: set[int] | frozenset[int],
    links: Links,
    rules: CoreRules,
) -> bool:
    t = threshold(rules.thresholds, (len(fans) + len(centres)) / 2)
    return sum((node, c) in links for c in centres) / len(centres) >= t


def fits_centre(
    node: int,
    fans: set[int] | frozenset[int],
    centres: set[int] | frozenset[int],
    links: Links,
    rules: CoreRules,
) -> bool:
    t = threshold(rules.thresholds, (len(fans) + len(centres)) / 2)
    return sum((f, node) in links for f in fans) / len(fans) >= t
