"""Cliques and clusters: pages that all, or mostly, link to each other."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from gossamer.crawl.task_counts import format_count
from gossamer.errors import BadInput
from gossamer.reports.analysis import Analysis, list_members
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
    from gossamer.graph.groups.clusters import Clusters
    from gossamer.graph.groups.density import ClusterRules, CoreRules
    from gossamer.plots.groups import PlotGroup

CLUSTER_PRESET = "6-0.5-0.8"


def analyse_cliques(graph_input: GraphInput, size: int = 3) -> Analysis:
    """Find sets of pages in which each page links to every other."""
    from gossamer.graph.groups.cliques import cliques

    found = cliques(graph_input.loaded.graph, size, graph_input.progress)
    return _build_result(graph_input, found, "clique", {"size": size})


def analyse_clusters(
    graph_input: GraphInput, rules: "ClusterRules", similar: float | None = None
) -> Analysis:
    """Find sets of pages that link to each other densely."""
    from gossamer.graph.groups.clusters import clusters

    found = clusters(graph_input.loaded.graph, rules, similar, graph_input.progress)
    return _build_result(graph_input, found, "cluster", list_rules(rules, similar))


def find_preset(name: str, presets: "dict[str, Any]") -> Any:
    """Return a preset by its name."""
    if name not in presets:
        raise BadInput(f"there is no preset {name!r}; choose one of {', '.join(presets)}")
    return presets[name]


def list_rules(rules: "ClusterRules | CoreRules", similar: float | None) -> dict[str, float]:
    """Return the parameters of a search for groups, by name."""
    parameters = msgspec.to_builtins(rules)
    thresholds = parameters.pop("thresholds")
    return {**parameters, **thresholds, **({} if similar is None else {"similar": similar})}


def _build_result(
    graph_input: GraphInput, found: "Clusters", one: str, rules: Mapping[str, float]
) -> Analysis:
    graph, title = graph_input.loaded.graph, f"{one}s".capitalize()
    top = list(islice(found, graph_input.top or None))
    densities = found.densities.tolist()
    members = label_groups(graph, top)
    facts = [
        {"pages": len(names), "links": int(found.links[at]), "density": densities[at], "members": names}
        for at, names in enumerate(members)
    ]
    rows = [
        (group["pages"], group["links"], f"{group['density']:.2f}", list_members(group["members"]))
        for group in facts
    ]
    return Analysis(
        {"found": len(found), "tried": found.tried, "rules": rules, f"{one}s": facts},
        [make_group_table(title, len(found), ["pages", "links", "density", "members"], rows)],
        lambda: make_member_columns(graph, {"member": list(found)}, one),
        [
            f"{format_count(len(found), one)}, grown from {format_count(found.tried, 'page')} with enough links, {describe_parameters(rules)}."
        ],
        make_groups_plot(graph, lambda: _make_plot_groups(top, facts), title, len(found)),
    )


def _make_plot_groups(members: "Sequence[Nodes]", facts: Sequence[dict[str, Any]]) -> "list[PlotGroup]":
    from gossamer.plots.groups import PlotGroup

    return [
        PlotGroup(
            name_group(group["members"][0]), f"{group['pages']} pages, density {group['density']:.2f}", nodes
        )
        for group, nodes in zip(facts, members, strict=True)
    ]
