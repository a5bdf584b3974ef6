"""Read what a web knows about the nodes and links of a graph: link texts, page contents and server addresses."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.edges import Edges, find_hosts
from gossamer.graph.graph import Graph, Nodes, build_graph
from gossamer.graph.groups.link_noise import Disturbance, find_disturbances, remove_disturbances
from gossamer.graph.node_names import Names
from gossamer.graph.number_ids import Numbering
from gossamer.store.links.page_names import StoredNames
from gossamer.store.links.snapshot import open_snapshot
from gossamer.store.links.template_marks import read_snapshot_marks
from gossamer.store.packed_bytes import PackedBytes, unpack_texts
from gossamer.store.record_rows import unpack_link_texts

Ids = NDArray[np.int64]


def find_stored_names(names: Names) -> StoredNames | None:
    """Return the source of a graph's names if its nodes are the pages of a web, else None."""
    return names.source if isinstance(names.source, StoredNames) else None


def read_link_words(
    graph: Graph, source: StoredNames, content: bool = False
) -> Iterator[tuple[Nodes, Nodes, list[str]]]:
    """Yield the texts of all links in batches: sources, targets and texts.

    An end that is not a node is -1; with `content`, so is the target of a link that a template repeats. Redirects are
    not followed: the uses of link texts do not need every link.
    """
    known = _number_pages(graph, source)
    with open_snapshot(source.store) as state:
        templates, read = read_snapshot_marks(state) if content else None, 0
        for pages, (targets, starts), packed in state.read_batches(
            "select source, targets, texts from link order by number", "nbb"
        ):
            sources = np.repeat(known.find(pages), np.diff(starts) // 8)
            found = known.find(targets.view("<i8").astype(np.int64, copy=False))
            if templates is not None:
                found[templates[read : read + len(found)]] = -1
                read += len(found)
            yield sources, found, [text for blob in _split_blobs(packed) for text in unpack_link_texts(blob)]


def find_noise(graph: Graph, source: StoredNames) -> list[Disturbance]:
    """Find noise in the graph of a web, by the hosts, contents, link texts and servers of its pages."""
    contents, addresses = _read_contents_and_addresses(graph, source)
    hosts = find_hosts(graph.names).of
    return find_disturbances(graph, hosts, contents, _find_hidden_links(graph, source), addresses)


def remove_noise(edges: Edges, source: StoredNames) -> Edges:
    """Return the edges without noisy pages."""
    graph = build_graph(edges.sources, edges.targets, len(edges.names), edges.names).graph
    _, kept = remove_disturbances(graph, find_noise(graph, source))
    keep = np.zeros(graph.nodes, np.bool_)
    keep[kept] = True
    return edges.part(keep)


def _number_pages(graph: Graph, source: StoredNames) -> Numbering:
    known = Numbering(graph.nodes)
    known.add(source.ids[graph.names.rows])
    return known


def _find_hidden_links(graph: Graph, source: StoredNames) -> NDArray[np.bool_]:
    """Return for each link whether it has no text anywhere on its page."""
    with_words, without = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for sources, targets, words in read_link_words(graph, source):
        has_words = np.fromiter(map(bool, words), np.bool_, len(words))
        keys = _pair_keys(sources, targets, graph.nodes)
        inside = (sources >= 0) & (targets >= 0)
        with_words.append(keys[inside & has_words])
        without.append(keys[inside & ~has_words])
    hidden = np.setdiff1d(np.concatenate(without), np.concatenate(with_words))
    return np.isin(_pair_keys(graph.link_sources(), graph.targets, graph.nodes), hidden)


def _pair_keys(sources: Nodes, targets: Nodes, nodes: int) -> Ids:
    return sources.astype(np.int64) * nodes + targets


def _read_contents_and_addresses(graph: Graph, source: StoredNames) -> tuple[Ids, Ids]:
    """Return each page's text digest and the number of its server's address; 0 where unknown."""
    known = _number_pages(graph, source)
    contents, addresses = np.zeros((2, graph.nodes), np.int64)
    numbers: dict[str, int] = {"": 0}
    with open_snapshot(source.store) as state:
        address_of = {
            host: numbers.setdefault(address, len(numbers))
            for names, at in state.read_batches("select name, address from host", "bb")
            for host, address in zip(unpack_texts(names), unpack_texts(at), strict=True)
        }
        for ids, digests, hosts in state.read_batches("select id, text_digest, host from page", "nnb"):
            nodes = known.find(ids)
            there = nodes >= 0
            contents[nodes[there]] = digests[there]
            at_hosts = np.array([address_of.get(host, 0) for host in unpack_texts(hosts)], np.int64)
            addresses[nodes[there]] = at_hosts[there]
    return contents, addresses


def _split_blobs(packed: PackedBytes) -> Iterator[bytes]:
    held = packed[0].tobytes()
    return (held[start:end] for start, end in pairwise(packed[1].tolist()))
