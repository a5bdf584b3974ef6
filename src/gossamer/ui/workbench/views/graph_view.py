"""One picture of a web: its nodes with their columns and places, and the links that are drawn."""

import hashlib
from collections.abc import Callable
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.layout.force_layout import Places, grow_layout, lay_out
from gossamer.graph.ranking.hits import hits
from gossamer.graph.ranking.pagerank import pagerank
from gossamer.graph.structure.bowtie import Region, bowtie
from gossamer.ui.workbench.views.node_columns import NodeColumn
from gossamer.ui.workbench.views.web_graph import Links, Report, WebGraph

Level = Literal["pages", "hosts", "sites", "communities"]
LEVELS: tuple[Level, ...] = get_args(Level)
MOST_NODES, MOST_LINKS = 100_000, 300_000
"""More nodes do not open at once on a laptop; of more links, the most telling are drawn."""
_KEPT_SHARE = 0.5
"""If fewer nodes have a place, all are laid out anew."""
_HITS_ROUNDS = 60
_SEED = 1
FindPlaces = Callable[[NDArray[np.int64]], tuple[Places, NDArray[np.bool_]]]
"""Returns the kept places of nodes by their keys, and for which of them there is one."""


class ViewKey(msgspec.Struct, frozen=True):
    """What a picture shows."""

    level: Level = "pages"
    links: Links = "content"
    within: str = ""
    """Only the pages of one host, site or community, such as `host:www.example.org` or `community:12`."""

    def __str__(self) -> str:
        return f"{self.level}/{self.links}/{self.within}"


