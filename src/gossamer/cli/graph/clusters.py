"""`gossamer graph cliques` and `clusters`: pages that all, or mostly, link to each other."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gossamer.cli.graph.graph_options import GraphInput
from gossamer.cli.output.group_tables import (
    describe_parameters,
    format_members,
    label_groups,
    make_group_table,
    make_groups_plot,
    make_member_columns,
    name_group,
)
from gossamer.cli.output.result_tables import VerbResult
from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verbs when they run, so that --help is fast
    from gossamer.graph.graph import Nodes
    from gossamer.graph.groups.clusters import Clusters
    from gossamer.graph.groups.density import ClusterRules, CoreRules
    from gossamer.plots.groups import PlotGroup

CLUSTER_PRESET = "6-0.5-0.8"
Similar = Annotated[
    float | None,
    typer.Option(
        "--similar", help="Merge groups that share this much of the smaller one, if the union is dense."
    ),
]
TMin = Annotated[
    float | None,
    typer.Option("--t-min", help="Share of a large group that a page must be linked with to join."),
]
TMax = Annotated[float | None, typer.Option("--t-max", help="The same for a small group.")]
Decay = Annotated[
    float | None, typer.Option("--decay", help="Rate at which the share falls from t-max to t-min.")
]


def cliques(
    graph_input: GraphInput,
    size: Annotated[int, typer.Option("--size", help="Smallest number of pages in a clique.")] = 3,
) -> VerbResult:
    """Find sets of pages in which each page links to every other.

    \b
    gossamer graph cliques --web docs.web --links sites
    gossamer graph cliques --edges edges.csv --size 5 --out cliques.csv
    """
    from gossamer.graph.groups.cliques import cliques as find_cliques

    found = find_cliques(graph_input.loaded.graph, size, graph_input.progress)
    return _build_result(graph_input, found, "clique", {"size": size})


def clusters(
    graph_input: GraphInput,
    preset: Annotated[
        str, typer.Option("--preset", help="Parameters as size-t_min-t_max (Schmitz 2001, table 3.12).")
    ] = CLUSTER_PRESET,
    size: Annotated[int | None, typer.Option("--size", help="Smallest number of pages in a cluster.")] = None,
    t_min: TMin = None,
    t_max: TMax = None,
    decay: Decay = None,
    similar: Similar = None,
) -> VerbResult:
    """Find sets of pages that link to each other densely.

    \b
    gossamer graph clusters --web docs.web --links sites
    gossamer graph clusters --web docs.web --links sites --preset 8-0.3-0.6 --similar 0.7
    gossamer graph clusters --web docs.web --size 5 --t-min 0.4 --t-max 0.9
    """
    from gossamer.graph.groups.clusters import clusters as find_clusters
    from gossamer.graph.groups.density import CLUSTER_PRESETS, ClusterRules

    base = find_preset(preset, CLUSTER_PRESETS)
    rules = ClusterRules(base.size if size is None else size, base.thresholds.override(t_min, t_max, decay))
    found = find_clusters(graph_input.loaded.graph, rules, similar, graph_input.progress)
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
) -> VerbResult:
    graph, title = graph_input.loaded.graph, f"{one}s".capitalize()
    top = list(islice(found, graph_input.top or None))
    densities = found.densities.tolist()
    members = label_groups(graph, top)
    facts = [
        {"pages": len(names), "links": int(found.links[at]), "density": densities[at], "members": names}
        for at, names in enumerate(members)
    ]
    rows = [
        (group["pages"], group["links"], f"{group['density']:.2f}", format_members(group["members"]))
        for group in facts
    ]
    return VerbResult(
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
