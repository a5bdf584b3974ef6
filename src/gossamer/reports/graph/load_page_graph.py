"""Load the links among all known pages of a web, with and without those that templates repeat."""

import numpy as np

from gossamer.graph.graph import build_graph
from gossamer.graph.link_selection import LinkSelection
from gossamer.reports.graph.page_paths import PageGraph
from gossamer.store.batch import Store
from gossamer.store.links.load_graph import read_edges
from gossamer.store.links.node_details import find_stored_names


def load_page_graph(store: Store) -> PageGraph:
    """Read the links of a web twice; raise `BadInput` if it has no pages. Cost: two passes over all links."""
    last_visit = store.last_visit()
    every = read_edges(store, LinkSelection(rim=True), with_facts=False)
    content = read_edges(store, LinkSelection(rim=True, content=True), with_facts=False)
    names, content_names = find_stored_names(every.names), find_stored_names(content.names)
    if names is None or content_names is None:
        raise TypeError("the pages of a web have stored names")
    ids = names.ids
    order = np.argsort(ids, kind="stable")
    # A page that only template links lead to is no node of the content links.
    places = np.minimum(np.searchsorted(ids, content_names.ids, sorter=order), len(ids) - 1)
    node_of = order[places].astype(np.int32)
    # A crawl may have added pages between the two reads.
    known = ids[node_of] == content_names.ids
    both = known[content.sources] & known[content.targets]
    return PageGraph(
        build_graph(every.sources, every.targets, len(ids)).graph,
        build_graph(node_of[content.sources[both]], node_of[content.targets[both]], len(ids)).graph,
        ids,
        order,
        last_visit,
    )
