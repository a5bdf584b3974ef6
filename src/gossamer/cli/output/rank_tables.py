"""What the verbs that rank pages share: start sets by name or pattern, and lists of the best."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.cli.output.result_tables import ResultTable, format_label, label_nodes
from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph
    from gossamer.plots.canvas import Figure

_MOST_DRAWN = 50


def select_nodes(graph: "Graph", pages: Sequence[str], pattern: str) -> "NDArray[np.bool_] | None":
    """Say of each node whether it is meant, by its name or by a pattern found in it; None if nothing was asked for."""
    if not pages and not pattern:
        return None
    import numpy as np

    names = graph.names.of(range(graph.nodes))
    meant = np.zeros(graph.nodes, np.bool_)
    for page in pages:
        if page not in names:
            raise BadInput(f"the graph has no node {page!r}")
        meant[names.index(page)] = True
    if pattern:
        found = _compile_pattern(pattern)
        meant |= np.fromiter((found.search(name) is not None for name in names), np.bool_, len(names))
        if not meant.any():
            raise BadInput(f"{pattern!r} is found in no name of a node")
    return meant


def rank_nodes(graph: "Graph", scores: "NDArray[np.float64]", top: int) -> list[dict[str, Any]]:
    """Return the nodes with the highest scores above 0, the highest first, with rank, name and title."""
    import numpy as np

    order = np.lexsort((np.arange(graph.nodes), -scores))
    order = order[scores[order] > 0][: top or None]
    ranked = zip(order.tolist(), label_nodes(graph, order), strict=True)
    return [
        {"rank": place, "score": float(scores[node]), **label}
        for place, (node, label) in enumerate(ranked, 1)
    ]


def make_ranking_table(title: str, ranked: Sequence[Mapping[str, Any]]) -> ResultTable:
    """Lay out a list of the best."""
    with_titles = any(one["title"] for one in ranked)  # files tell none
    cells = 4 if with_titles else 3
    rows = [(one["rank"], f"{one['score']:.6f}", *format_label(one))[:cells] for one in ranked]
    return ResultTable(title, ["", "score", "name", "title"][:cells], rows)


def make_ranking_plot(rankings: Mapping[str, Sequence[Mapping[str, Any]]]) -> "Callable[[], Figure]":
    """Return what draws lists of the best."""

    def draw() -> "Figure":
        from gossamer.plots.distributions import draw_rankings

        pairs = {title: [(one["name"], one["score"]) for one in ranked] for title, ranked in rankings.items()}
        return draw_rankings({title: ranked[:_MOST_DRAWN] for title, ranked in pairs.items()})

    return draw


def describe_convergence(rounds: int, difference: float, converged: bool) -> str:
    """Say how an iteration ended."""
    how = "" if converged else ", without coming to rest"
    return f"{format_count(rounds, 'round')}; the last changed the scores by {difference:.1e} in all{how}."


def _compile_pattern(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise BadInput(f"{pattern!r} is not a regular expression: {error}") from None
