"""`gossamer graph cores`: bipartite cores, fans that link to the same centres."""

from typing import Annotated

import typer

from gossamer.cli.graph.clusters import Decay, Similar, TMax, TMin
from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.core_groups import CORE_PRESET, FAMOUS
from gossamer.reports.graph.dense_groups import find_preset
from gossamer.reports.graph.graph_input import GraphInput


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
    ] = FAMOUS,
    variant: Annotated[
        str,
        typer.Option(
            "--variant",
            help="standard, or seed: every link and every candidate (Schmitz 2001, section 3.4.3).",
        ),
    ] = "standard",
) -> Analysis:
    """Find fans that link to the same centres: pages with a common interest that need not link to each other.

    \b
    gossamer graph cores --web docs.web --links sites
    gossamer graph cores --web docs.web --links sites --preset 3-3-1-1 --out cores.parquet
    """
    from gossamer.graph.groups.density import CORE_PRESETS, CoreRules
    from gossamer.reports.graph.core_groups import analyse_cores

    base = find_preset(preset, CORE_PRESETS)
    rules = CoreRules(
        base.fans if fans is None else fans,
        base.centres if centres is None else centres,
        base.thresholds.override(t_min, t_max, decay),
    )
    return analyse_cores(graph_input, rules, similar, famous, variant)
