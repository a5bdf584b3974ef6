"""Results about graphs as pictures, and as sections of a page of HTML."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import gossamer
from gossamer.cli.output.result_tables import VerbResult, check_file
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when something is drawn: help has to answer at once
    from gossamer.plots.canvas import Figure
    from gossamer.plots.html_page import Section

PICTURES = (".svg", ".png")
"""Ends of the names of pictures that stand alone."""


def check_plot(plot: Path | None, *ends: str) -> None:
    """Refuse a picture that cannot be written, before anything long is begun."""
    if plot is not None:
        check_file("--plot", plot, *(ends or (*PICTURES, ".html")))
        require_matplotlib()


def require_matplotlib() -> None:
    """Say now, not in the end, that what draws is not installed."""
    import gossamer.plots.canvas  # noqa: F401


def write_plot(told: VerbResult, plot: Path, title: str) -> None:
    """Draw a result; as HTML with its tables below."""
    if told.plot is None:
        raise BadInput(f"--plot {plot}: there is no picture of {title}")
    if plot.suffix != ".html":
        write_picture(told.plot(), plot)
        return
    from gossamer.plots.html_page import render_page

    write_file(plot, render_page(title, [describe_origin()], [make_section(told, title)]).encode())


def write_picture(drawn: "Figure", plot: Path) -> None:
    """Write a picture that stands alone."""
    from gossamer.plots.canvas import encode_figure

    write_file(plot, encode_figure(drawn, "svg" if plot.suffix == ".svg" else "png"))


def describe_origin() -> str:
    """Say what wrote a page, and when."""
    return f"Written by gossamer {gossamer.__version__} on {format_date(time.time())}."


def format_date(moment_s: float) -> str:
    """Say when something was."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment_s))


def make_section(told: VerbResult, title: str) -> "Section":
    """Make a section of a result, with its picture and its tables."""
    from rich.text import Text

    from gossamer.plots.canvas import encode_figure, remove_title
    from gossamer.plots.html_page import HtmlTable, Section

    # Cells are made for a terminal, where brackets from the web are escaped.
    tables = [
        HtmlTable(
            table.title,
            [Text.from_markup(column).plain for column in table.columns],
            [
                [Text.from_markup(cell).plain if isinstance(cell, str) else cell for cell in row]
                for row in table.rows
            ],
        )
        for table in told.tables
        if table.rows
    ]
    svg = encode_figure(remove_title(told.plot()), "svg").decode() if told.plot is not None and tables else ""
    return Section(title, tables, told.notes, svg)


def write_file(path: Path, body: bytes) -> None:
    """Write a file."""
    try:
        path.write_bytes(body)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
