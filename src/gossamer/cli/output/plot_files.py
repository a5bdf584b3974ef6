"""Write results as SVG, PNG or HTML files."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import gossamer
from gossamer.cli.output.result_tables import check_file
from gossamer.errors import BadInput
from gossamer.reports.analysis import Analysis

if TYPE_CHECKING:  # imported when something is drawn, so that help stays quick
    from gossamer.plots.canvas import Figure
    from gossamer.plots.html_page import Section

PICTURES = (".svg", ".png")
"""Suffixes of plots without tables; .html has tables, too."""


def check_plot(plot: Path | None, *suffixes: str) -> None:
    """Raise `BadInput` if the plot cannot be written, before any long work starts."""
    if plot is not None:
        check_file("--plot", plot, *(suffixes or (*PICTURES, ".html")))
        require_matplotlib()


def require_matplotlib() -> None:
    """Raise `MissingExtra` before any long work starts if matplotlib is not installed."""
    import gossamer.plots.canvas  # noqa: F401


def write_plot(result: Analysis, plot: Path, title: str) -> None:
    """Draw a result into a file; .html also holds its tables."""
    if result.plot is None:
        raise BadInput(f"--plot {plot}: {title} has no plot")
    if plot.suffix != ".html":
        write_picture(result.plot(), plot)
        return
    from gossamer.plots.html_page import render_page

    write_file(plot, render_page(title, [describe_origin()], [make_section(result, title)]).encode())


def write_picture(figure: "Figure", plot: Path) -> None:
    """Write a figure as SVG or PNG, according to the suffix."""
    from gossamer.plots.canvas import encode_figure

    write_file(plot, encode_figure(figure, "svg" if plot.suffix == ".svg" else "png"))


def describe_origin() -> str:
    """Return a sentence that names the version of Gossamer and the time."""
    return f"Written by gossamer {gossamer.__version__} on {format_date(time.time())}."


def format_date(moment_s: float) -> str:
    """Return a date and time in UTC, from Unix seconds."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment_s))


def make_section(result: Analysis, title: str) -> "Section":
    """Make a section of an HTML page from a result: its plot, tables and notes."""
    from gossamer.plots.canvas import encode_figure, remove_title
    from gossamer.plots.html_page import HtmlTable, Section

    tables = [HtmlTable(table.title, table.columns, table.rows) for table in result.tables if table.rows]
    svg = (
        encode_figure(remove_title(result.plot()), "svg").decode()
        if result.plot is not None and tables
        else ""
    )
    return Section(title, tables, result.notes, svg)


def write_file(path: Path, body: bytes) -> None:
    """Write a file; raise `BadInput` if that fails."""
    try:
        path.write_bytes(body)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
