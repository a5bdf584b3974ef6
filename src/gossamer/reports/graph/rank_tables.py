"""Tables and plots of ranked pages, and the selection of pages by name or pattern."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.crawl.task_counts import format_count
from gossamer.errors import BadInput
from gossamer.net.url.url_pattern import compile_pattern
from gossamer.reports.analysis import PageCell, ResultTable, clean_title
from gossamer.reports.graph.graph_input import label_nodes

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph
    from gossamer.plots.canvas import Figure

_MOST_DRAWN, _MOST_ON_PAGE = 50, 20


def select_nodes(graph: "Graph", pages: Sequence[str], pattern: str) -> "NDArray[np.bool_] | None":
    """Mark the nodes with these names or with a match of this pattern; return None if there is neither."""
    if not pages and not pattern:
        return None
    import numpy as np

    names = graph.names.of(range(graph.nodes))
    selected = np.zeros(graph.nodes, np.bool_)
    for page in pages:
        selected[_find_node(names, page)] = True
    if pattern:
        regex = compile_pattern(pattern)
        selected |= np.fromiter((regex.search(name) is not None for name in names), np.bool_, len(names))
        if not selected.any():
            raise BadInput(f"no node has a name that matches {pattern!r}")
    return selected


def _find_node(names: Sequence[str], page: str) -> int:
    """Return the number of a node by its name; the name of a page may be typed without a scheme."""
    for name in (page, f"https://{page}", f"http://{page}", f"https://{page}/", f"http://{page}/"):
        if name in names:
            return names.index(name)
    raise BadInput(f"the graph has no node {page!r}")


def rank_nodes(graph: "Graph", scores: "NDArray[np.float64]", top: int) -> list[dict[str, Any]]:
    """Return the `top` nodes by score (0: all with a score above 0), each with rank, score, name and title."""
    import numpy as np

    order = np.lexsort((np.arange(graph.nodes), -scores))
    order = order[scores[order] > 0][: top or None]
    ranked = zip(order.tolist(), label_nodes(graph, order), strict=True)
    return [
        {"rank": rank, "score": float(scores[node]), **label} for rank, (node, label) in enumerate(ranked, 1)
    ]


def make_ranking_table(title: str, ranked: Sequence[Mapping[str, Any]]) -> ResultTable:
    """Make a table of ranked nodes."""
    with_titles = any(one["title"] for one in ranked)  # graph files have no titles
    cells = 4 if with_titles else 3
    rows = [
        (one["rank"], f"{one['score']:.6f}", PageCell(one["name"]), clean_title(one["title"]))[:cells]
        for one in ranked
    ]
    return ResultTable(title, ["", "score", "name", "title"][:cells], rows)


def make_ranking_plot(
    rankings: Mapping[str, Sequence[Mapping[str, Any]]], on_page: bool = False
) -> "Callable[[], Figure]":
    """Return a function that draws one or more rankings; a page has room for fewer bars than a file."""
    most = _MOST_ON_PAGE if on_page else _MOST_DRAWN

    def draw() -> "Figure":
        from gossamer.plots.distributions import draw_rankings

        pairs = {title: [(one["name"], one["score"]) for one in ranked] for title, ranked in rankings.items()}
        return draw_rankings({title: ranked[:most] for title, ranked in pairs.items()})

    return draw


def describe_convergence(rounds: int, difference: float, converged: bool) -> str:
    """Return a sentence that says how an iteration ended."""
    how = "" if converged else ", without converging"
    return f"{format_count(rounds, 'round')}; the last changed the scores by {difference:.1e} in all{how}."
