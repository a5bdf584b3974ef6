"""`gossamer graph communities`: a division of all pages, each community with its typical words."""

from typing import Annotated

import typer

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput


def communities(
    graph_input: GraphInput,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", help="leiden, or labels (label propagation). [default: leiden up to 10 million links]"
        ),
    ] = None,
    resolution: Annotated[
        float, typer.Option("--resolution", help="A higher value makes smaller communities; for leiden.")
    ] = 1.0,
    rounds: Annotated[
        int, typer.Option("--rounds", help="Rounds of leiden; 0 continues until nothing changes.")
    ] = 2,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same communities.")] = 0,
) -> Analysis:
    """Divide pages into communities with most links inside, each described by its typical words.

    \b
    gossamer graph communities --web docs.web --links sites
    gossamer graph communities --web docs.web --method labels --out communities.csv
    """
    from gossamer.reports.graph.community_table import analyse_communities

    return analyse_communities(graph_input, method, resolution, rounds, seed)
