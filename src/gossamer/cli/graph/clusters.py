"""`gossamer graph cliques` and `clusters`: pages that all, or mostly, link to each other."""

from typing import Annotated

import typer

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.dense_groups import CLUSTER_PRESET, find_preset
from gossamer.reports.graph.graph_input import GraphInput

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
) -> Analysis:
    """Find sets of pages in which each page links to every other.

    \b
    gossamer graph cliques --web docs.web --links sites
    gossamer graph cliques --edges edges.csv --size 5 --out cliques.csv
    """
    from gossamer.reports.graph.dense_groups import analyse_cliques

    return analyse_cliques(graph_input, size)


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
) -> Analysis:
    """Find sets of pages that link to each other densely.

    \b
    gossamer graph clusters --web docs.web --links sites
    gossamer graph clusters --web docs.web --links sites --preset 8-0.3-0.6 --similar 0.7
    gossamer graph clusters --web docs.web --size 5 --t-min 0.4 --t-max 0.9
    """
    from gossamer.graph.groups.density import CLUSTER_PRESETS, ClusterRules
    from gossamer.reports.graph.dense_groups import analyse_clusters

    base = find_preset(preset, CLUSTER_PRESETS)
    rules = ClusterRules(base.size if size is None else size, base.thresholds.override(t_min, t_max, decay))
    return analyse_clusters(graph_input, rules, similar)
