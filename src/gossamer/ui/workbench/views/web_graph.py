"""The pages of a web with their links and facts, from which all pictures of it are made."""

from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import MissingExtra
from gossamer.graph.graph import Graph
from gossamer.graph.groups.communities import communities
from gossamer.graph.groups.community_words import find_typical_words
from gossamer.graph.link_selection import LinkSelection, select_graph
from gossamer.graph.node_names import number_nodes
from gossamer.graph.number_ids import Numbering
from gossamer.net.url.public_suffix import site
from gossamer.store.links.load_graph import read_edges
from gossamer.store.links.node_details import find_stored_names
from gossamer.store.links.page_columns import PageColumns, read_page_columns
from gossamer.ui.workbench.views.node_columns import (
    MARK,
    NodeColumn,
    make_category,
    make_mark,
    make_numbered_category,
)
from gossamer.web import Web

Links = Literal["content", "all"]
Report = Callable[[str, float], None]
"""Takes what is being done and how much of it, from 0 to 1."""
_MOST_NAMED, _WORDS = 200, 3


class WebGraph(msgspec.Struct, frozen=True, eq=False):
    """The fetched pages of a web in order of arrival."""

    graph: Graph
    ids: NDArray[np.int64]
    host_of: NDArray[np.int64]
    """The number of each page's host; hosts are numbered by their first page."""
    hosts: list[str]
    columns: dict[str, NodeColumn]
    communities: NDArray[np.int64]
    """The community of each page, the largest first; -1 for pages that came after they were found."""
    community_names: list[str]
    visit: int
    """The newest visit when it was read: a later one may have found more."""

    def find_sites(self) -> tuple[NDArray[np.int64], list[str]]:
        """Return the number of each page's site, and the names of sites."""
        numbers: dict[str, int] = {}
        of_host = np.array([numbers.setdefault(site(host), len(numbers)) for host in self.hosts], np.int64)
        return of_host[self.host_of], list(numbers)


def load_web_graph(web: Web, links: Links, report: Report, before: WebGraph | None = None) -> WebGraph:
    """Read the pages and links of a web; an empty web is a graph without nodes.

    If the pages of an earlier reading come first, as they do while a crawl runs, they keep their communities.
    """
    visit = web.store.last_visit()
    report("reading links", 0.0)
    if not web.store.counts()["pages"]:
        return _make_empty(visit)
    edges = read_edges(web.store, LinkSelection(content=links == "content"), with_facts=False)
    source = find_stored_names(edges.names)
    loaded = select_graph(edges, LinkSelection()).graph
    ids = source.ids if source is not None else np.empty(0, np.int64)
    report("reading pages", 0.5)
    pages = _select_pages(read_page_columns(web.store), ids)
    numbers: dict[str, int] = {}
    host_of = np.array([numbers.setdefault(host, len(numbers)) for host in pages.hosts], np.int64)
    graph = Graph(loaded.starts, loaded.targets, loaded.in_starts, loaded.sources, number_nodes(loaded.nodes))
    report("finding communities", 0.7)
    if before is not None and len(before.ids) and np.array_equal(ids[: len(before.ids)], before.ids):
        labels, names = extend_communities(graph, before.communities), before.community_names
    else:
        labels = _find_communities(graph)
        names = _name_communities(labels, loaded.names.titles(range(loaded.nodes)))
    columns = _make_columns(pages)
    columns["community"] = make_numbered_category("community", labels, names)
    return WebGraph(graph, ids, host_of, list(numbers), columns, labels, names, visit)


def extend_communities(graph: Graph, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give new pages, which come after the known ones, the community that most of their neighbours belong to."""
    known = len(labels)
    extended = np.concatenate([labels, np.full(graph.nodes - known, -1)])
    for node in range(known, graph.nodes):
        around = np.concatenate(
            [
                graph.targets[graph.starts[node] : graph.starts[node + 1]],
                graph.sources[graph.in_starts[node] : graph.in_starts[node + 1]],
            ]
        )
        found = extended[around]
        found = found[found >= 0]
        if len(found):
            extended[node] = np.bincount(found).argmax()
    return extended


def _make_empty(visit: int) -> WebGraph:
    starts, nodes, numbers = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64)
    graph = Graph(starts, nodes, starts, nodes, number_nodes(0))
    return WebGraph(graph, numbers, numbers, [], {}, numbers, [], visit)


def _find_communities(graph: Graph) -> NDArray[np.int64]:
    """Divide a graph; without the library for the better method, by the other one."""
    try:
        found = communities(graph)
    except MissingExtra:
        found = communities(graph, "labels")
    return found.labels.astype(np.int64)


def _name_communities(labels: NDArray[np.int64], titles: list[str]) -> list[str]:
    """Name each community by its number and the typical words of its titles; small ones by their number alone."""
    count = int(labels.max(initial=-1)) + 1
    large = min(count, _MOST_NAMED)
    inside = np.flatnonzero(labels < large)
    words = find_typical_words(
        labels.astype(np.int32),
        inside.tolist(),
        [titles[node] for node in inside.tolist()],
        _WORDS,
        len(labels),
    )
    named = [
        f"{number + 1}: {' '.join(words[number])}".rstrip(": ") for number in range(min(large, len(words)))
    ]
    return named + [str(number + 1) for number in range(len(named), count)]


def _select_pages(pages: PageColumns, ids: NDArray[np.int64]) -> PageColumns:
    """Return the columns of these pages, in this order: others may have arrived meanwhile."""
    if np.array_equal(pages.ids[: len(ids)], ids):
        rows = np.arange(len(ids))
    else:
        known = Numbering(len(pages.ids))
        known.add(pages.ids)
        rows = np.maximum(known.find(ids), 0)
    at = rows.tolist()
    return PageColumns(
        pages.ids[rows],
        pages.depths[rows],
        pages.statuses[rows],
        pages.words[rows],
        pages.fetched_s[rows],
        [pages.languages[row] for row in at],
        [pages.hosts[row] for row in at],
        {name: [values[row] for row in at] for name, values in pages.marks.items()},
    )


def _make_columns(pages: PageColumns) -> dict[str, NodeColumn]:
    statuses = [str(status) for status in pages.statuses.tolist()]
    columns = {
        "depth": NodeColumn("depth", pages.depths.astype(np.float64), merge="least"),
        "language": make_category("language", pages.languages),
        "status": make_category("status", statuses),
        "host": make_category("host", pages.hosts),
        "words": NodeColumn("words", pages.words.astype(np.float64), is_logarithmic=True, merge="sum"),
    }
    marks = {f"{MARK}{name}": make_mark(name, values) for name, values in sorted(pages.marks.items())}
    return columns | marks
