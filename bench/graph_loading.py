"""Compare reading a graph from a file with networkit, igraph, networkx and scipy; and reading a web with reading CSV.

All read the same synthetic web graph of 1 million pages and 9 million links (web_graphs.py), as lines `from,to`, or with
a blank where a library requires it, and build links in both directions. CPU time of one thread counts, the best of
several alternating rounds; networkx, which takes a minute and gigabytes, has one round. A web with the same links is
filled by the store's own commits and read as a graph, and so are node and edge files with the same ids and names, at this
size, a third and a ninth of it; the worst of the three counts.

    python bench/graph_loading.py [--pages N] [--links N] [--without PEER …] [--json]
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.graph.files.read_graph import read
from gossamer.graph.graph import Graph
from gossamer.graph.link_selection import LinkSelection, select_graph
from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.store.batch import SPANS_HOSTS, SPANS_SITES, Batch, LinkColumns
from gossamer.store.links.load_graph import read_edges
from gossamer.store.sqlite.sqlite_store import SqliteStore
from timing import time_call
from web_graphs import make_web_graph

PAGES, LINKS = 1_000_000, 9_000_000
ROUNDS = 5
SMALLER = (1, 3, 9)
PAGES_AT_ONCE = 2_000
HOSTS = 500

Peer = Callable[[Path, Path], Any]


def read_with_gossamer(commas: Path, _: Path) -> Graph:
    return select_graph(read(commas), LinkSelection()).graph


def read_with_scipy(commas: Path, _: Path) -> Any:
    from scipy import sparse

    links = np.loadtxt(commas, np.int32, delimiter=",")
    nodes = int(links.max()) + 1
    matrix = sparse.coo_matrix((np.ones(len(links), np.int8), (links[:, 0], links[:, 1])), (nodes, nodes))
    return matrix.tocsr(), matrix.tocsc()


def read_with_networkit(commas: Path, _: Path) -> Any:
    import networkit as nk

    nk.setNumberOfThreads(1)
    return nk.graphio.EdgeListReader(",", 0, "#", directed=True).read(str(commas))


def read_with_igraph(_: Path, blanks: Path) -> Any:
    from igraph import Graph as Igraph

    return Igraph.Read_Edgelist(str(blanks), directed=True)


def read_with_networkx(commas: Path, _: Path) -> Any:
    import networkx as nx

    return nx.read_edgelist(commas, delimiter=",", create_using=nx.DiGraph, nodetype=int, data=False)


PEERS: dict[str, Peer] = {
    "gossamer": read_with_gossamer,
    "numpy and scipy": read_with_scipy,
    "networkit": read_with_networkit,
    "igraph": read_with_igraph,
    "networkx": read_with_networkx,
}


def count_links(found: Any) -> int:
    """Count the links of a graph in any library's form."""
    if isinstance(found, Graph):
        return found.links
    if isinstance(found, tuple):
        return int(found[0].nnz)
    for count in ("numberOfEdges", "ecount", "number_of_edges"):
        if hasattr(found, count):
            return int(getattr(found, count)())
    raise TypeError(type(found))


def write_links(graph: Graph, path: Path, between: str) -> None:
    """Write the links of a graph as lines."""
    np.savetxt(path, np.column_stack([graph.link_sources(), graph.targets]), "%d", delimiter=between)


def compare_files(graph: Graph, folder: Path, without: tuple[str, ...]) -> dict[str, float]:
    """Let all peers read the same links alternately; return the best CPU seconds of each."""
    commas, blanks = folder / "links.csv", folder / "links.txt"
    write_links(graph, commas, ",")
    write_links(graph, blanks, " ")
    best: dict[str, float] = {}
    for turn in range(ROUNDS):
        for name, peer in PEERS.items():
            if name in without or (turn and name == "networkx"):
                continue
            taken_s, found = time_call(lambda peer=peer: peer(commas, blanks))  # type: ignore[misc]
            if count_links(found) != graph.links:
                raise BadInput(f"{name} has read {count_links(found):,} links instead of {graph.links:,}")
            best[name] = min(best.get(name, taken_s), taken_s)
            del found
    return best


