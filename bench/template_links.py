"""Check on crawled synthetic webs with planted templates which links are recognised as template links.

Each world has a navigation, menus of directories, footers and licence links, known to the lab, and on every host a page that many
others link to in running text, which is content. Three worlds are crawled: hosts of 100, of 240 and of 40 pages. The worst of the
three counts. Hosts of 20 pages, whose directories are often too small to be judged, are counted apart. Communities by all links and by content links are compared with the topics of the pages by normalised mutual
information, and the words that name communities with the words of their most frequent topic. Loading content links is timed
against loading all links, alternately, CPU time, the best of several rounds.

    python bench/template_links.py [--pages N] [--json]
"""

import argparse
import sys
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import gossamer
from command_line import run_benchmark
from gossamer.graph.graph import Graph
from gossamer.graph.groups.communities import communities
from gossamer.graph.link_selection import LinkSelection, select_graph
from gossamer.lab import World, serving
from gossamer.lab.options import BowTie, Shape, Templates
from gossamer.lab.writing.page_content import PageWriter
from gossamer.net.url import page_id
from gossamer.reports.graph.community_table import find_community_words
from gossamer.store.links.load_graph import read_edges
from gossamer.store.links.template_marks import read_template_marks
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web
from graph_loading import fill_web
from timing import time_call
from web_graphs import make_web_graph

PAGES = 1_200
HOSTS = (12, 5, 30)
SMALL_HOSTS = 60
LOADED_PAGES, LOADED_LINKS = 200_000, 1_800_000
ROUNDS = 5
TOPICS = ("astronomy", "cooking", "law", "music", "sailing")
TEMPLATES = Templates(navigation=6, section=4, footer=4, licences=2)
BOWTIE = BowTie(core=0.8, in_=0.1, out=0.1, tendrils=0.0, tubes=0.0, disconnected=0.0)
SHAPE = Shape(bowtie=BOWTIE, inside_host=0.5, near=0.0, mixed_hosts=True, hub=0.4, templates=TEMPLATES)
"""Hosts have pages of all topics, as an encyclopedia does: their templates say nothing about topics."""
LEAST_PAGES = 20
"""Communities with fewer pages are not judged by their names."""


def make_world(hosts: int, pages: int) -> World:
    return World(
        seed=5, hosts=hosts, pages=pages, shape=SHAPE, topics=TOPICS, languages=("en",), topic_locality=0.9
    )


def crawl(world: World, folder: Path) -> World:
    """Crawl a world; return it as it was served."""
    with serving(world) as lab, gossamer.open(folder) as web:
        task = gossamer.Task(
            name="all", seeds=lab.seeds, scope="any", depth=-1, delay_s=0, allow_private=["127.0.0.0/8"]
        )
        web.run([task])
        return world.with_port(lab.port)


def count_marks(web: Web, world: World) -> dict[str, float]:
    """Compare the marks of all links with what the lab has planted."""
    marks = read_template_marks(web.store)
    templates, recognised, content, lost = 0, 0, 0, 0
    for page in web.store.pages():
        truth = world.page(page.url)
        if truth is None:
            continue
        links = web.store.links_from(page.id)
        if [link.target for link in links] != [page_id(link.url) for link in truth.links]:
            continue
        planted, found = np.array(truth.template, np.bool_), marks.of_page(page.id)
        templates += int(planted.sum())
        recognised += int((planted & found).sum())
        content += int((~planted).sum())
        lost += int((~planted & found).sum())
    return {
        "recognised": recognised / templates,
        "content_lost": lost / content,
        "links": templates + content,
    }


