"""The report on a graph: findings in plain words, and all analyses with their tables and plots."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from gossamer.graph.groups.density import CLUSTER_PRESETS, CORE_PRESETS
from gossamer.graph.structure.compare_graphs import WHOLE_WEB, compare
from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.bowtie_regions import analyse_bowtie
from gossamer.reports.graph.community_table import analyse_communities
from gossamer.reports.graph.core_groups import CORE_PRESET, analyse_cores
from gossamer.reports.graph.dense_groups import (
    CLUSTER_PRESET,
    analyse_cliques,
    analyse_clusters,
    find_preset,
)
from gossamer.reports.graph.findings import describe_findings
from gossamer.reports.graph.graph_input import GraphInput, open_graph
from gossamer.reports.graph.graphs_beside import tabulate_graphs
from gossamer.reports.graph.link_counts import analyse_links
from gossamer.reports.graph.noise_structures import analyse_noise
from gossamer.reports.graph.page_ranking import analyse_hits, analyse_pagerank

if TYPE_CHECKING:
    from gossamer.graph.graph import Graph
    from gossamer.graph.link_selection import LinkSelection

_FINDINGS = {"bowtie": "Bow-tie", "pagerank": "PageRank", "communities": "Communities"}
_BY_ALL_LINKS = ("Pages and links", "Bow-tie", "Side by side", "Link noise")
_OTHER_SELECTIONS = {
    "links between sites": {"links": "sites"},
    "hosts as nodes": {"unit": "hosts"},
}


class ReportOptions(msgspec.Struct, frozen=True):
    """Which groups the report looks for, and whether it has every part."""

    cluster_preset: str = CLUSTER_PRESET
    core_preset: str = CORE_PRESET
    similar: float | None = None
    full: bool = False

    def __post_init__(self) -> None:
        find_preset(self.cluster_preset, CLUSTER_PRESETS)
        find_preset(self.core_preset, CORE_PRESETS)


class GraphReport(msgspec.Struct, frozen=True):
    """The report on a graph."""

    findings: list[str]
    """Five sentences in plain words."""
    parts: dict[str, Analysis]
    """By title, in the order in which they are read."""


def make_graph_report(graph_input: GraphInput, options: ReportOptions, stack: ExitStack) -> GraphReport:
    """Compute all parts of the report; names and plots of the parts need the graphs on the stack."""
    content = _load_content(graph_input, stack)
    parts = _run_parts(graph_input, content, _list_parts(graph_input, options))
    findings = describe_findings(
        graph_input.loaded,
        content.loaded if content.selection.content else None,
        {name: parts[title].facts for name, title in _FINDINGS.items()},
    )
    return GraphReport(findings, parts)


def _list_parts(
    graph_input: GraphInput, options: ReportOptions
) -> dict[str, Callable[[GraphInput], Analysis]]:
    """Return the parts of the report by title, each with the function that computes it."""
    return {
        "Pages and links": analyse_links,
        "Bow-tie": analyse_bowtie,
        **({"Side by side": _compare_selections} if options.full else {}),
        "PageRank": analyse_pagerank,
        "Hubs and authorities": analyse_hits,
        **({"Cliques": analyse_cliques} if options.full else {}),
        "Clusters": lambda part: analyse_clusters(
            part, CLUSTER_PRESETS[options.cluster_preset], options.similar
        ),
        "Bipartite cores": lambda part: analyse_cores(
            part, CORE_PRESETS[options.core_preset], options.similar
        ),
        "Communities": analyse_communities,
        **({"Link noise": analyse_noise} if _is_web_of_pages(graph_input) else {}),
    }


def _run_parts(
    graph_input: GraphInput, content: GraphInput, parts: dict[str, Callable[[GraphInput], Analysis]]
) -> dict[str, Analysis]:
    """Compute the parts: best pages and groups by content links, the others by the links that were selected."""
    results = {}
    for number, (title, part) in enumerate(parts.items()):
        source = graph_input if title in _BY_ALL_LINKS else content
        results[title] = part(_share_progress(source, number, len(parts)))
    return results


def _load_content(graph_input: GraphInput, stack: ExitStack) -> GraphInput:
    """Return the same graph without the links that templates repeat; from files, or if --links says so, as it is."""
    if graph_input.chose_links or graph_input.source.get("edges") is not None:
        return graph_input
    selection = msgspec.structs.replace(graph_input.selection, content=True)
    loaded = stack.enter_context(open_graph(graph_input.source, selection))
    return msgspec.structs.replace(graph_input, loaded=loaded, selection=selection)


def _share_progress(graph_input: GraphInput, number: int, parts: int) -> GraphInput:
    """Return the input for one section, whose progress counts as a share of the whole report."""
    on_progress = graph_input.progress
    on_progress(number / parts)
    return msgspec.structs.replace(graph_input, progress=lambda part: on_progress((number + part) / parts))


def _is_web_of_pages(graph_input: GraphInput) -> bool:
    return graph_input.source.get("edges") is None and graph_input.selection.unit == "pages"


def _compare_selections(graph_input: GraphInput) -> Analysis:
    """Compare the graph with the whole web and, if it is from a web, with other selections."""
    wanted: dict[str, Callable[[], Graph]] = {"as selected": lambda: graph_input.loaded.graph}
    if _is_web_of_pages(graph_input):
        for name, other in _OTHER_SELECTIONS.items():
            selection = msgspec.structs.replace(graph_input.selection, **other)
            if selection != graph_input.selection:
                wanted[name] = partial(_load_graph, graph_input, selection)
    return tabulate_graphs([WHOLE_WEB, *compare(wanted, graph_input.progress)])


def _load_graph(graph_input: GraphInput, selection: "LinkSelection") -> "Graph":
    with open_graph(graph_input.source, selection) as loaded:
        return loaded.graph
