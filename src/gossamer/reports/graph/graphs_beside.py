"""Several graphs side by side: their bow-ties, densities and reciprocities."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from gossamer.printable_text import clean_text
from gossamer.reports.analysis import Analysis, ResultTable, format_share

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.structure.compare_graphs import GraphSummary
    from gossamer.plots.canvas import Figure


def tabulate_graphs(columns: "list[GraphSummary]") -> Analysis:
    """Make a table of graphs side by side."""
    import msgspec

    shares = [{region: column.share(region) for region in column.regions} for column in columns]
    facts = [
        {**msgspec.to_builtins(column), "shares": own} for column, own in zip(columns, shares, strict=True)
    ]
    rows = [
        (name, *(format_cell(column) for column in columns))
        for name, format_cell in _make_rows(columns[0].regions).items()
    ]
    table = ResultTable("Side by side", ["", *(clean_text(column.name) for column in columns)], rows)
    return Analysis({"columns": facts}, [table], lambda: _to_long_table(columns), plot=lambda: _draw(columns))


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
