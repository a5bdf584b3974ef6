"""A division of all pages into communities, each with its typical words."""

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from gossamer.reports.analysis import Analysis, format_share, list_members
from gossamer.reports.graph.graph_input import GraphInput, describe_links, make_node_columns, name_links
from gossamer.reports.graph.group_tables import label_groups, make_group_table

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.graph import Graph
    from gossamer.graph.groups.communities import Communities
    from gossamer.plots.canvas import Figure

_EXAMPLES = 5
_WORDS_DRAWN = 3


def analyse_communities(
    graph_input: GraphInput,
    method: str | None = None,
    resolution: float = 1.0,
    rounds: int = 2,
    seed: int = 0,
) -> Analysis:
    """Divide pages into communities with most links inside, each described by its typical words."""
    from gossamer.graph.groups.communities import communities

    graph = graph_input.loaded.graph
    found = communities(graph, method, resolution, seed, rounds)  # type: ignore[arg-type]  # checked there
    words = find_community_words(graph, found, graph_input.selection.content)
    facts = _list_communities(graph, found, words, graph_input.top)
    rows = [
        (
            one["pages"],
            format_share(one["pages"], graph.nodes),
            " ".join(one["words"]),
            list_members(one["members"]),
        )
        for one in facts
    ]
    return Analysis(
        {
            "found": len(found.sizes),
            "links": name_links(graph_input),
            "method": found.method,
            "modularity": found.modularity,
            "communities": facts,
        },
        [make_group_table("Communities", len(found.sizes), ["pages", "share", "words", "best linked"], rows)],
        lambda: {**make_node_columns(graph), "community": (found.labels + 1).tolist()},
        [
            _summarise(found, method is None and not graph_input.on_page),
            describe_links(graph_input, "The division"),
        ],
        lambda: _draw(graph, found, words),
    )


def _summarise(found: "Communities", was_chosen: bool) -> str:
    """Describe the result and the method, with the reason if the size of the graph decided it."""
    why = " (--method leiden takes minutes for a graph of this size)"
    return (
        f"Communities found: {len(found.sizes):,} by {found.method}"
        f"{why if was_chosen and found.method == 'labels' else ''}; modularity {found.modularity:.2f}."
    )


def _list_communities(
    graph: "Graph", found: "Communities", words: list[list[str]], top: int
) -> list[dict[str, Any]]:
    """List the largest communities: size, words, and the pages with most in-links."""
    import numpy as np

    count = min(top, len(found.sizes)) if top else len(found.sizes)
    by_community = np.lexsort((-graph.in_degrees(), found.labels))
    starts = np.concatenate([[0], np.cumsum(found.sizes)])
    best = [by_community[starts[at] : min(starts[at] + _EXAMPLES, starts[at + 1])] for at in range(count)]
    return [
        {"pages": int(found.sizes[at]), "words": words[at], "members": members}
        for at, members in enumerate(label_groups(graph, best))
    ]


def find_community_words(graph: "Graph", found: "Communities", content: bool) -> list[list[str]]:
    """Find the typical words of each community, in titles (or names if there are none) and texts of links.

    With `content`, neither links nor words that the templates of hosts repeat count.
    """
    from gossamer.graph.edges import find_hosts
    from gossamer.graph.groups.community_words import drop_repeated_words, find_typical_words
    from gossamer.store.links.node_details import find_stored_names, read_link_words

    all_nodes = range(graph.nodes)
    titles = graph.names.titles(all_nodes)
    nodes: list[Iterable[int]] = [all_nodes]
    source = find_stored_names(graph.names)
    if source is not None and content:
        titles = drop_repeated_words(titles, find_hosts(graph.names).of)
    texts: list[Iterable[str]] = [titles if any(titles) else graph.names.of(all_nodes)]
    if source is not None:
        for _, targets, words in read_link_words(graph, source, content):
            pairs = [
                (node, text) for node, text in zip(targets.tolist(), words, strict=True) if node >= 0 and text
            ]
            nodes.append([node for node, _ in pairs])
            texts.append([text for _, text in pairs])
    return find_typical_words(
        found.labels,
        chain.from_iterable(nodes),
        chain.from_iterable(texts),
        titles=graph.nodes if any(titles) else 0,
    )


def _draw(graph: "Graph", found: "Communities", words: list[list[str]]) -> "Figure":
    from gossamer.plots.adjacency_matrix import draw_adjacency

    return draw_adjacency(
        graph, found.labels, {at: " ".join(some[:_WORDS_DRAWN]) for at, some in enumerate(words)}
    )
