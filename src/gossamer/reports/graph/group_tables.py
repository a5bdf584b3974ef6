"""Tables, columns for --out and plots of groups of pages, for cliques, clusters, cores and the like."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.reports.analysis import ResultTable
from gossamer.reports.graph.graph_input import label_nodes

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph, Nodes
    from gossamer.plots.canvas import Figure
    from gossamer.plots.groups import PlotGroup


def label_groups(graph: "Graph", groups: "Sequence[NDArray[np.integer]]") -> list[list[dict[str, str]]]:
    """Return the names and titles of the members of each group, read in one query."""
    import numpy as np

    all_nodes = np.concatenate(groups) if groups else np.empty(0, np.int32)
    labels = iter(label_nodes(graph, all_nodes))
    return [[next(labels) for _ in group] for group in groups]


def name_group(member: Mapping[str, str]) -> str:
    """Return the label of a group in a plot: the title of this member, or its name."""
    return member["title"] or member["name"]


def make_group_table(
    title: str, found: int, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> ResultTable:
    """Make a table of the first groups, numbered from 1; the title says how many were found."""
    numbered = [(number, *row) for number, row in enumerate(rows, 1)]
    return ResultTable(title + describe_cut(len(rows), found), ["", *columns], numbered)


def describe_cut(shown: int, found: int) -> str:
    """Return how many of the groups are shown, or "" if all are."""
    return f" (the first {shown:,} of {found:,})" if shown < found else ""


def describe_parameters(rules: Mapping[str, float]) -> str:
    """Return a sentence part that lists the parameters of a search for groups."""
    return "searched with " + ", ".join(f"{name} {value:g}" for name, value in rules.items())


def make_member_columns(
    graph: "Graph", sets: "Mapping[str, Sequence[Nodes]]", group_column: str
) -> dict[str, Sequence[Any]]:
    """Return the members of all groups as columns for --out, with a role column if there are several roles."""
    import numpy as np

    rows = [
        (number + 1, role, group)
        for number in range(max(map(len, sets.values()), default=0))
        for role, groups in sets.items()
        for group in (groups[number],)
    ]
    all_nodes = np.concatenate([np.empty(0, np.int32), *(group for _, _, group in rows)])
    columns: dict[str, Sequence[Any]] = {group_column: [number for number, _, group in rows for _ in group]}
    if len(sets) > 1:
        columns["role"] = [role for _, role, group in rows for _ in group]
    return columns | {"name": graph.names.of(all_nodes), "title": graph.names.titles(all_nodes)}


def make_groups_plot(
    graph: "Graph", groups: "Callable[[], Sequence[PlotGroup]]", title: str, found: int
) -> "Callable[[], Figure]":
    """Return a function that draws the first groups; the title says how many were found."""

    def draw() -> "Figure":
        from gossamer.plots.groups import MOST_GROUPS, draw_groups

        first = groups()[:MOST_GROUPS]
        return draw_groups(graph, first, title + describe_cut(len(first), found))

    return draw
