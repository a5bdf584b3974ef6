"""What the verbs that find groups of pages share: lists for machines, tables, files and pictures."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.cli.output.result_tables import ResultTable, label_nodes

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph, Nodes
    from gossamer.plots.canvas import Figure
    from gossamer.plots.groups import PlotGroup

_MEMBERS_SHOWN = 5
_NAME_CHARS, _TITLE_CHARS = 90, 40


def label_groups(graph: "Graph", groups: "Sequence[NDArray[np.integer]]") -> list[list[dict[str, str]]]:
    """Return names and titles of the members of groups, looked up all at once."""
    import numpy as np

    everybody = np.concatenate(groups) if groups else np.empty(0, np.int32)
    told = iter(label_nodes(graph, everybody))
    return [[next(told) for _ in group] for group in groups]


def format_names(members: Sequence[Mapping[str, str]]) -> str:
    """Name the first few of a group, one below the other."""
    from gossamer.cli.output.tables import clean_text

    return _join_first(
        [clean_text(one["name"], _NAME_CHARS) for one in members[:_MEMBERS_SHOWN]], len(members)
    )


def format_members(members: Sequence[Mapping[str, str]]) -> str:
    """Name the first few of a group with their titles, one below the other."""
    from gossamer.cli.output.tables import clean_text

    shown = [
        (clean_text(one["name"], _NAME_CHARS), clean_text(one["title"], _TITLE_CHARS))
        for one in members[:_MEMBERS_SHOWN]
    ]
    return _join_first([f"{name} · {title}" if title else name for name, title in shown], len(members))


def name_group(member: Mapping[str, str]) -> str:
    """Return what a group is called in a picture: by the title of one of its members, or by its name."""
    return member["title"] or member["name"]


def make_group_table(
    title: str, found: int, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> ResultTable:
    """Lay out the first groups of those that were found, numbered from 1."""
    numbered = [(number, *row) for number, row in enumerate(rows, 1)]
    return ResultTable(title + describe_cut(len(rows), found), ["", *columns], numbered)


def describe_cut(shown: int, found: int) -> str:
    """Say how many of those that were found are shown, if not all are."""
    return f" (the first {shown:,} of {found:,})" if shown < found else ""


def describe_parameters(rules: Mapping[str, float]) -> str:
    """Say by which parameters groups were looked for."""
    return "looked for with " + ", ".join(f"{name} {value:g}" for name, value in rules.items())


def make_member_columns(
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


def make_groups_plot(
    graph: "Graph", groups: "Callable[[], Sequence[PlotGroup]]", title: str, found: int
) -> "Callable[[], Figure]":
    """Return what draws the first groups of those that were found."""

    def draw() -> "Figure":
        from gossamer.plots.groups import MOST_GROUPS, draw_groups

        first = groups()[:MOST_GROUPS]
        return draw_groups(graph, first, title + describe_cut(len(first), found))

    return draw


def _join_first(lines: list[str], members: int) -> str:
    more = members - len(lines)
    return "\n".join([*lines, *([f"… and {more:,} more"] if more else [])])
