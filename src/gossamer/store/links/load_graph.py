"""Load the pages and links of a web as the edges of a graph.

Pages are numbered in order of arrival; addresses that were only linked to come after them.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.edges import Edges, Hosts, LinkCounts, NodeFacts, find_hosts
from gossamer.graph.link_selection import DEEPEST, LinkSelection
from gossamer.graph.node_names import name_nodes
from gossamer.graph.number_ids import Numbering
from gossamer.net import url as urls
from gossamer.store.batch import LINK_TYPES, Store
from gossamer.store.links.link_arrays import KINDS, TYPE, LinkArrays, join_arrays, read_links
from gossamer.store.links.node_details import remove_noise
from gossamer.store.links.page_names import StoredNames
from gossamer.store.links.snapshot import Snapshot, open_snapshot
from gossamer.store.links.template_marks import read_snapshot_marks
from gossamer.store.packed_bytes import unpack_texts

Ids = NDArray[np.int64]

_SPANS_HOSTS, _SPANS_SITES = (KINDS & 2) > 0, (KINDS & 1) > 0


class _GraphPages(msgspec.Struct, frozen=True, eq=False):
    """The chosen pages; columns that are not needed are empty."""

    ids: Ids
    hosts: list[str] = []
    depths: NDArray[np.int64] = np.empty(0, np.int64)
    relevance: NDArray[np.float64] = np.empty(0)


def read_edges(store: Store, choice: LinkSelection, with_facts: bool = True) -> Edges:
    """Read the chosen pages and links from one snapshot; facts about pages take a fifth longer."""
    with open_snapshot(store) as state:
        needs_hosts = choice.links != "all" or choice.unit != "pages"
        pages = _read_pages(state, choice, needs_hosts, with_facts)
        if not len(pages.ids):
            raise BadInput(f"the graph is empty: {state.web} has no such pages")
        known = Numbering(len(pages.ids))
        known.add(pages.ids)
        templates = read_snapshot_marks(state) if choice.content else None
        links = read_links(state, known, choice.types, templates)
        ends = known.add(links.elsewhere) if choice.rim else known.find(links.elsewhere)
        ids = known.ids()
        hosts = _number_hosts(state, pages, known) if needs_hosts else None
    source = StoredNames(store, ids)
    names = name_nodes(source, len(ids))
    found = ends >= 0
    edges = Edges(
        join_arrays([links.sources, links.leaving[found]], np.int32) if found.any() else links.sources,
        join_arrays([links.targets, ends[found]], np.int32) if found.any() else links.targets,
        names,
        lambda: find_hosts(names) if hosts is None else hosts,
        _collect_facts(pages, links, len(ids)) if with_facts else None,
        len(ends) - int(np.count_nonzero(found)),
        template=links.template,
    )
    return remove_noise(edges, source) if choice.without_noise else edges


def _read_pages(state: Snapshot, choice: LinkSelection, with_hosts: bool, with_facts: bool) -> _GraphPages:
    """Read the chosen pages; an unneeded column would cost half as much as the ids."""
    conditions = []
    if choice.depth != (0, DEEPEST):
        conditions.append(f"depth between {choice.depth[0]} and {choice.depth[1]}")
    if choice.relevance is not None:
        conditions.append(f"{state.relevance} >= {choice.relevance}")
    columns = ["id", *["host"] * with_hosts, *["depth", state.relevance] * with_facts]
    query = f"select {', '.join(columns)} from page"  # noqa: S608 - nothing but numbers is put in
    query += f" where {' and '.join(conditions)}" if conditions else ""
    kinds = "".join("b" if name == "host" else "n" for name in columns)
    batches = state.read_batches(f"{query} order by number", kinds)
    found = list(zip(*batches, strict=True)) or [()] * len(columns)
    hosts = [host for piece in found.pop(1) for host in unpack_texts(piece)] if with_hosts else []
    ids, depths, relevance = [*found, (), ()][:3]
    return _GraphPages(
        join_arrays(ids, np.int64), hosts, join_arrays(depths, np.int64), join_arrays(relevance, np.float64)
    )


def _number_hosts(state: Snapshot, pages: _GraphPages, known: Numbering) -> Hosts:
    """Number the hosts of all nodes; those of unfetched pages come from their URLs."""
    number_of: dict[str, int] = {}
    of = np.zeros(len(known), np.int32)
    of[: len(pages.ids)] = [number_of.setdefault(host, len(number_of)) for host in pages.hosts]
    if len(known) > len(pages.ids):
        for ids, packed in state.read_batches("select id, url from known", "nb"):
            for node, url in zip(known.find(ids).tolist(), unpack_texts(packed), strict=True):
                if node >= len(pages.ids):
                    of[node] = number_of.setdefault(urls.host(url), len(number_of))
    return Hosts(of, list(number_of))


def _collect_facts(pages: _GraphPages, links: LinkArrays, nodes: int) -> NodeFacts:
    rim = nodes - len(pages.ids)
    types = np.bincount(TYPE, weights=links.kinds)
    counts = LinkCounts(
        int(links.kinds.sum()),
        int(links.kinds[_SPANS_HOSTS].sum()),
        int(links.kinds[_SPANS_SITES].sum()),
        {name: int(types[at]) for at, name in enumerate(LINK_TYPES) if types[at]},
    )
    return NodeFacts(
        np.concatenate([pages.depths, np.full(rim, -1)]).astype(np.int32),
        np.concatenate([np.where(pages.relevance < 0, np.nan, pages.relevance), np.full(rim, np.nan)]),
        counts,
    )
