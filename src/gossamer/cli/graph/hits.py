"""`gossamer graph hits`: hubs, which link to good authorities, and authorities, which good hubs link to."""

from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.graph.start_pages import StartPages, find_start_weights
from gossamer.errors import BadInput
from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput

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
) -> Analysis:
    """Rank pages as hubs and as authorities (HITS), in the whole graph or around some pages.

    \b
    gossamer graph hits --web docs.web --links sites
    gossamer graph hits --web docs.web --hubs-pattern 'links\\.html' --around 1
    gossamer graph hits --web docs.web --around-search 'haydn symphonies'
    """
    from gossamer.reports.graph.page_ranking import analyse_hits

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
    return analyse_hits(graph_input, *starts, damping, epsilon, variant, among)


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
