"""Bipartite cores: fans that link to the same centres."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from gossamer.crawl.task_counts import format_count
from gossamer.reports.analysis import Analysis, list_members
from gossamer.reports.graph.dense_groups import list_rules
from gossamer.reports.graph.graph_input import GraphInput
from gossamer.reports.graph.group_tables import (
    describe_parameters,
    label_groups,
    make_group_table,
    make_groups_plot,
    make_member_columns,
    name_group,
)

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.graph import Nodes
    from gossamer.graph.groups.bipartite_cores import Cores
    from gossamer.graph.groups.density import CoreRules
    from gossamer.plots.groups import PlotGroup

CORE_PRESET = "6-6-0.5-0.8"
FAMOUS = 300
"""Pages with more in-links cannot be centres."""


def analyse_cores(
    graph_input: GraphInput,
    rules: "CoreRules",
    similar: float | None = None,
    famous: int = FAMOUS,
    variant: str = "standard",
) -> Analysis:
    """Find fans that link to the same centres; 0 famous in-links stand for no limit."""
    from gossamer.graph.groups.bipartite_cores import cores

    how = famous or None, graph_input.progress, variant
    found = cores(graph_input.loaded.graph, rules, similar, *how)  # type: ignore[arg-type]  # checked there
    return _build_result(graph_input, found, list_rules(rules, similar))


def _build_result(graph_input: GraphInput, found: "Cores", rules: Mapping[str, float]) -> Analysis:
    graph = graph_input.loaded.graph
    top = list(islice(found, graph_input.top or None))
    densities = found.densities.tolist()
    sides = zip(*(label_groups(graph, [core[side] for core in top]) for side in (0, 1)), strict=True)
    facts: list[dict[str, Any]] = [
        {"links": int(found.links[at]), "density": densities[at], "fans": fans, "centres": centres}
        for at, (fans, centres) in enumerate(sides)
    ]
    rows = [
        (
            f"{len(group['fans'])} × {len(group['centres'])}",
            f"{group['density']:.2f}",
            list_members(group["fans"], False),
            list_members(group["centres"], False),
        )
        for group in facts
    ]
    famous = f" Too famous to be centres: {format_count(found.famous, 'page')}." if found.famous else ""
    return Analysis(
        {"found": len(found), "tried": found.tried, "famous": found.famous, "rules": rules, "cores": facts},
        [
            make_group_table(
                "Bipartite cores", len(found), ["fans × centres", "density", "fans", "centres"], rows
            )
        ],
        lambda: make_member_columns(
            graph, {"fan": [fans for fans, _ in found], "centre": [centres for _, centres in found]}, "core"
        ),
        [
            f"{format_count(len(found), 'core')}, grown from {format_count(found.tried, 'link')}, {describe_parameters(rules)}.{famous}"
        ],
        make_groups_plot(graph, lambda: _make_plot_groups(top, facts), "Bipartite cores", len(found)),
    )


def _make_plot_groups(top: "Sequence[tuple[Nodes, Nodes]]", facts: list[dict[str, Any]]) -> "list[PlotGroup]":
    from gossamer.plots.groups import PlotGroup

    return [
        PlotGroup(
            name_group(group["centres"][0]),
            f"{len(fans)} fans, {len(centres)} centres, density {group['density']:.2f}",
            fans,
            centres,
        )
        for group, (fans, centres) in zip(facts, top, strict=True)
    ]
