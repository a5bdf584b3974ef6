"""The tables of Schmitz 2001, chapter 3, drawn from the web at hand."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.graph.groups.bipartite_cores import cores
from gossamer.graph.groups.clusters import clusters
from gossamer.graph.groups.density import CLUSTER_PRESETS, CORE_PRESETS
from gossamer.graph.link_selection import LinkSelection
from gossamer.graph.structure.compare_graphs import WHOLE_WEB, GraphSummary, compare
from gossamer.reports.analysis import Analysis, ResultTable, flatten_tables
from gossamer.reports.graph.core_groups import FAMOUS
from gossamer.reports.graph.graph_input import GraphInput, open_graph
from gossamer.reports.graph.graphs_beside import tabulate_graphs
from gossamer.reports.graph.link_counts import analyse_links

if TYPE_CHECKING:
    from gossamer.graph.graph import Graph

Progress = Callable[[float], None]
SITE_LINKS = LinkSelection(links="sites")
"""What the study selects to find groups and the best pages."""
_SELECTIONS = {
    "all links": LinkSelection(),
    "depth 0 to 2": LinkSelection(depth=(0, 2)),
    "links between sites": SITE_LINKS,
    "hosts as nodes": LinkSelection(unit="hosts"),
}
_GROUP_COLUMNS = ("run", "groups", "largest", "smallest", "grown from")


def analyse_link_kinds(graph_input: GraphInput) -> Analysis:
    """Return table 3.4: links by kind, and the distributions of links as a plot."""
    whole = analyse_links(graph_input)
    tables = [table for table in whole.tables if table.title == "Links as they stand on the pages"]
    return msgspec.structs.replace(whole, tables=tables, columns=lambda: flatten_tables(tables))


def summarise_selections(folder: Path, progress: Progress) -> list[GraphSummary]:
    """Return the bow-ties and densities of all selections of the study, one graph in memory at a time."""
    return compare(
        {name: partial(_load, folder, selection) for name, selection in _SELECTIONS.items()}, progress
    )


def tabulate_bowties(found: list[GraphSummary]) -> Analysis:
    """Return tables 3.5 to 3.10: the bow-tie of the whole web beside those of the selections."""
    return tabulate_graphs([WHOLE_WEB, *found])


def tabulate_densities(found: list[GraphSummary]) -> Analysis:
    """Return table 3.11: the density of the selections."""
    rows = [
        (one.name, one.nodes, one.links or 0, one.nodes * (one.nodes - 1), f"{one.density or 0:.2e}")
        for one in found
    ]
    table = ResultTable("Densities", ("graph", "nodes", "links", "most links", "density"), rows)
    return Analysis({"graphs": msgspec.to_builtins(found)}, [table], lambda: flatten_tables([table]))


def analyse_runs(graph_input: GraphInput) -> Analysis:
    """Return the runs of table 3.12, by links between sites: how many clusters and cores each finds."""
    graph, runs = graph_input.loaded.graph, len(CLUSTER_PRESETS) + len(CORE_PRESETS)
    dense, bipartite = [], []
    for at, (name, rules) in enumerate(CLUSTER_PRESETS.items()):
        graph_input.progress(at / runs)
        found = clusters(graph, rules, None)
        dense.append(_make_run_row(name, [len(one) for one in found], found.tried))
    for at, (name, core_rules) in enumerate(CORE_PRESETS.items(), len(CLUSTER_PRESETS)):
        graph_input.progress(at / runs)
        found_cores = cores(graph, core_rules, None, FAMOUS)
        sizes = [len(fans) + len(centres) for fans, centres in found_cores]
        bipartite.append(_make_run_row(name, sizes, found_cores.tried))
    tables = [
        ResultTable("Clusters by run: size, t_min, t_max", _GROUP_COLUMNS, dense),
        ResultTable("Bipartite cores by run: fans, centres, t_min, t_max", _GROUP_COLUMNS, bipartite),
    ]
    facts = {
        name: [dict(zip(_GROUP_COLUMNS, row, strict=True)) for row in rows]
        for name, rows in (("clusters", dense), ("cores", bipartite))
    }
    notes = ["Links between sites count, as in the study; decay is 0.9."]
    return Analysis(facts, tables, lambda: flatten_tables(tables), notes)


def _make_run_row(name: str, sizes: list[int], tried: int) -> tuple[str, int, int, int, int]:
    return name, len(sizes), max(sizes, default=0), min(sizes, default=0), tried


def _load(folder: Path, selection: LinkSelection) -> "Graph":
    with open_graph({"web": folder}, selection) as loaded:
        return loaded.graph
