"""`gossamer graph hits`: hubs, which link to good authorities, and authorities, which good hubs link to."""

from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.graph.graph_options import GraphInput
from gossamer.cli.graph.start_pages import StartPages, find_start_weights
from gossamer.cli.output.rank_tables import (
    describe_convergence,
    make_ranking_plot,
    make_ranking_table,
    rank_nodes,
)
from gossamer.cli.output.result_tables import VerbResult, make_node_columns
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    import numpy as np
    from numpy.typing import NDArray


def hits(
    graph_input: GraphInput,
    hubs: Annotated[
        list[str] | None,
        typer.Option("--hubs", help="URL of a page to start from as a hub; can be repeated."),
    ] = None,
    hubs_pattern: Annotated[
        str,
        typer.Option(
            "--hubs-pattern", help="Start from pages whose URL matches this regular expression as hubs."
        ),
    ] = "",
    authorities: Annotated[
        list[str] | None,
        typer.Option("--authorities", help="URL of a page to start from as an authority; can be repeated."),
    ] = None,
    authorities_pattern: Annotated[
        str, typer.Option("--authorities-pattern", help="The same as authorities.")
    ] = "",
    hubs_search: Annotated[
        str, typer.Option("--hubs-search", help="Start from the best results of this query as hubs.")
    ] = "",
    authorities_search: Annotated[
        str, typer.Option("--authorities-search", help="The same as authorities.")
    ] = "",
    hubs_topic: Annotated[
        str, typer.Option("--hubs-topic", help="Start from pages about this topic as hubs.")
    ] = "",
    authorities_topic: Annotated[
        str, typer.Option("--authorities-topic", help="The same as authorities.")
    ] = "",
    around_search: Annotated[
        str,
        typer.Option("--around-search", help="Only the best results of this query, and their neighbours."),
    ] = "",
    around_topic: Annotated[
        str, typer.Option("--around-topic", help="Only pages about this topic, and their neighbours.")
    ] = "",
    around: Annotated[
        int,
        typer.Option(
            "--around",
            help="Only pages at most this many links from a start page; 0: the whole graph (1 with --around-…).",
            min=0,
        ),
    ] = 0,
    damping: Annotated[
        float, typer.Option("--damping", help="Share of its weight that a page keeps in a round.")
    ] = 0.0,
    epsilon: Annotated[
        float, typer.Option("--epsilon", help="End when a round changes the weights by less than this (L2).")
    ] = 1e-8,
    variant: Annotated[
        str, typer.Option("--variant", help="standard, or seed: the iteration of Schmitz 2001, section 3.6.")
    ] = "standard",
) -> VerbResult:
    """Rank pages as hubs and as authorities (HITS), in the whole graph or around some pages.

    \b
    gossamer graph hits --web docs.web --links sites
    gossamer graph hits --web docs.web --hubs-pattern 'links\\.html' --around 1
    gossamer graph hits --web docs.web --around-search 'haydn symphonies'
    """
    from gossamer.graph.ranking.hits import hits as compute_hits

    graph = graph_input.loaded.graph
    starts = (
        find_start_weights(graph_input, StartPages(hubs or (), hubs_pattern, hubs_search, hubs_topic)),
        find_start_weights(
            graph_input,
            StartPages(authorities or (), authorities_pattern, authorities_search, authorities_topic),
        ),
    )
    roots = find_start_weights(graph_input, StartPages(query=around_search, topic=around_topic))
    among = _select_neighbourhood(
        graph_input, starts if roots is None else (roots,), around or int(roots is not None)
    )
    found = compute_hits(
        graph,
        *starts,
        damping=damping,
        epsilon=epsilon,
        variant=variant,  # type: ignore[arg-type]  # checked there
        among=among,
        progress=graph_input.progress,
    )
    weights = {"hubs": found.hubs, "authorities": found.authorities}
    top = {name: rank_nodes(graph, scores, graph_input.top) for name, scores in weights.items()}
    convergence = {"rounds": found.rounds, "difference": found.difference, "converged": found.converged}
    return VerbResult(
        {**convergence, **top},
        [make_ranking_table(name.capitalize(), ranked) for name, ranked in top.items()],
        lambda: {**make_node_columns(graph), **{name: scores.tolist() for name, scores in weights.items()}},
        [describe_convergence(found.rounds, found.difference, found.converged)],
        make_ranking_plot({name.capitalize(): ranked for name, ranked in top.items()}),
    )


def _select_neighbourhood(
    graph_input: GraphInput, starts: "tuple[NDArray[np.float64] | None, ...]", steps: int
) -> "NDArray[np.bool_] | None":
    """Return the neighbourhood of the start pages (Kleinberg 1999), or None for the whole graph."""
    if not steps:
        return None
    from gossamer.graph.ranking.hits import find_neighbourhood

    roots = [start > 0 for start in starts if start is not None]
    if not roots:
        raise BadInput("--around needs pages to start from: --hubs, --authorities or their patterns")
    return find_neighbourhood(graph_input.loaded.graph, sum(roots[1:], start=roots[0]), steps)