def fill_web(store: SqliteStore, graph: Graph) -> None:
    """Write a graph into the store of a web."""
    urls = [f"http://www.site{v % HOSTS}.example/pages/{v}.html" for v in range(graph.nodes)]
    hosts = [f"www.site{v % HOSTS}.example" for v in range(graph.nodes)]
    ids = [page_id(url) for url in urls]
    targets, starts = graph.targets.tolist(), graph.starts.tolist()
    for first in range(0, graph.nodes, PAGES_AT_ONCE):
        batch = Batch()
        for v in range(first, min(first + PAGES_AT_ONCE, graph.nodes)):
            batch.pages.append(Page(ids[v], urls[v], hosts[v], 1, v % 7, 1.0, 200, "html", f"Page {v}"))
            batch.known.append((ids[v], urls[v]))
            linked = targets[starts[v] : starts[v + 1]]
            kinds = bytes(SPANS_HOSTS + SPANS_SITES if hosts[v] != hosts[w] else 0 for w in linked)
            texts = ["words of a link"] * len(linked)
            batch.links.append(LinkColumns(ids[v], [ids[w] for w in linked], kinds, texts))
        store.commit(batch)


def compare_web(graph: Graph, folder: Path, rounds: int) -> dict[str, float]:
    """Read a web, and node and edge files with the same content, alternately; return the best CPU seconds of each."""
    with closing(SqliteStore(folder / "state.sqlite", create=True)) as filled:
        fill_web(filled, graph)
    store = SqliteStore(folder / "state.sqlite")  # opened anew, as by `gossamer graph`
    edges = read_edges(store, LinkSelection())
    names = edges.names.of(np.arange(graph.nodes))
    ids = np.array([page_id(name) for name in names])
    np.savetxt(folder / "edges.csv", np.column_stack([ids[edges.sources], ids[edges.targets]]), "%d", ",")
    lines = (f'{one},"{name}"\n' for one, name in zip(ids.tolist(), names, strict=True))
    (folder / "nodes.csv").write_text("".join(lines), "utf-8")
    ways: dict[str, Callable[[], Any]] = {
        "web": lambda: select_graph(read_edges(store, LinkSelection(), with_facts=False), LinkSelection()),
        "csv": lambda: select_graph(read(folder / "edges.csv", folder / "nodes.csv"), LinkSelection()),
    }
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            taken_s, loaded = time_call(way)
            if loaded.graph.links != graph.links:
                raise BadInput(f"the {name} has {loaded.graph.links:,} links instead of {graph.links:,}")
            best[name] = min(best.get(name, taken_s), taken_s)
    store.close()
    return best


def measure(pages: int = PAGES, links: int = LINKS, without: tuple[str, ...] = ()) -> dict[str, float]:
    """Compare files and webs; return the figures that have floors."""
    with tempfile.TemporaryDirectory(prefix="graph-loading-") as name:
        files = compare_files(make_web_graph(pages, links), Path(name), without)
    table = Table("reading", "links", "CPU s")
    for reader, taken_s in files.items():
        table.add_row(reader, f"{links:,}", f"{taken_s:.3f}")
    ratios = []
    for smaller in SMALLER:
        with tempfile.TemporaryDirectory(prefix="graph-loading-") as name:
            web = compare_web(
                make_web_graph(pages // smaller, links // smaller), Path(name), ROUNDS * smaller
            )
        for reader, taken_s in web.items():
            table.add_row(reader, f"{links // smaller:,}", f"{taken_s:.3f}")
        ratios.append(web["web"] / web["csv"])
    Console(stderr=True).print(table)
    found = {"graph_loading.file_s": files["gossamer"], "graph_loading.web_vs_csv": max(ratios)}
    if others := [taken_s for reader, taken_s in files.items() if reader != "gossamer"]:
        found["graph_loading.file_vs_best"] = files["gossamer"] / min(others)
    return found


def main() -> int:
    """Measure with the options of the command line."""
    os.environ["OMP_NUM_THREADS"] = "1"
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--without", nargs="*", default=[], help="peers to leave out")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return run_benchmark(
        "graph_loading", lambda: measure(asked.pages, asked.links, tuple(asked.without)), asked.json
    )


if __name__ == "__main__":
    sys.exit(main())
