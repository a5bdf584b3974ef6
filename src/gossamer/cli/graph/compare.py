"""`gossamer graph compare`: several crawls, or several selections of one, side by side."""

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
from gossamer.cli.task_options import parse_web
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.graph import Graph
    from gossamer.graph.structure.compare_graphs import GraphSummary
    from gossamer.plots.canvas import Figure

_SELECTION_KEYS = ("links", "unit", "site_rule", "rim", "relevance", "depth", "types", "without_noise")


def compare(
    graphs: Annotated[
        list[str],
        typer.Argument(
            help="Webs or edge files, each with options of its own.", metavar="GRAPH[,KEY=VALUE]…"
        ),
    ],
    shared_options: dict[str, Any],
    shown: dict[str, Any],
    whole_web: Annotated[
        bool,
        typer.Option("--whole-web", help="Add a column for the whole web (Broder et al. 2000)."),
    ] = False,
) -> int:
    """Put the bow-ties, densities and reciprocities of several graphs side by side.

    Options apply to all graphs. After a comma you can give options for one graph: links (as content+hosts), unit, site-rule, rim,
    relevance, depth, types (as a+area), nodes=FILE for an edge file, and name=TEXT for the head of its column.

    \b
    gossamer graph compare broad.web focused.web focused.web,relevance=0.9
    gossamer graph compare broad.web broad.web,links=sites broad.web,unit=hosts --whole-web
    """
    from gossamer.graph.structure.compare_graphs import WHOLE_WEB
    from gossamer.graph.structure.compare_graphs import compare as summarise_graphs

    check_out(shown["out"])
    check_plot(shown["plot"])
    wanted = dict(_parse_graph(graph, shared_options) for graph in graphs)
    if len(wanted) < len(graphs):
        raise BadInput("two of these graphs are the same: give one of them other options, or a name=TEXT")
    with show_progress("compare") as progress:
        columns = [*([WHOLE_WEB] if whole_web else []), *summarise_graphs(wanted, progress)]
    result = tabulate_graphs(columns)
    if shown["plot"] is not None:
        write_plot(result, shown["plot"], "Side by side")
    show_result(result, None, shown["json"], shown["out"], shown["plot"])
    return 0


def _parse_graph(graph: str, shared_options: Mapping[str, Any]) -> "tuple[str, Callable[[], Graph]]":
    """Parse one GRAPH argument; return the name of its column, and a function that loads its graph."""
    path, *options = graph.split(",")
    own = {key.replace("-", "_"): value for key, _, value in (option.partition("=") for option in options)}
    name, nodes = own.pop("name", graph), own.pop("nodes", None)
    for key in own:
        if key not in _SELECTION_KEYS:
            raise BadInput(
                f"{graph}: there is no option {key!r}; choose from {', '.join(_SELECTION_KEYS)}, nodes and name"
            )
    own = {key: value.replace("+", ",") or "true" for key, value in own.items()}
    selection = parse_selection_options({**shared_options, **own})
    folder = parse_web(path)
    source = {"web" if folder.is_dir() else "edges": folder}
    if nodes is not None:
        source["nodes"] = Path(nodes)

    def load_graph() -> "Graph":
        with open_graph(source, selection) as loaded:
            return loaded.graph

    return name, load_graph


def tabulate_graphs(columns: "list[GraphSummary]") -> VerbResult:
    """Make a table of graphs side by side."""
    import msgspec

    from gossamer.cli.output.tables import clean_text

    shares = [{region: column.share(region) for region in column.regions} for column in columns]
    facts = [
        {**msgspec.to_builtins(column), "shares": own} for column, own in zip(columns, shares, strict=True)
    ]
    rows = [
        (name, *(format_cell(column) for column in columns))
        for name, format_cell in _make_rows(columns[0].regions).items()
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
    """Return the rows of the table: a name, and a function that formats the cell of a graph."""

    def format_region(region: str) -> "Callable[[GraphSummary], str]":
        return lambda column: _format_count(column.regions[region], column.nodes)

    return {
        **{region: format_region(region) for region in regions},
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
