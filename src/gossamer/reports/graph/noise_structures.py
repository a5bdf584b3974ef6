"""Mirrors, misconfigured servers and link farms."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gossamer.crawl.task_counts import format_count
from gossamer.errors import BadInput
from gossamer.reports.analysis import Analysis, list_members
from gossamer.reports.graph.graph_input import GraphInput
from gossamer.reports.graph.group_tables import (
    label_groups,
    make_group_table,
    make_groups_plot,
    make_member_columns,
    name_group,
)

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.groups.link_noise import Disturbance
    from gossamer.plots.groups import PlotGroup


def analyse_noise(graph_input: GraphInput) -> Analysis:
    """Find link noise: mirrors, misconfigured servers and link farms."""
    from gossamer.store.links.node_details import find_noise, find_stored_names

    graph = graph_input.loaded.graph
    source = find_stored_names(graph.names)
    if source is None:
        raise BadInput(_explain_refusal(graph_input))
    found = find_noise(graph, source)
    top = found[: graph_input.top or None]
    members = label_groups(graph, [one.pages for one in top])
    facts: list[dict[str, Any]] = [
        {"kind": one.kind, "pages": len(one.pages), "hosts": one.hosts, "links": one.links, "members": names}
        for one, names in zip(top, members, strict=True)
    ]
    rows = [
        (one["kind"], one["pages"], one["hosts"], one["links"], list_members(one["members"])) for one in facts
    ]
    pages = sum(len(one.pages) for one in found)
    size = f"{format_count(len(found), 'structure')} of {format_count(pages, 'page')}"
    columns = ["kind", "pages", "hosts", "links among them", "pages, for example"]
    return Analysis(
        {"found": len(found), "pages": pages, "disturbances": facts},
        [make_group_table("Link noise", len(found), columns, rows)],
        lambda: {
            **make_member_columns(graph, {"member": [one.pages for one in found]}, "disturbance"),
            "kind": [one.kind for one in found for _ in one.pages],
        },
        [f"Link noise: {size}" + ("." if graph_input.on_page else "; --without-noise leaves it out.")],
        make_groups_plot(graph, lambda: _make_plot_groups(top, facts), "Link noise", len(found)),
    )


def _explain_refusal(graph_input: GraphInput) -> str:
    """Explain why noise cannot be found in this graph, and what to do."""
    if edges := graph_input.source.get("edges"):
        return (
            f"noise is found by texts of pages and links and by server addresses, which {edges} does not have: "
            "instead of --edges, give --web with the directory of a crawl"
        )
    return f"noise is found among pages, not among {graph_input.selection.unit}: leave out --unit {graph_input.selection.unit}"


def _make_plot_groups(top: "Sequence[Disturbance]", facts: Sequence[dict[str, Any]]) -> "list[PlotGroup]":
    from gossamer.plots.groups import PlotGroup

    return [
        PlotGroup(
            name_group(group["members"][0]),
            f"{group['kind']}: {group['pages']} pages, {group['hosts']} hosts",
            one.pages,
        )
        for group, one in zip(facts, top, strict=True)
    ]
