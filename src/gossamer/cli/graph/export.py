"""`gossamer graph export`: write a graph to files for other programs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gossamer.cli.graph.graph_options import GraphInput


def export(
    graph_input: GraphInput,
    form: Annotated[
        Literal["gexf", "graphml", "parquet", "lines"], typer.Argument(help="File format.", metavar="FORMAT")
    ],
    target: Annotated[Path, typer.Argument(help="A new file or folder.", metavar="OUT")],
) -> list[Path]:
    """Write a graph as GEXF or GraphML, or as a folder of Parquet or of lines id,"name" and from,to.

    In GEXF and GraphML, the size of a node shows its PageRank, and its colour and position show its region in the
    bow-tie; open the file in Gephi. All verbs can read Parquet and lines again.

    \\b
    gossamer graph export gexf map.gexf --web docs.web --links sites
    gossamer graph export graphml hosts.graphml --web docs.web --unit hosts
    gossamer graph export lines files --web docs.web
    gossamer graph stats --nodes files/nodes.csv --edges files/edges.csv
    """
    from gossamer.graph.export.write_graph import write_graph

    return write_graph(form, target, graph_input.loaded.graph, graph_input.progress)
