"""`gossamer graph compare`: several crawls, or choices of one, side by side."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.graph.graph_options import open_graph, parse_selection_options
from gossamer.cli.output.plot_files import check_plot, write_plot
from gossamer.cli.output.result_tables import (
    ResultTable,
    VerbResult,
    check_out,
    format_share,
    show_progress,
    show_result,
)
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.graph.graph import Graph
    from gossamer.graph.structure.compare_graphs import GraphSummary
    from gossamer.plots.canvas import Figure

_SELECTION_KEYS = ("links", "unit", "site_rule", "rim", "relevance", "depth", "types", "without_noise")


def compare(
    graphs: Annotated[
        list[str],
        typer.Argument(
            help="Webs or edge files, each with choices of its own.", metavar="GRAPH[,KEY=VALUE]…"
        ),
    ],
    told: dict[str, Any],
    shown: dict[str, Any],
    whole_web: Annotated[
        bool,
        typer.Option("--whole-web", help="Beside them the whole web, as Broder et al. found it in 2000."),
    ] = False,
) -> int:
    """Put the bow-ties, densities and reciprocities of several graphs side by side.

    Options hold for all of them; behind a comma stands what holds for one: links, unit, site-rule, rim, relevance,
    depth, types (as a+area) like the options, nodes=FILE for an edge file, name=TEXT for the head of its column.

    \b
    gossamer graph compare broad.web focused.web focused.web,relevance=0.9
    gossamer graph compare broad.web broad.web,links=sites broad.web,unit=hosts --whole-web
    """
    from gossamer.graph.structure.compare_graphs import WHOLE_WEB
    from gossamer.graph.structure.compare_graphs import compare as compared

    check_out(shown["out"])
    check_plot(shown["plot"])
    wanted = dict(_parse_graph(graph, told) for graph in graphs)
    if len(wanted) < len(graphs):
        raise BadInput("two of these graphs are the same: give one of them another choice, or a name=TEXT")
    with show_progress("compare") as progress:
        columns = [*([WHOLE_WEB] if whole_web else []), *compared(wanted, progress)]
    told_all = tabulate_graphs(columns)
    if shown["plot"] is not None:
        write_plot(told_all, shown["plot"], "Side by side")
    show_result(told_all, None, shown["json"], shown["out"], shown["plot"])
    return 0


def _parse_graph(graph: str, told: Mapping[str, Any]) -> "tuple[str, Callable[[], Graph]]":
    """Find out what one column is to be: its name, and how its graph is loaded."""
    path, *options = graph.split(",")
    own = {
        key.replace("-", "_"): value for key, _, value in (selection.partition("=") for selection in options)
    }
    name, nodes = own.pop("name", graph), own.pop("nodes", None)
    for key in own:
        if key not in _SELECTION_KEYS:
            raise BadInput(
                f"{graph}: there is no choice {key!r}; there are {', '.join(_SELECTION_KEYS)}, nodes and name"
            )
    own = {key: value.replace("+", ",") or "true" for key, value in own.items()}
    selection = parse_selection_options({**told, **own})
    source = {"web" if Path(path).is_dir() else "edges": Path(path)}
    if nodes is not None:
        source["nodes"] = Path(nodes)

    def load() -> "Graph":
        with open_graph(source, selection) as loaded:
            return loaded.graph

    return name, load


def tabulate_graphs(columns: "list[GraphSummary]") -> VerbResult:
    """Lay out graphs side by side."""
    import msgspec

    from gossamer.cli.output.tables import clean_text

    shares = [{region: column.share(region) for region in column.regions} for column in columns]
    facts = [
        {**msgspec.to_builtins(column), "shares": own} for column, own in zip(columns, shares, strict=True)
    ]
    rows = [
        (name, *(say(column) for column in columns)) for name, say in _make_rows(columns[0].regions).items()
    ]
    table = ResultTable("Side by side", ["", *(clean_text(column.name) for column in columns)], rows)
    return VerbResult(
        {"columns": facts}, [table], lambda: _to_long_table(columns), plot=lambda: _draw(columns)
    )


def _draw(columns: "list[GraphSummary]") -> "Figure":
    from gossamer.plots.distributions import draw_comparison

    return draw_comparison(
        {column.name: {region: column.share(region) for region in column.regions} for column in columns}
    )


def _make_rows(regions: Iterable[str]) -> "dict[str, Callable[[GraphSummary], str]]":
    """Return what the rows say of a column, by their names."""

    def of_region(region: str) -> "Callable[[GraphSummary], str]":
        return lambda column: _format_count(column.regions[region], column.nodes)

    return {
        **{region: of_region(region) for region in regions},
        "nodes": lambda column: _format_count(column.nodes, column.nodes),
        "links": lambda column: "" if column.links is None else f"{column.links:,}",
        "density": lambda column: "" if column.density is None else f"{column.density:.2e}",
        "reciprocity": lambda column: "" if column.reciprocity is None else f"{column.reciprocity:.2%}",
    }


def _format_count(number: int | None, whole: int) -> str:
    return "" if number is None else f"{number:>11,} {format_share(number, whole):>8}"


def _to_long_table(columns: "list[GraphSummary]") -> dict[str, list[Any]]:
    """Put all figures into one long table: graph, region, nodes, share."""
    cells = [
        (column.name, region, number, column.share(region))
        for column in columns
        for region, number in column.regions.items()
    ]
    return {
        name: [cell[at] for cell in cells] for at, name in enumerate(("graph", "region", "nodes", "share"))
    }
