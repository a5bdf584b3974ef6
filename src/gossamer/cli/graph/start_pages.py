"""Start pages of rankings: by name or pattern, from a query, or about a topic."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gossamer.errors import BadInput
from gossamer.reports.graph.graph_input import DEFAULT_WEB, GraphInput
from gossamer.reports.graph.rank_tables import select_nodes

if TYPE_CHECKING:  # imported by the verbs when they run, so that --help is fast
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.link_selection import LinkSelection
    from gossamer.web import Web

# The size of Kleinberg's root set (1999, section 2).
_BEST_FOUND = 200
_EVEN = 0.5


class StartPages(msgspec.Struct, frozen=True):
    """Options that select start pages."""

    pages: Sequence[str] = ()
    pattern: str = ""
    query: str = ""
    topic: str = ""


def find_start_weights(graph_input: GraphInput, start: StartPages) -> "NDArray[np.float64] | None":
    """Return the start weight of each node; None if no start pages are given.

    Pages by name, by pattern and from a query have equal weights; pages about a topic are weighted by their
    probability, from even odds on. The weights of pages are summed for hosts and sites.
    """
    import numpy as np

    named = select_nodes(graph_input.loaded.graph, start.pages, start.pattern)
    weights = np.zeros(graph_input.loaded.graph.nodes) if named is None else named.astype(np.float64)
    if start.query:
        weights += _weigh_nodes(
            graph_input,
            lambda web: _find_by_query(web, start.query),
            f"{start.query!r} finds no page of this graph",
        )
    if start.topic:
        weights += _weigh_nodes(
            graph_input,
            lambda web: _find_by_topic(web, start.topic),
            f"no page of this graph is about {start.topic!r}",
        )
    asked = named is not None or start.query or start.topic
    return weights if asked else None


def _weigh_nodes(
    graph_input: GraphInput, find: "Callable[[Web], Iterator[tuple[str, float]]]", message: str
) -> "NDArray[np.float64]":
    """Find weighted pages in a web and return the weights of the graph's nodes, by URL."""
    import numpy as np

    from gossamer.web import open_to_read

    if graph_input.source.get("edges") is not None:
        raise BadInput("searches and topics need a web, not files of links: give one with --web")
    counted: dict[str, float] = defaultdict(float)
    with open_to_read(graph_input.source.get("web") or DEFAULT_WEB) as web:
        for url, weight in find(web):
            counted[_name_node(url, graph_input.selection)] += weight
    graph = graph_input.loaded.graph
    names = graph.names.of(range(graph.nodes))
    weights = np.fromiter((counted.get(name, 0.0) for name in names), np.float64, graph.nodes)
    if not weights.any():
        raise BadInput(f"{message}: start from other pages, or select more of the web")
    return weights


def _name_node(url: str, selection: "LinkSelection") -> str:
    from gossamer.net.url import host
    from gossamer.net.url.public_suffix import site

    if selection.unit == "pages":
        return url
    return host(url) if selection.unit == "hosts" else site(host(url), selection.site_rule)


def _find_by_query(web: "Web", query: str) -> Iterator[tuple[str, float]]:
    pages = web.pages_found(query, _BEST_FOUND)
    return ((url, 1.0) for url in web.store.urls(pages).values())


def _find_by_topic(web: "Web", topic: str) -> Iterator[tuple[str, float]]:
    """Yield the pages about a topic with their relevance, from the crawl for it or judged now."""
    from gossamer.assess.sample.page_facts import read_crawled_pages
    from gossamer.assess.sample.page_relevance import make_cached_relevance

    for facts in read_crawled_pages(web.store, make_cached_relevance(web.store, web.folder, topic)):
        if facts.relevance is not None and facts.relevance >= _EVEN:
            yield facts.page.url, facts.relevance
