"""The best pages by PageRank, and the best hubs and authorities by HITS."""

from typing import TYPE_CHECKING

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput, describe_links, make_node_columns, name_links
from gossamer.reports.graph.rank_tables import (
    describe_convergence,
    make_ranking_plot,
    make_ranking_table,
    rank_nodes,
)

if TYPE_CHECKING:  # imported when the analysis runs
    import numpy as np
    from numpy.typing import NDArray


def analyse_pagerank(
    graph_input: GraphInput,
    preference: "NDArray[np.float64] | None" = None,
    damping: float = 0.85,
    epsilon: float = 1e-8,
    variant: str = "standard",
) -> Analysis:
    """Rank pages by PageRank, in general or around preferred pages."""
    from gossamer.graph.ranking.pagerank import pagerank

    graph = graph_input.loaded.graph
    found = pagerank(
        graph,
        preference,
        damping,
        epsilon,
        variant,  # type: ignore[arg-type]  # checked there
        progress=graph_input.progress,
    )
    top = rank_nodes(graph, found.scores, graph_input.top)
    convergence = {"rounds": found.rounds, "difference": found.difference, "converged": found.converged}
    return Analysis(
        {**convergence, "links": name_links(graph_input), "pages": top},
        [make_ranking_table("PageRank", top)],
        lambda: {**make_node_columns(graph), "score": found.scores.tolist()},
        [
            describe_convergence(found.rounds, found.difference, found.converged),
            describe_links(graph_input, "PageRank"),
        ],
        make_ranking_plot({"PageRank": top}, graph_input.on_page),
    )


def analyse_hits(
    graph_input: GraphInput,
    hubs: "NDArray[np.float64] | None" = None,
    authorities: "NDArray[np.float64] | None" = None,
    damping: float = 0.0,
    epsilon: float = 1e-8,
    variant: str = "standard",
    among: "NDArray[np.bool_] | None" = None,
) -> Analysis:
    """Rank pages as hubs and as authorities, in the whole graph or among some pages."""
    from gossamer.graph.ranking.hits import hits

    graph = graph_input.loaded.graph
    found = hits(
        graph,
        hubs,
        authorities,
        damping=damping,
        epsilon=epsilon,
        variant=variant,  # type: ignore[arg-type]  # checked there
        among=among,
        progress=graph_input.progress,
    )
    weights = {"hubs": found.hubs, "authorities": found.authorities}
    top = {name: rank_nodes(graph, scores, graph_input.top) for name, scores in weights.items()}
    convergence = {"rounds": found.rounds, "difference": found.difference, "converged": found.converged}
    return Analysis(
        {**convergence, **top},
        [make_ranking_table(name.capitalize(), ranked) for name, ranked in top.items()],
        lambda: {**make_node_columns(graph), **{name: scores.tolist() for name, scores in weights.items()}},
        [describe_convergence(found.rounds, found.difference, found.converged)],
        make_ranking_plot({name.capitalize(): ranked for name, ranked in top.items()}, graph_input.on_page),
    )
