"""`gossamer graph export`: write a graph to files for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from gossamer.reports.graph.community_table import find_community_words
from gossamer.reports.graph.graph_input import GraphInput, open_graph

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.export.write_graph import NodeCommunities
    from gossamer.graph.graph import Graph

_WORDS = 3


def export(
    graph_input: GraphInput,
    form: Annotated[
        Literal["gexf", "graphml", "parquet", "lines"], typer.Argument(help="File format.", metavar="FORMAT")
    ],
    target: Annotated[Path, typer.Argument(help="A new file or folder.", metavar="OUT")],
) -> list[Path]:
    """Write a graph as GEXF or GraphML, or as a folder of Parquet or of lines id,"name" and from,to.

    In GEXF and GraphML, a node is labelled by its title, its size shows its PageRank, and its colour and position show
    its region in the bow-tie; open the file in Gephi. Nodes also have their community, found by content links unless
    --links says otherwise. All verbs can read Parquet and lines again.

    \\b
    gossamer graph export gexf map.gexf --web docs.web --links sites
    gossamer graph export graphml hosts.graphml --web docs.web --unit hosts
    gossamer graph export lines files --web docs.web
    gossamer graph stats --nodes files/nodes.csv --edges files/edges.csv
    """
    from gossamer.graph.export.write_graph import write_graph

    found = None if form == "lines" or target.exists() else _find_communities(graph_input)
    return write_graph(form, target, graph_input.loaded.graph, graph_input.progress, found)


def _find_communities(graph_input: GraphInput) -> "NodeCommunities":
    """Find the communities of the nodes: by content links, if the graph is from a web and --links says nothing else."""
    selection = graph_input.selection
    is_web = graph_input.source.get("edges") is None
    # With a rim, other links would lead to other nodes.
    if not is_web or graph_input.chose_links or selection.rim:
        return _name_communities(graph_input.loaded.graph, selection.content)
    with open_graph(graph_input.source, msgspec.structs.replace(selection, content=True)) as loaded:
        return _name_communities(loaded.graph, content=True)


def _name_communities(graph: "Graph", content: bool) -> "NodeCommunities":
    from gossamer.graph.export.write_graph import NodeCommunities
    from gossamer.graph.groups.communities import communities

    found = communities(graph)
    words = find_community_words(graph, found, content)
    return NodeCommunities(found.labels.astype("int64") + 1, [" ".join(some[:_WORDS]) for some in words])
