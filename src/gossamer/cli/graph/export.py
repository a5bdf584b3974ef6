"""`gossamer graph export`: a graph as files for other programs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gossamer.cli.graph.graph_options import GraphInput


def export(
    graph_input: GraphInput,
    form: Annotated[
        Literal["gexf", "graphml", "parquet", "lines"], typer.Argument(help="As what.", metavar="FORMAT")
    ],
    target: Annotated[Path, typer.Argument(help="A file or a folder that is not there yet.", metavar="OUT")],
) -> list[Path]:
    """Write a graph as GEXF or GraphML, or as a folder of Parquet or of lines id,"name" and from,to.

    In GEXF and GraphML nodes are as large as their PageRank is high, have the colour of their region in the bow-tie, and
    stand by region: open the file in Gephi and look. What was written as Parquet or lines can be read by all verbs again.

    \\b
    gossamer graph export gexf map.gexf --web docs.web --links sites
    gossamer graph export graphml hosts.graphml --web docs.web --unit hosts
    gossamer graph export lines files --web docs.web
    gossamer graph stats --nodes files/nodes.csv --edges files/edges.csv
    """
    from gossamer.graph.export.write_graph import write

    return write(form, target, graph_input.loaded.graph, graph_input.progress)