class GraphView(msgspec.Struct, frozen=True, eq=False):
    """A picture. While a crawl runs it grows: nodes and links are added after those that it has."""

    key: ViewKey
    stamp: str
    """Differs from one layout to the next, so that browsers notice it."""
    web_graph: WebGraph
    graph: Graph
    keys: NDArray[np.int64]
    """What identifies each node from one layout to the next: the page's id, or a hash of the host's name."""
    node_of: NDArray[np.int64]
    """The node of each page of the web; -1 for pages that are not shown."""
    names: list[str]
    """What hosts, sites and communities are called; [] for pages."""
    columns: dict[str, NodeColumn]
    places: Places
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    """The links that are drawn."""

    @property
    def nodes(self) -> int:
        return self.graph.nodes

    def list_pages(self, nodes: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the ids of the pages that some nodes stand for."""
        shown = self.node_of >= 0
        chosen = np.zeros(len(self.node_of), np.bool_)
        chosen[shown] = nodes[self.node_of[shown]]
        return self.web_graph.ids[chosen]


def choose_level(pages: int, hosts: int) -> Level:
    """Return the finest level whose nodes can be drawn at once."""
    if pages <= MOST_NODES:
        return "pages"
    return "hosts" if 1 < hosts <= MOST_NODES else "communities"


def make_view(
    web_graph: WebGraph, key: ViewKey, stamp: str, find_places: FindPlaces, report: Report
) -> GraphView:
    """Make a picture of a web: choose its nodes, measure them, and place them, if possible where they were before."""
    node_of, names, count = _choose_nodes(web_graph, key)
    if count > MOST_NODES:
        raise BadInput(
            f"these are {count:,} {key.level}, and a picture shows at most {MOST_NODES:,}: choose hosts or communities, "
            "and open the pages of one"
        )
    graph = _link_nodes(web_graph.graph, node_of, count)
    report("weighing nodes", 0.0)
    columns = _collect_columns(web_graph, graph, key, node_of)
    keys = _identify(web_graph, key, node_of, names)
    report("laying out", 0.0)
    places = place_nodes(graph, *find_places(keys), lambda share: report("laying out", share))
    sources, targets = choose_links(graph)
    return GraphView(key, stamp, web_graph, graph, keys, node_of, names, columns, places, sources, targets)


def grow_view(view: GraphView, web_graph: WebGraph, find_places: FindPlaces) -> GraphView | None:
    """Return a picture with what a crawl has added; None if it would have to be laid out anew."""
    ignore: Report = lambda _, __: None  # noqa: E731 - no progress is shown
    try:
        grown = make_view(web_graph, view.key, view.stamp, find_places, ignore)
    except BadInput:
        return None
    if view.key.level == "communities" or not np.array_equal(grown.keys[: view.nodes], view.keys):
        return None
    before = view.sources.astype(np.int64) * grown.nodes + view.targets
    after = grown.sources.astype(np.int64) * grown.nodes + grown.targets
    new = ~np.isin(after, before)
    return msgspec.structs.replace(
        grown,
        sources=np.concatenate([view.sources, grown.sources[new]]),
        targets=np.concatenate([view.targets, grown.targets[new]]),
    )


def place_nodes(
    graph: Graph, places: Places, known: NDArray[np.bool_], progress: Callable[[float], None]
) -> Places:
    """Place nodes: those that were placed before stay where they are, if they are at least half of all."""
    if np.count_nonzero(known) < max(_KEPT_SHARE * graph.nodes, 1):
        return lay_out(graph, _SEED, progress)
    return places if known.all() else grow_layout(graph, places, known, _SEED, progress)


def choose_links(graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the links to draw: all, or of each node those to the least linked nodes, which say most about it."""
    sources, targets = graph.link_sources(), graph.targets
    if graph.links <= MOST_LINKS:
        return sources, targets
    order = np.lexsort((graph.in_degrees()[targets], sources))
    rank = np.arange(graph.links) - graph.starts[sources[order]]
    most = int(np.searchsorted(np.cumsum(np.bincount(rank)), MOST_LINKS, side="right"))
    kept = np.sort(order[rank < max(most, 1)])[:MOST_LINKS]
    return sources[kept], targets[kept]


def _choose_nodes(web_graph: WebGraph, key: ViewKey) -> tuple[NDArray[np.int64], list[str], int]:
    """Return the node of each page, the names of nodes that are no pages, and how many nodes there are."""
    if key.level == "pages":
        inside = _find_inside(web_graph, key.within)
        node_of = np.where(inside, np.cumsum(inside) - 1, -1)
        return node_of, [], int(np.count_nonzero(inside))
    if key.within:
        raise BadInput("only pages can be limited to one host, site or community")
    if key.level == "hosts":
        return web_graph.host_of, web_graph.hosts, len(web_graph.hosts)
    if key.level == "sites":
        of, names = web_graph.find_sites()
        return of, names, len(names)
    return web_graph.communities, web_graph.community_names, len(web_graph.community_names)


def _find_inside(web_graph: WebGraph, within: str) -> NDArray[np.bool_]:
    kind, _, name = within.partition(":")
    if not within:
        return np.ones(len(web_graph.ids), np.bool_)
    if kind == "host" and name in web_graph.hosts:
        return np.asarray(web_graph.host_of == web_graph.hosts.index(name))
    if kind == "site":
        of, names = web_graph.find_sites()
        if name in names:
            return np.asarray(of == names.index(name))
    if kind == "community" and name.isdecimal() and 0 < int(name) <= len(web_graph.community_names):
        return np.asarray(web_graph.communities == int(name) - 1)
    raise BadInput(f"there is no {kind or 'host'} {name!r} in this picture; open the whole web at /workbench")


def _link_nodes(graph: Graph, node_of: NDArray[np.int64], count: int) -> Graph:
    if count == graph.nodes and np.array_equal(node_of, np.arange(count)):
        return graph
    sources, targets = node_of[graph.link_sources()], node_of[graph.targets]
    inside = (sources >= 0) & (targets >= 0) & (sources != targets)
    return from_edges(sources[inside], targets[inside], count)


def _collect_columns(
    web_graph: WebGraph, graph: Graph, key: ViewKey, node_of: NDArray[np.int64]
) -> dict[str, NodeColumn]:
    pages = np.flatnonzero(node_of >= 0)
    of = node_of[pages]
    columns = {name: column.part(pages) for name, column in web_graph.columns.items()}
    if key.level != "pages":
        columns = {name: column.group(of, graph.nodes) for name, column in columns.items()}
        sizes = np.bincount(of, minlength=graph.nodes).astype(np.float64)
        columns["pages"] = NodeColumn("pages", sizes, is_logarithmic=True)
        if key.level == "communities":
            columns.pop("host", None)
    return columns | measure_nodes(graph)


def measure_nodes(graph: Graph) -> dict[str, NodeColumn]:
    """Return what the links of a graph say about its nodes."""
    if not graph.nodes:
        return {}
    regions = bowtie(graph).regions.astype(np.float64)
    hubs = hits(graph, epsilon=1e-6, most_rounds=_HITS_ROUNDS).hubs
    weights = {
        "pagerank": ("PageRank", pagerank(graph, epsilon=1e-6).scores),
        "hub": ("hub", hubs),
        "links in": ("links in", graph.in_degrees().astype(np.float64)),
        "links out": ("links out", graph.out_degrees().astype(np.float64)),
    }
    measured = {"region": NodeColumn("region", regions, [region.name for region in Region])}
    return measured | {
        name: NodeColumn(label, np.asarray(values), is_logarithmic=True)
        for name, (label, values) in weights.items()
    }


def _identify(
    web_graph: WebGraph, key: ViewKey, node_of: NDArray[np.int64], names: list[str]
) -> NDArray[np.int64]:
    if key.level == "pages":
        return web_graph.ids[node_of >= 0]
    return np.array([_hash(f"{key.level} {name}") for name in names], np.int64)


def _hash(text: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True
    )
