"""`gossamer graph bowtie`: the regions of the bow-tie and their sizes."""

from typing import TYPE_CHECKING

from gossamer.cli.graph.graph_options import GraphInput
from gossamer.cli.output.result_tables import ResultTable, VerbResult, format_share, make_node_columns

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.structure.bowtie import Bowtie
    from gossamer.plots.canvas import Figure


def bowtie(graph_input: GraphInput) -> VerbResult:
    """Sort pages into core, in, out, tubes, tendrils and disconnected: the bow-tie of a web.

    \b
    gossamer graph bowtie --web docs.web
    gossamer graph bowtie --web docs.web --unit hosts
    gossamer graph bowtie --web docs.web --out regions.parquet
    gossamer graph bowtie --web docs.web --plot bowtie.svg
    """
    import numpy as np

    from gossamer.graph.structure.bowtie import Region
    from gossamer.graph.structure.bowtie import bowtie as compute_bowtie
    from gossamer.graph.structure.compare_graphs import count_regions

    graph = graph_input.loaded.graph
    tie = compute_bowtie(graph)
    counts = count_regions(tie)
    rows = [(name, number, format_share(number, graph.nodes)) for name, number in counts.items()]
    facts = {name: {"nodes": number, "share": number / graph.nodes} for name, number in counts.items()}
    region_of = np.array([region.name for region in Region])[tie.regions]
    table = ResultTable(
        "Bow-tie",
        ["region", "nodes", "share"],
        [*rows, ("sum", graph.nodes, format_share(graph.nodes, graph.nodes))],
    )
    notes = ["TENDRILS are TUBES, INTENDRILS and OUTTENDRILS together, as Broder et al. counted them."]
    columns = lambda: {**make_node_columns(graph), "region": region_of.tolist()}  # noqa: E731 - called only for --out
    return VerbResult({"regions": facts}, [table], columns, notes, lambda: _draw(tie))


def _draw(tie: "Bowtie") -> "Figure":
    from gossamer.plots.bowtie import draw_bowtie

    return draw_bowtie(tie.counts)
