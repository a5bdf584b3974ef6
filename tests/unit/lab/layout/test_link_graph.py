"""The graph of a world has the requested shape."""

import math
from collections import Counter
from urllib.parse import urlsplit

import pytest

from gossamer.errors import BadInput
from gossamer.lab.options import BowTie, Group, Shape
from gossamer.lab.world.ground_truth import TrueGraph
from gossamer.lab.world.world import World

Adjacency = list[list[int]]


def reach(starts: set[int], links: Adjacency) -> set[int]:
    seen, waiting = set(starts), list(starts)
    while waiting:
        for target in links[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def adjacency(graph: TrueGraph) -> tuple[Adjacency, Adjacency]:
    out: Adjacency = [[] for _ in graph.urls]
    into: Adjacency = [[] for _ in graph.urls]
    for source, target in zip(graph.sources, graph.targets, strict=True):
        out[source].append(target)
        into[target].append(source)
    return out, into


def bow_tie(graph: TrueGraph) -> dict[str, set[int]]:
    """Return the region of each page by the definition of Broder et al. 2000, computed from the links alone."""
    out, into = adjacency(graph)
    both = [a + b for a, b in zip(out, into, strict=True)]
    everybody = set(range(len(graph.urls)))
    core: set[int] = set()
    left = set(everybody)
    while left:
        page = min(left)
        component = reach({page}, out) & reach({page}, into)
        left -= component
        core = max(core, component, key=len)
    after, before = reach(core, out), reach(core, into)
    rest = everybody - after - before
    tubes = rest & reach(before - core, out) & reach(after - core, into)
    apart = rest - reach(core, both)
    return {
        "core": core,
        "in": before - core,
        "out": after - core,
        "tubes": tubes,
        "tendrils": rest - tubes - apart,
        "disconnected": apart,
    }


BOW_TIES = {
    "as measured": BowTie(),
    "all core": BowTie(core=1.0, in_=0, out=0, tendrils=0, tubes=0, disconnected=0),
    "small core": BowTie(core=0.05, in_=0.4, out=0.4, tendrils=0.05, tubes=0.05, disconnected=0.05),
    "no in": BowTie(core=0.3, in_=0, out=0.3, tendrils=0.2, tubes=0, disconnected=0.2),
    "no out": BowTie(core=0.3, in_=0.3, out=0, tendrils=0.2, tubes=0, disconnected=0.2),
}


@pytest.mark.parametrize("name", BOW_TIES)
@pytest.mark.parametrize(("hosts", "pages"), [(1, 100), (20, 250), (90, 100)])
def test_every_page_is_in_the_region_that_the_world_states(name: str, hosts: int, pages: int) -> None:
    world = World(seed=3, hosts=hosts, pages=pages, shape=Shape(bowtie=BOW_TIES[name], groups=()))
    graph = world.graph()
    found = bow_tie(graph)
    for region, members in found.items():
        said = {index for index, there in enumerate(graph.regions) if there == region}
        assert members == said, region
        assert len(members) == world.regions().get(region, 0)


def test_region_sizes_are_the_requested_shares() -> None:
    sizes = World(hosts=50, pages=10_000).regions()
    assert sizes["core"] == 2770
    assert sizes["in"] == 2130
    assert sizes["out"] == 2120
    assert sizes["tendrils"] == 2050
    assert sizes["tubes"] == 100
    assert sizes["disconnected"] == 830


@pytest.mark.parametrize("pages", range(1, 12))
def test_tiny_worlds_can_be_made(pages: int) -> None:
    world = World(hosts=min(2, pages), pages=pages)
    graph = world.graph()
    assert len(set(graph.urls)) == pages
    assert world.seeds()[0] in graph.urls


@pytest.mark.slow
def test_every_page_is_reachable_from_all_roots() -> None:
    world = World(hosts=20, pages=500)
    assert set(world.reachable(world.seeds(everywhere=True))) == set(world.graph().urls)


@pytest.mark.slow
def test_the_seeds_reach_every_region_that_a_bow_tie_allows() -> None:
    world = World(hosts=20, pages=500)
    found = world.reachable()
    graph = world.graph()
    by_region = Counter(region for url, region in zip(graph.urls, graph.regions, strict=True) if url in found)
    sizes = world.regions()
    for region in ("core", "in", "out", "tubes"):
        assert by_region[region] == sizes[region]
    assert by_region["disconnected"] == 0
    assert 3 <= max(found.values()) <= 20


@pytest.fixture(scope="module")
def large() -> tuple[World, TrueGraph]:
    world = World(seed=11, hosts=8, pages=4000)
    return world, world.graph()


def hill(values: list[int], tail: int) -> float:
    """Estimate the exponent of a power law from the largest values (Hill 1975)."""
    top = sorted(values, reverse=True)[: tail + 1]
    return 1 + tail / sum(math.log(value / top[tail]) for value in top[:tail])


@pytest.mark.slow
def test_in_degrees_have_a_power_law_tail(large: tuple[World, TrueGraph]) -> None:
    _, graph = large
    degrees = list(Counter(graph.targets).values())
    assert 1.9 < hill(degrees, 150) < 2.6
    assert max(degrees) > 20 * sum(degrees) / len(degrees)


@pytest.mark.slow
def test_out_degrees_have_a_power_law_tail(large: tuple[World, TrueGraph]) -> None:
    _, graph = large
    degrees = list(Counter(graph.sources).values())
    assert 2.4 < hill(degrees, 250) < 3.1


@pytest.mark.slow
def test_in_exponent_changes_the_tail() -> None:
    tails = []
    for exponent in (2.1, 3.5):
        graph = World(hosts=10, pages=900, shape=Shape(in_exponent=exponent)).graph()
        tails.append(hill(list(Counter(graph.targets).values()), 60))
    assert tails[0] + 0.3 < tails[1]


def host_of(url: str) -> str:
    return urlsplit(url).netloc


@pytest.mark.slow
def test_links_stay_on_host_and_site_at_the_requested_rates(large: tuple[World, TrueGraph]) -> None:
    world, graph = large
    sites = {url: world.site(url) for url in graph.urls}
    kinds: Counter[str] = Counter()
    for source, target in graph.edges:
        inside = host_of(source) == host_of(target)
        kinds["host" if inside else "site" if sites[source] == sites[target] else "across"] += 1
    total = sum(kinds.values())
    assert kinds["host"] / total == pytest.approx(0.70, abs=0.08)
    assert kinds["site"] / total == pytest.approx(0.10, abs=0.04)
    assert kinds["across"] / total == pytest.approx(0.20, abs=0.08)


@pytest.mark.slow
@pytest.mark.parametrize("locality", [0.4, 0.6, 0.8])
def test_links_keep_to_the_topic_at_the_requested_rate(locality: float) -> None:
    world = World(hosts=8, pages=1600, topics=("music", "law", "sailing"), topic_locality=locality)
    graph = world.graph()
    layout, planner = world._layout, world._truth._planner
    topics = [planner.topic_name(layout.topic(layout.find_spot(number))) for number in range(1600)]
    pairs = [(topics[a], topics[b]) for a, b in zip(graph.sources, graph.targets, strict=True) if topics[a]]
    rate = sum(a == b for a, b in pairs) / len(pairs)
    assert rate == pytest.approx(locality, abs=0.06)


@pytest.mark.slow
def test_communities_have_the_requested_links() -> None:
    groups = (
        Group(kind="clique", count=3, left=6),
        Group(kind="dense", count=2, left=10, density=0.5),
        Group(kind="bipartite", count=2, left=5, right=4),
        Group(kind="hubs", count=1, left=4, right=8, density=0.75),
    )
    world = World(hosts=10, pages=600, shape=Shape(groups=groups))
    edges = set(world.graph().edges)
    found = list(world.communities())
    assert Counter(community.kind for community in found) == {
        "clique": 3,
        "dense": 2,
        "bipartite": 2,
        "hubs": 1,
    }
    for community in found:
        pairs = [(a, b) for a in community.left for b in (community.right or community.left) if a != b]
        share = sum(pair in edges for pair in pairs) / len(pairs)
        wished = {"clique": 1.0, "bipartite": 1.0, "dense": 0.5, "hubs": 0.75}[community.kind]
        assert share == pytest.approx(wished, abs=0 if wished == 1 else 0.25)
        members = [*community.left, *community.right]
        assert len({host_of(url) for url in members}) > 1
        pages = [world.page(url) for url in members]
        assert {page.topic for page in pages if page} == {community.topic}


@pytest.mark.slow
def test_a_page_links_to_another_once_and_never_to_itself(large: tuple[World, TrueGraph]) -> None:
    _, graph = large
    pairs = list(zip(graph.sources, graph.targets, strict=True))
    assert len(set(pairs)) == len(pairs)
    assert all(a != b for a, b in pairs)


@pytest.mark.slow
def test_hosts_differ_in_size_only_with_host_skew() -> None:
    even = Counter(host_of(url) for url in World(hosts=8, pages=800, shape=Shape(host_skew=0)).graph().urls)
    uneven = Counter(host_of(url) for url in World(hosts=8, pages=800, shape=Shape(host_skew=1)).graph().urls)
    assert len(even) == len(uneven) == 8
    assert max(even.values()) - min(even.values()) <= 8
    assert max(uneven.values()) > 2 * min(uneven.values())


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: BowTie(core=0.5), "add up"),
        (lambda: BowTie(core=0, in_=0.5, out=0.5, tendrils=0, tubes=0, disconnected=0), "core"),
        (lambda: BowTie(core=0.9, in_=0, out=0, tendrils=0, tubes=0.1, disconnected=0), "tubes"),
        (lambda: Shape(inside_host=0.9, inside_site=0.2), "inside_host"),
        (lambda: Shape(in_exponent=1.0), "above 1.05"),
        (lambda: Shape(least_links=0), "least_links"),
        (lambda: Group(kind="bipartite", left=2), "right"),
        (lambda: Group(kind="clique", left=2, right=2), "right"),
        (lambda: World(pages=100, shape=Shape(groups=(Group(kind="clique", left=90),))), "communities"),
    ],
)
def test_impossible_shapes_are_errors_of_one_sentence(make: object, word: str) -> None:
    assert callable(make)
    with pytest.raises(BadInput, match=word) as refusal:
        make()
    assert str(refusal.value).endswith(".")
