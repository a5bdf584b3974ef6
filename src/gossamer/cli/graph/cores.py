"""`gossamer graph cores`: bipartite cores, fans that link to the same centres."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.graph.clusters import Decay, Similar, TMax, TMin, find_preset, list_rules
from gossamer.cli.graph.graph_options import GraphInput
from gossamer.cli.output.group_tables import (
    describe_parameters,
    format_names,
    label_groups,
    make_group_table,
    make_groups_plot,
    make_member_columns,
    name_group,
)
from gossamer.cli.output.result_tables import VerbResult
from gossamer.cli.output.wording import format_count

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.graph import Nodes
    from gossamer.graph.groups.bipartite_cores import Cores
    from gossamer.plots.groups import PlotGroup

CORE_PRESET = "6-6-0.5-0.8"


def cores(
    graph_input: GraphInput,
    preset: Annotated[
        str,
        typer.Option("--preset", help="Parameters as fans-centres-t_min-t_max (Schmitz 2001, table 3.12)."),
    ] = CORE_PRESET,
    fans: Annotated[int | None, typer.Option("--fans", help="Smallest number of fans in a core.")] = None,
    centres: Annotated[
        int | None, typer.Option("--centres", help="Smallest number of centres in a core.")
    ] = None,
    t_min: TMin = None,
    t_max: TMax = None,
    decay: Decay = None,
    similar: Similar = None,
    famous: Annotated[
        int,
        typer.Option("--famous", help="Pages with more in-links cannot be centres; 0 for no limit.", min=0),
    ] = 300,
    variant: Annotated[
        str,
        typer.Option(
            "--variant",
            help="standard, or seed: every link and every candidate (Schmitz 2001, section 3.4.3).",
        ),
    ] = "standard",
) -> VerbResult:
    """Find fans that link to the same centres: pages with a common interest that need not link to each other.

    \b
    gossamer graph cores --web docs.web --links sites
    gossamer graph cores --web docs.web --links sites --preset 3-3-1-1 --out cores.parquet
    """
    from gossamer.graph.groups.bipartite_cores import cores as find_cores
    from gossamer.graph.groups.density import CORE_PRESETS, CoreRules

    base = find_preset(preset, CORE_PRESETS)
    rules = CoreRules(
        base.fans if fans is None else fans,
        base.centres if centres is None else centres,
        base.thresholds.override(t_min, t_max, decay),
    )
    how = famous or None, graph_input.progress, variant
    found = find_cores(graph_input.loaded.graph, rules, similar, *how)  # type: ignore[arg-type]  # checked there
    return _build_result(graph_input, found, list_rules(rules, similar))


def _build_result(graph_input: GraphInput, found: "Cores", rules: Mapping[str, float]) -> VerbResult:
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
            format_names(group["fans"]),
            format_names(group["centres"]),
        )
        for group in facts
    ]
    famous = f" Too famous to be centres: {format_count(found.famous, 'page')}." if found.famous else ""
    return VerbResult(
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
