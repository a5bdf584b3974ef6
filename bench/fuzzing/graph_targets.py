"""Fuzz targets: algorithms over graphs of any shape, and the hash tables of keys."""

import random
from pathlib import Path

import numpy as np

from fuzzing.page_targets import Target
from gossamer.frontier.seen_set import SeenSet
from gossamer.graph.graph import Graph, LoadedGraph, build_graph
from gossamer.graph.groups.bipartite_cores import cores
from gossamer.graph.groups.cliques import cliques
from gossamer.graph.groups.clusters import clusters
from gossamer.graph.groups.communities import communities
from gossamer.graph.groups.density import ClusterRules, CoreRules, Thresholds
from gossamer.graph.layout.force_layout import grow_layout, lay_out
from gossamer.graph.number_ids import Numbering
from gossamer.graph.ranking.hits import hits
from gossamer.graph.ranking.pagerank import pagerank
from gossamer.graph.structure.bowtie import bowtie
from gossamer.graph.structure.statistics import compute_stats
from gossamer.graph.templates.find_template_links import LinksOfPages, find_template_links
from gossamer.graph.templates.page_directories import PageDirectories


def _make_graph(chance: random.Random) -> LoadedGraph:
    """Return a graph: empty, sparse, dense, a star or a chain, in any order of its links."""
    nodes = chance.choice([0, 1, 2, 12, 60, 400])
    links = chance.choice([0, 1, nodes, 6 * nodes]) if nodes else 0
    match chance.randrange(4):
        case 0:
            pairs = [(node, node + 1) for node in range(nodes - 1)]
        case 1:
            pairs = [(0, node) for node in range(nodes)] + [(node, nodes - 1) for node in range(nodes)]
        case _:
            pairs = [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(links)]
    chance.shuffle(pairs)
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return build_graph(ends[:, 0], ends[:, 1], nodes)


def _walk(chance: random.Random, _: Path) -> None:
    loaded = _make_graph(chance)
    graph: Graph = loaded.graph
    bowtie(graph)
    compute_stats(loaded)
    graph.part(np.array([chance.random() < 0.5 for _ in range(graph.nodes)], np.bool_))
    pagerank(graph.reversed(), most_rounds=20)
    places = lay_out(graph, chance.randrange(99))
    grow_layout(graph, places, np.array([chance.random() < 0.5 for _ in range(graph.nodes)], np.bool_))
    if graph.nodes:
        hits(graph, most_rounds=20)
        communities(graph, chance.choice(["leiden", "labels"]), seed=chance.randrange(99))


def _group(chance: random.Random, _: Path) -> None:
    graph = _make_graph(chance).graph
    least = chance.choice([0.3, 0.6, 0.9])
    thresholds = Thresholds(t_min=least, t_max=1.0)
    similar = chance.choice([None, 0.5])
    clusters(graph, ClusterRules(chance.randint(2, 4), thresholds), similar)
    cliques(graph, chance.randint(2, 4))
    rules = CoreRules(chance.randint(1, 3), chance.randint(1, 3), thresholds)
    cores(graph, rules, similar, famous=chance.choice([None, 3]), variant=chance.choice(["standard", "seed"]))


def _number(chance: random.Random, _: Path) -> None:
    """Fill tables with keys that repeat, grow them, and look keys up."""
    pool = [
        0,
        -1,
        1,
        -(2**63),
        2**63 - 1,
        *(chance.getrandbits(64) - 2**63 for _ in range(chance.choice([3, 9_000]))),
    ]
    keys = np.array(chance.choices(pool, k=chance.choice([0, 1, 500, 20_000])), np.int64)
    seen = SeenSet(keys[: len(keys) // 2])
    seen.add(keys)
    seen.has(keys[::-1].copy())
    marks = (0, chance.choice([1, -5]))
    seen.add_many(keys[:300].tolist(), marks[1])
    seen.has_many(keys[:300].tolist(), marks)
    numbering = Numbering(chance.choice([0, 5]))
    numbering.add(keys)
    numbering.find(keys)
    numbering.ids()


def _find_template_links(chance: random.Random, _: Path) -> None:
    """Look for template links on pages with few or many links, in batches that may be empty, with any URLs."""
    pages = chance.choice([0, 1, 5, 60])
    urls = [
        chance.choice([b"", b"http://h.example/a/", b"/", b"http://h.example/?" + b"/" * 90])
        + chance.randbytes(3)
        for _ in range(pages)
    ]
    known = chance.randint(0, pages)
    directories = PageDirectories()
    starts = np.cumsum([0, *map(len, urls[:known])])
    directories.add(
        np.arange(known), np.frombuffer(b"".join(urls[:known]), np.uint8), starts.astype(np.int64)
    )
    menu = [chance.randint(-9, 9) for _ in range(chance.choice([0, 1, 6, 30]))]
    batches, first = [], 0
    while first < pages:
        last = min(pages, first + chance.choice([0, 1, 20]))
        links = [
            menu + [chance.randint(-99, 99) for _ in range(chance.choice([0, 2]))] for _ in range(first, last)
        ]
        ends = np.cumsum([0, *map(len, links)]).astype(np.int64)
        targets = np.array([target for some in links for target in some], np.int64)
        batches.append(LinksOfPages(np.arange(first, last), ends, targets))
        first = last
    find_template_links(batches, directories)


TARGETS: dict[str, Target] = {
    "graph walks": _walk,
    "graph groups": _group,
    "hash tables": _number,
    "template links": _find_template_links,
}
