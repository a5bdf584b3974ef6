"""`gossamer graph cliques` and `clusters`: pages that link to each other, all of them or most."""

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

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.graph.graph import Nodes
    from gossamer.graph.groups.clusters import Clusters
    from gossamer.graph.groups.density import ClusterRules, CoreRules
    from gossamer.plots.groups import PlotGroup

CLUSTER_PRESET = "6-0.5-0.8"
Similar = Annotated[
    float | None,
    typer.Option(
        "--similar", help="Put groups together that share so much of the smaller, if it stays dense."
    ),
]
TMin = Annotated[
    float | None, typer.Option("--t-min", help="Share of a large group to be linked with to join it.")
]
TMax = Annotated[float | None, typer.Option("--t-max", help="The same for a small group.")]
Decay = Annotated[float | None, typer.Option("--decay", help="How fast the share falls from t-max to t-min.")]


def cliques(
    graph_input: GraphInput,
    size: Annotated[int, typer.Option("--size", help="The fewest pages of a clique that is told.")] = 3,
) -> VerbResult:
    """Find pages of which each links to every other.

    \b
    gossamer graph cliques --web docs.web --links sites
    gossamer graph cliques --edges edges.csv --size 5 --out cliques.csv
    """
    from gossamer.graph.groups.cliques import cliques as found

    cliques_found = found(graph_input.loaded.graph, size, graph_input.progress)
    return _build_result(graph_input, cliques_found, "clique", {"size": size})


def clusters(
    graph_input: GraphInput,
    preset: Annotated[
        str, typer.Option("--preset", help="Parameters of the seed's table 3.12, as size-t_min-t_max.")
    ] = CLUSTER_PRESET,
    size: Annotated[
        int | None, typer.Option("--size", help="The fewest pages of a cluster that is told.")
    ] = None,
    t_min: TMin = None,
    t_max: TMax = None,
    decay: Decay = None,
    similar: Similar = None,
) -> VerbResult:
    """Find pages that link to each other much more than pages usually do.

    \b
    gossamer graph clusters --web docs.web --links sites
    gossamer graph clusters --web docs.web --links sites --preset 8-0.3-0.6 --similar 0.7
    gossamer graph clusters --web docs.web --size 5 --t-min 0.4 --t-max 0.9
    """
    from gossamer.graph.groups.clusters import clusters as found
    from gossamer.graph.groups.density import CLUSTER_PRESETS, ClusterRules

    base = find_preset(preset, CLUSTER_PRESETS)
    rules = ClusterRules(base.size if size is None else size, base.thresholds.override(t_min, t_max, decay))
    clusters_found = found(graph_input.loaded.graph, rules, similar, graph_input.progress)
    return _build_result(graph_input, clusters_found, "cluster", list_rules(rules, similar))


def find_preset(name: str, presets: "dict[str, Any]") -> Any:
    """Return a set of parameters of the seed by its name."""
    if name not in presets:
        raise BadInput(f"there is no preset {name!r}; there are {', '.join(presets)}")
    return presets[name]


def list_rules(rules: "ClusterRules | CoreRules", similar: float | None) -> dict[str, float]:
    """Tell by which parameters groups were looked for, by name."""
    told = msgspec.to_builtins(rules)
    thresholds = told.pop("thresholds")
    return {**told, **thresholds, **({} if similar is None else {"similar": similar})}


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
        (told["pages"], told["links"], f"{told['density']:.2f}", format_members(told["members"]))
        for told in facts
    ]
    return VerbResult(
        {"found": len(found), "tried": found.tried, "rules": rules, f"{one}s": facts},
        [make_group_table(title, len(found), ["pages", "links", "density", "members"], rows)],
        lambda: make_member_columns(graph, {"member": list(found)}, one),
        [
            f"{format_count(len(found), one)}, grown from {format_count(found.tried, 'page')} with links enough, {describe_parameters(rules)}."
        ],
        make_groups_plot(graph, lambda: _make_plot_groups(top, facts), title, len(found)),
    )


def _make_plot_groups(members: "Sequence[Nodes]", facts: Sequence[dict[str, Any]]) -> "list[PlotGroup]":
    from gossamer.plots.groups import PlotGroup

    return [
        PlotGroup(
            name_group(told["members"][0]), f"{told['pages']} pages, density {told['density']:.2f}", nodes
        )
        for told, nodes in zip(facts, members, strict=True)
    ]
