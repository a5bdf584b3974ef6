"""`gossamer graph pagerank`: the best pages by PageRank."""

from typing import Annotated

import typer

from gossamer.cli.graph.start_pages import StartPages, find_start_weights
from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput


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
) -> Analysis:
    """Rank pages by PageRank, in general or around some pages.

    \b
    gossamer graph pagerank --web docs.web --top 50
    gossamer graph pagerank --web docs.web --prefer-pattern '/biblio' --links sites
    gossamer graph pagerank --web docs.web --prefer-search 'haydn symphonies'
    gossamer graph pagerank --edges edges.csv --out ranks.parquet
    """
    from gossamer.reports.graph.page_ranking import analyse_pagerank

    start = StartPages(prefer or (), prefer_pattern, prefer_search, prefer_topic)
    return analyse_pagerank(graph_input, find_start_weights(graph_input, start), damping, epsilon, variant)
