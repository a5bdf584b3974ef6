"""How results about graphs are shown: tables for people, JSON for machines, files for other programs."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph, LoadedGraph
    from gossamer.plots.canvas import Figure

_LINE_EVERY_S = 10.0
_NAME_CHARS, _TITLE_CHARS = 80, 40


class ResultTable(msgspec.Struct, frozen=True):
    """A table for people."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class VerbResult(msgspec.Struct, frozen=True):
    """What a verb found, in three dresses."""

    facts: dict[str, Any]
    """For machines."""
    tables: Sequence[ResultTable]
    """For people."""
    columns: Callable[[], Mapping[str, Sequence[Any]]]
    """For --out: the whole result as columns."""
    notes: Sequence[str] = ()
    """Sentences below the tables."""
    plot: "Callable[[], Figure] | None" = None
    """For --plot: the result as a picture."""


def show_result(
    told: VerbResult, loaded: "LoadedGraph | None", json: bool, out: Path | None, plot: Path | None = None
) -> None:
    """Show a result, and write it to a file if that was asked for; its picture, if any, is there already."""
    if out is not None:
        write_columns(out, told.columns)
    facts = {"graph": _graph_facts(loaded), **told.facts} if loaded else told.facts
    if json:
        sys.stdout.write(msgspec.json.encode(facts).decode() + "\n")
    else:
        _print(told, loaded)
        for what, path in (("whole result", out), ("picture", plot)):
            if path is not None:
                _print_sentence(f"The {what} is in {path}.")


def report_files(paths: Sequence[Path], loaded: "LoadedGraph", json: bool) -> None:
    """Say which files were written, and of how large a graph."""
    if json:
        facts = {"graph": _graph_facts(loaded), "files": [str(path) for path in paths]}
        sys.stdout.write(msgspec.json.encode(facts).decode() + "\n")
    else:
        graph = loaded.graph
        names = ", ".join(map(str, paths))
        _print_sentence(f"{names}: {format_count(graph.nodes, 'node')}, {format_count(graph.links, 'link')}.")


def flatten_tables(tables: Sequence[ResultTable]) -> dict[str, list[str]]:
    """Put all tables into one long one: table, row, column, value."""
    cells = [
        (table.title, str(row[0]), column, str(cell))
        for table in tables
        for row in table.rows
        for column, cell in zip(table.columns[1:], row[1:], strict=True)
    ]
    return {name: [cell[at] for cell in cells] for at, name in enumerate(("table", "row", "column", "value"))}


def check_out(out: Path | None) -> None:
    """Refuse a table that cannot be written, before anything long is begun."""
    if out is not None:
        check_file("--out", out, ".csv", ".parquet")
    if out is not None and out.suffix == ".parquet":
        from gossamer.graph.files.parquet_files import require_arrow

        require_arrow()


def check_file(option: str, path: Path, *ends: str) -> None:
    """Refuse a file that cannot be written there, or whose name does not end in one of these ways."""
    if path.suffix not in ends:
        possible = " or ".join(filter(None, (", ".join(ends[:-1]), ends[-1])))
        raise BadInput(f"{option} {path}: the name must end with {possible}")
    if path.is_dir():
        raise BadInput(f"{option} {path}: that is a folder, and a file is to be written")
    if not path.parent.is_dir():
        raise BadInput(f"{option} {path}: there is no folder {path.parent}")


def write_columns(out: Path, columns: Callable[[], Mapping[str, Sequence[Any]]]) -> None:
    """Write columns as CSV or Parquet, as the end of the name says."""
    try:
        if out.suffix == ".parquet":
            from gossamer.graph.files.parquet_files import write as write_parquet

            write_parquet(out, columns())
        else:
            _write_csv(out, columns())
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror}") from None


def format_share(part: float, whole: float) -> str:
    """Say which share this is, as the seed's tables do."""
    return f"{part / whole:.2%}" if whole else ""


def label_nodes(graph: "Graph", nodes: "Sequence[int] | NDArray[np.integer]") -> list[dict[str, str]]:
    """Return name and title of some nodes, for machines."""
    pairs = zip(graph.names.of(nodes), graph.names.titles(nodes), strict=True)
    return [{"name": name, "title": title} for name, title in pairs]


def make_node_columns(graph: "Graph") -> dict[str, Sequence[Any]]:
    """Return the names and titles of all nodes, for --out."""
    everybody = range(graph.nodes)
    return {"name": graph.names.of(everybody), "title": graph.names.titles(everybody)}


def format_label(label: Mapping[str, str]) -> tuple[str, str]:
    """Make name and title fit for a terminal."""
    from gossamer.cli.output.tables import clean_text

    return clean_text(label["name"], _NAME_CHARS), clean_text(label["title"], _TITLE_CHARS)


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[float], None]]:
    """Tell how far a long computation is: a live line on a terminal, a line now and then elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"{what} …") as status:
            yield lambda part: status.update(f"{what}: {part:.0%}")
        return
    told_s = time.monotonic()

    def tell(part: float) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= _LINE_EVERY_S:
            told_s = time.monotonic()
            print(f"{what}: {part:.0%}", file=sys.stderr)  # noqa: T201 - this is the program's voice

    yield tell


def _graph_facts(loaded: "LoadedGraph") -> dict[str, int]:
    graph = loaded.graph
    left_out = {name: getattr(loaded, name) for name in ("loops", "repeated", "unknown", "disturbing")}
    return {"nodes": graph.nodes, "links": graph.links, **left_out}


def _print(told: VerbResult, loaded: "LoadedGraph | None") -> None:
    from gossamer.cli.output.tables import print_table

    for one in told.tables:
        if one.rows:
            print_table(one.title, one.columns, one.rows)
    for note in told.notes:
        _print_sentence(note)
    if loaded and (left_out := describe_omissions(loaded)):
        _print_sentence(f"Left out: {left_out}.")


def describe_omissions(loaded: "LoadedGraph") -> str:
    """Say what was left out when a graph was made; nothing, if nothing was."""
    told = [
        (loaded.loops, "link", "of a node to itself"),
        (loaded.repeated, "repeated link", ""),
        (loaded.unknown, "link", "to pages that were not chosen or not fetched"),
        (loaded.disturbing, "page", "that disturb" if loaded.disturbing != 1 else "that disturbs"),
    ]
    return ", ".join(f"{format_count(number, noun)} {more}".rstrip() for number, noun, more in told if number)


def _print_sentence(sentence: str) -> None:
    from gossamer.cli.output.tables import console

    console.print(sentence, markup=False)


def _write_csv(out: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    import csv

    from gossamer.store.export.csv_files import escape_formula

    values = [
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in column]
        for column in columns.values()
    ]
    with out.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        rows.writerows(zip(*values, strict=True))
