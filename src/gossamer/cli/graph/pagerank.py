"""`gossamer graph pagerank`: the best pages by PageRank."""

from typing import Annotated

import typer

from gossamer.cli.graph.graph_options import GraphInput, describe_links, name_links
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
        typer.Option("--prefer", help="URL of a page to start from; can be repeated."),
    ] = None,
    prefer_pattern: Annotated[
        str,
        typer.Option("--prefer-pattern", help="Start from pages whose URL matches this regular expression."),
    ] = "",
    prefer_search: Annotated[
        str, typer.Option("--prefer-search", help="Start from the best results of this query.")
    ] = "",
    prefer_topic: Annotated[
        str,
        typer.Option("--prefer-topic", help="Start from pages about this topic, weighted by probability."),
    ] = "",
    damping: Annotated[
        float, typer.Option("--damping", help="Share of its weight that a page passes on.")
    ] = 0.85,
    epsilon: Annotated[
        float,
        typer.Option("--epsilon", help="End when a round changes the weights by less than this (L1)."),
    ] = 1e-8,
    variant: Annotated[
        str, typer.Option("--variant", help="standard, or seed: the iteration of Schmitz 2001, section 3.5.")
    ] = "standard",
) -> VerbResult:
    """Rank pages by PageRank, in general or around some pages.

    \b
    gossamer graph pagerank --web docs.web --top 50
    gossamer graph pagerank --web docs.web --prefer-pattern '/biblio' --links sites
    gossamer graph pagerank --web docs.web --prefer-search 'haydn symphonies'
    gossamer graph pagerank --edges edges.csv --out ranks.parquet
    """
    from gossamer.graph.ranking.pagerank import pagerank as compute_pagerank

    graph = graph_input.loaded.graph
    preference = find_start_weights(
        graph_input, StartPages(prefer or (), prefer_pattern, prefer_search, prefer_topic)
    )
    found = compute_pagerank(
        graph,
        preference,
        damping,
        epsilon,
        variant,  # type: ignore[arg-type]  # checked there
        progress=graph_input.progress,
    )
    top = rank_nodes(graph, found.scores, graph_input.top)
    convergence = {"rounds": found.rounds, "difference": found.difference, "converged": found.converged}
    return VerbResult(
        {**convergence, "links": name_links(graph_input), "pages": top},
        [make_ranking_table("PageRank", top)],
        lambda: {**make_node_columns(graph), "score": found.scores.tolist()},
        [
            describe_convergence(found.rounds, found.difference, found.converged),
            describe_links(graph_input, "PageRank"),
        ],
        make_ranking_plot({"PageRank": top}),
    )
