"""The regions of the bow-tie and their sizes."""

from typing import TYPE_CHECKING

from gossamer.reports.analysis import Analysis, ResultTable, format_share
from gossamer.reports.graph.graph_input import GraphInput, make_node_columns

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.structure.bowtie import Bowtie
    from gossamer.plots.canvas import Figure


def analyse_bowtie(graph_input: GraphInput) -> Analysis:
    """Sort pages into the regions of the bow-tie, and count them."""
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
    return Analysis({"regions": facts}, [table], columns, notes, lambda: _draw(tie))


def _draw(tie: "Bowtie") -> "Figure":
    from gossamer.plots.bowtie import draw_bowtie

    return draw_bowtie(tie.counts)