def compute_nmi(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the mutual information of two divisions, as a share of the mean of their entropies."""
    counts = np.zeros((int(one.max()) + 1, int(other.max()) + 1))
    np.add.at(counts, (one, other), 1)
    shares = counts / counts.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    there = shares > 0
    shared = float((shares[there] * np.log(shares[there] / np.outer(rows, columns)[there])).sum())
    entropy = -sum(float((p[p > 0] * np.log(p[p > 0])).sum()) for p in (rows, columns)) / 2
    return shared / entropy if entropy else 0.0


def judge_communities(web: Web, world: World, content: bool) -> tuple[float, float]:
    """Return how well communities agree with topics, and the share of them that are named by a word of their topic."""
    graph: Graph = web.graph(content=content)
    topics = np.array([world.about(name)[0] for name in graph.names.of(np.arange(graph.nodes))])
    found = communities(graph)
    numbers = np.unique(topics, return_inverse=True)[1]
    about = topics != ""
    agreement = compute_nmi(found.labels[about], numbers[about])
    words = find_community_words(graph, found, content)
    named, writer = [], PageWriter(world.options.seed, ("en",), TOPICS)
    for number in np.flatnonzero(found.sizes >= LEAST_PAGES).tolist():
        own = Counter(topics[(found.labels == number) & about].tolist()).most_common(1)
        known = {word.casefold() for word in writer.topic_words(own[0][0], "en")} if own else set()
        named.append(len(known & set(words[number])) / max(len(words[number]), 1))
    return agreement, sum(named) / max(len(named), 1)


def time_loading(pages: int, links: int) -> float:
    """Return how long loading content links of a web takes, as a multiple of loading all links."""
    best: dict[bool, float] = {}
    with tempfile.TemporaryDirectory(prefix="template-links-") as name:
        with closing(SqliteStore(Path(name) / "state.sqlite", create=True)) as filled:
            fill_web(filled, make_web_graph(pages, links))
        with closing(SqliteStore(Path(name) / "state.sqlite")) as store:
            for _ in range(ROUNDS):
                for content in (False, True):
                    taken_s, _ = time_call(partial(load_graph, store, LinkSelection(content=content)))
                    best[content] = min(best.get(content, taken_s), taken_s)
    return best[True] / best[False]


def load_graph(store: SqliteStore, selection: LinkSelection) -> Graph:
    return select_graph(read_edges(store, selection, with_facts=False), selection).graph


def measure_small_hosts(pages: int) -> dict[str, float]:
    """Count what is recognised and lost on small hosts."""
    with tempfile.TemporaryDirectory(prefix="template-links-") as name:
        world = crawl(make_world(SMALL_HOSTS, pages), Path(name) / "lab.web")
        with gossamer.open(Path(name) / "lab.web", create=False) as web:
            found = count_marks(web, world)
    return {f"template_links.small_hosts.{key}": found[key] for key in ("recognised", "content_lost")}


def measure(pages: int = PAGES) -> dict[str, float]:
    """Crawl the worlds; return the figures that have floors."""
    table = Table(
        "hosts", "links", "recognised", "content lost", "NMI all", "NMI content", "named all", "named content"
    )
    rows: list[dict[str, float]] = []
    for hosts in HOSTS:
        with tempfile.TemporaryDirectory(prefix="template-links-") as name:
            world = crawl(make_world(hosts, pages), Path(name) / "lab.web")
            with gossamer.open(Path(name) / "lab.web", create=False) as web:
                found = count_marks(web, world)
                for content, kind in ((False, "all"), (True, "content")):
                    found[f"nmi_{kind}"], found[f"named_{kind}"] = judge_communities(web, world, content)
                rows.append(found)
        cells = ("recognised", "content_lost", "nmi_all", "nmi_content", "named_all", "named_content")
        table.add_row(str(hosts), f"{found['links']:,}", *(f"{found[cell]:.4f}" for cell in cells))
    Console(stderr=True).print(table)
    return measure_small_hosts(pages) | {
        "template_links.recognised": min(row["recognised"] for row in rows),
        "template_links.content_lost": max(row["content_lost"] for row in rows),
        "template_links.nmi_gain": min(row["nmi_content"] - row["nmi_all"] for row in rows),
        "template_links.named_by_topic": min(row["named_content"] for row in rows),
        "template_links.load_vs_all": time_loading(LOADED_PAGES, LOADED_LINKS),
    }


def main() -> int:
    """Measure with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return run_benchmark("template_links", lambda: measure(asked.pages), asked.json)


if __name__ == "__main__":
    sys.exit(main())
