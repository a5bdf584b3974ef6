"""`gossamer graph pagerank`: the pages that many follow links to."""

from typing import Annotated

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


def pagerank(
    graph_input: GraphInput,
    prefer: Annotated[
        list[str] | None,
        typer.Option("--prefer", help="A page by its URL to begin at; several may be given."),
    ] = None,
    prefer_pattern: Annotated[
        str,
        typer.Option(
            "--prefer-pattern", help="Begin at pages in whose URL this regular expression is found."
        ),
    ] = "",
    prefer_search: Annotated[
        str, typer.Option("--prefer-search", help="Begin at the pages that this query finds best.")
    ] = "",
    prefer_topic: Annotated[
        str,
        typer.Option("--prefer-topic", help="Begin at pages about this topic, the more the more they are."),
    ] = "",
    damping: Annotated[
        float, typer.Option("--damping", help="Share of its weight that a page passes on.")
    ] = 0.85,
    epsilon: Annotated[
        float,
        typer.Option("--epsilon", help="End when a round changes the weights by less than this in all."),
    ] = 1e-8,
    variant: Annotated[
        str, typer.Option("--variant", help="standard, or seed: the iteration of the seed's section 3.5.")
    ] = "standard",
) -> VerbResult:
    """Rank pages by PageRank, for everybody or around some pages.

    \b
    gossamer graph pagerank --web docs.web --top 50
    gossamer graph pagerank --web docs.web --prefer-pattern '/biblio' --links sites
    gossamer graph pagerank --web docs.web --prefer-search 'haydn symphonies'
    gossamer graph pagerank --edges edges.csv --out ranks.parquet
    """
    from gossamer.graph.ranking.pagerank import pagerank as ranked

    graph = graph_input.loaded.graph
    preference = find_start_weights(
        graph_input, StartPages(prefer or (), prefer_pattern, prefer_search, prefer_topic)
    )
    found = ranked(
        graph,
        preference,
        damping,
        epsilon,
        variant,  # type: ignore[arg-type]  # checked there
        progress=graph_input.progress,
    )
    top = rank_nodes(graph, found.scores, graph_input.top)
    told = {"rounds": found.rounds, "difference": found.difference, "converged": found.converged}
    return VerbResult(
        {**told, "pages": top},
        [make_ranking_table("PageRank", top)],
        lambda: {**make_node_columns(graph), "score": found.scores.tolist()},
        [describe_convergence(found.rounds, found.difference, found.converged)],
        make_ranking_plot({"PageRank": top}),
    )
