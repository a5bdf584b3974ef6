"""`gossamer graph noise`: mirrors, misconfigured servers and link farms, which drown what links say."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gossamer.cli.graph.graph_options import GraphInput
from gossamer.cli.output.group_tables import (
    format_members,
    label_groups,
    make_group_table,
    make_groups_plot,
    make_member_columns,
    name_group,
)
from gossamer.cli.output.result_tables import VerbResult
from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.graph.groups.link_noise import Disturbance
    from gossamer.plots.groups import PlotGroup


def noise(graph_input: GraphInput) -> VerbResult:
    """Find what disturbs: one page on many hosts, servers that answer for all of them, hidden links between hosts.

    All verbs leave it out when told --without-noise.

    \b
    gossamer graph noise --web docs.web
    gossamer graph clusters --web docs.web --links sites --without-noise
    """
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
        (one["kind"], one["pages"], one["hosts"], one["links"], format_members(one["members"]))
        for one in facts
    ]
    pages = sum(len(one.pages) for one in found)
    size = f"{format_count(len(found), 'structure')} of {format_count(pages, 'page')}"
    columns = ["kind", "pages", "hosts", "links among them", "pages, for example"]
    return VerbResult(
        {"found": len(found), "pages": pages, "disturbances": facts},
        [make_group_table("What disturbs", len(found), columns, rows)],
        lambda: {
            **make_member_columns(graph, {"member": [one.pages for one in found]}, "disturbance"),
            "kind": [one.kind for one in found for _ in one.pages],
        },
        [f"What disturbs: {size}; --without-noise leaves it out."],
        make_groups_plot(graph, lambda: _make_plot_groups(top, facts), "What disturbs", len(found)),
    )


def _explain_refusal(graph_input: GraphInput) -> str:
    """Say what to do where a graph does not tell what noise is found by."""
    if edges := graph_input.source.get("edges"):
        return (
            f"noise is found by the words of pages and links and by addresses of servers, which {edges} does not tell: "
            "instead of --edges, give --web with the directory of a crawl"
        )
    return f"noise is found among pages, not among {graph_input.selection.unit}: leave out --unit {graph_input.selection.unit}"


def _make_plot_groups(top: "Sequence[Disturbance]", facts: Sequence[dict[str, Any]]) -> "list[PlotGroup]":
    from gossamer.plots.groups import PlotGroup

    return [
        PlotGroup(
            name_group(told["members"][0]),
            f"{told['kind']}: {told['pages']} pages, {told['hosts']} hosts",
            one.pages,
        )
        for told, one in zip(facts, top, strict=True)
    ]
