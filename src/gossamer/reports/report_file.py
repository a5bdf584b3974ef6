"""A report that is kept with its web: what it says, and the state of the web that it was made from."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import MissingExtra
from gossamer.reports.analysis import Analysis, PageCell, PageListCell
from gossamer.store.batch import Store

FOLDER = "reports"
"""In the folder of a web."""
VERSION = 1
"""The version of the format; a file of another one counts as missing."""
Cell = int | float | str | PageCell | PageListCell


class WebState(msgspec.Struct, frozen=True):
    """What a web held when a report was made."""

    pages: int
    links: int
    last_visit: int


class KeptTable(msgspec.Struct, frozen=True):
    """A table of a report."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


class KeptPlot(msgspec.Struct, frozen=True):
    """A plot of a report, as the bytes of its files."""

    svg: bytes
    png: bytes


class KeptSection(msgspec.Struct, frozen=True):
    """A section of a report."""

    title: str
    notes: list[str]
    tables: list[KeptTable]
    plot: KeptPlot | None
    facts: bytes
    """As JSON."""


class KeptReport(msgspec.Struct, frozen=True):
    """A whole report."""

    kind: str
    made_s: float
    took_s: float
    state: WebState
    key_figure: str
    """The most important figure, in a few words."""
    findings: list[str]
    sections: list[KeptSection]
    version: int = VERSION


def read_state(store: Store) -> WebState:
    """Return what a web holds now."""
    counts = store.counts()
    return WebState(counts["pages"], counts["links"], store.last_visit())


def keep_section(title: str, analysis: Analysis) -> KeptSection:
    """Draw the plot of an analysis, and return everything that a page shows of it."""
    tables = [
        KeptTable(table.title, tuple(table.columns), [tuple(map(_keep_cell, row)) for row in table.rows])
        for table in analysis.tables
        if table.rows
    ]
    notes = list(analysis.notes)
    plot = None
    if analysis.plot is not None and tables:
        try:
            plot = _draw(analysis.plot)
        except MissingExtra as error:
            notes.append(f"There is no plot: {error}.")
    return KeptSection(title, notes, tables, plot, msgspec.json.encode(analysis.facts))


def write_report(report: KeptReport, folder: Path) -> None:
    """Write a report into the folder of its web."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    with write_atomically(place / f"{report.kind}.msgpack") as new:
        new.write_bytes(msgspec.msgpack.encode(report))


def read_report(folder: Path, kind: str) -> KeptReport | None:
    """Read a report from the folder of its web; None if there is none that this version can read."""
    try:
        held = (folder / FOLDER / f"{kind}.msgpack").read_bytes()
        report = msgspec.msgpack.decode(held, type=KeptReport)
    except (OSError, msgspec.DecodeError):
        return None
    return report if report.version == VERSION else None


def make_json(report: KeptReport) -> bytes:
    """Return the facts of a report as one JSON object."""
    facts: Mapping[str, Any] = {section.title: msgspec.Raw(section.facts) for section in report.sections}
    return msgspec.json.encode(
        {
            "report": report.kind,
            "made_s": report.made_s,
            "state": report.state,
            "findings": report.findings,
            "sections": facts,
        }
    )


def make_csv_rows(table: KeptTable) -> list[Sequence[object]]:
    """Return the rows of a table for a CSV file: pages by their whole URLs."""
    return [table.columns, *([_to_csv_cell(cell) for cell in row] for row in table.rows)]


def _to_csv_cell(cell: Cell) -> object:
    if isinstance(cell, PageCell):
        return cell.name
    if isinstance(cell, PageListCell):
        more = [f"… and {cell.more:,} more"] if cell.more else []
        return "\n".join([*(page.name for page in cell.pages), *more])
    return cell


def _keep_cell(cell: object) -> Cell:
    if isinstance(cell, PageCell | PageListCell | int | float):
        return cell
    return str(cell)


def _draw(draw: Callable[[], Any]) -> KeptPlot:
    from gossamer.plots.canvas import encode_figure, remove_title

    figure = remove_title(draw())
    return KeptPlot(encode_figure(figure, "svg"), encode_figure(figure, "png"))
