"""What the verbs that find groups of pages share: lists for machines, tables, files and pictures."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.cli.graph_show import Table, labels

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph, Nodes
    from gossamer.graph.plots.groups import Group
    from gossamer.graph.plots.paper import Figure

_MEMBERS_SHOWN = 5
_NAME_CHARS = 90


def labelled(graph: "Graph", groups: "Sequence[NDArray[np.integer]]") -> list[list[dict[str, str]]]:
    """Return names and titles of the members of groups, looked up all at once."""
    import numpy as np

    everybody = np.concatenate(groups) if groups else np.empty(0, np.int32)
    told = iter(labels(graph, everybody))
    return [[next(told) for _ in group] for group in groups]


def first_names(members: Sequence[Mapping[str, str]]) -> str:
    """Name the first few of a group, one below the other."""
    from gossamer.cli.show import harmless

    names = [harmless(member["name"], _NAME_CHARS) for member in members[:_MEMBERS_SHOWN]]
    more = len(members) - len(names)
    return "\n".join([*names, *([f"… and {more:,} more"] if more else [])])


def group_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """Lay out groups, numbered from 1."""
    return Table(title, ["", *columns], [(number, *row) for number, row in enumerate(rows, 1)])


def member_columns(
    graph: "Graph", sets: "Mapping[str, Sequence[Nodes]]", called: str
) -> dict[str, Sequence[Any]]:
    """Return all members of all groups as long columns for --out, with their role if there are several."""
    import numpy as np

    rows = [
        (number + 1, role, group)
        for number in range(max(map(len, sets.values()), default=0))
        for role, groups in sets.items()
        for group in (groups[number],)
    ]
    everybody = np.concatenate([np.empty(0, np.int32), *(group for _, _, group in rows)])
    columns: dict[str, Sequence[Any]] = {called: [number for number, _, group in rows for _ in group]}
    if len(sets) > 1:
        columns["role"] = [role for _, role, group in rows for _ in group]
    return columns | {"name": graph.names.of(everybody), "title": graph.names.titles(everybody)}


def groups_plot(
    graph: "Graph", groups: "Callable[[], Sequence[Group]]", title: str
) -> "Callable[[], Figure]":
    """Return what draws groups."""

    def draw() -> "Figure":
        from gossamer.graph.plots.groups import groups_figure

        return groups_figure(graph, groups(), title)

    return draw
