"""Show a verb's result: tables on the terminal, JSON on request, and CSV or Parquet files."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.cli.output.json_lines import print_json
from gossamer.cli.output.wording import format_count, format_duration
from gossamer.errors import BadInput
from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import describe_omissions

if TYPE_CHECKING:
    from gossamer.graph.graph import LoadedGraph

_LINE_EVERY_S = 10.0
_UPDATE_EVERY_S = 0.1


def show_result(
    result: Analysis, loaded: "LoadedGraph | None", json: bool, out: Path | None, plot: Path | None = None
) -> None:
    """Print a result and write it to `out`, if given; `plot` has been written before and is only named."""
    if out is not None:
        write_columns(out, result.columns)
    facts = {"graph": _count_graph(loaded), **result.facts} if loaded else result.facts
    if json:
        print_json(facts)
    else:
        _print(result, loaded)
        for what, path in (("whole result", out), ("plot", plot)):
            if path is not None:
                _print_sentence(f"The {what} is in {path}.")


def report_files(paths: Sequence[Path], loaded: "LoadedGraph", json: bool) -> None:
    """Print which files were written and the size of the graph in them."""
    if json:
        facts = {"graph": _count_graph(loaded), "files": [str(path) for path in paths]}
        print_json(facts)
    else:
        graph = loaded.graph
        names = ", ".join(map(str, paths))
        _print_sentence(f"{names}: {format_count(graph.nodes, 'node')}, {format_count(graph.links, 'link')}.")


def check_out(out: Path | None) -> None:
    """Raise `BadInput` if the --out file cannot be written, before any long work starts."""
    if out is not None:
        check_file("--out", out, ".csv", ".parquet")
    if out is not None and out.suffix == ".parquet":
        from gossamer.graph.files.parquet_files import require_arrow

        require_arrow()


def check_file(option: str, path: Path, *suffixes: str) -> None:
    """Raise `BadInput` if the path is not a writable place or has none of these suffixes."""
    if path.suffix not in suffixes:
        possible = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise BadInput(f"{option} {path}: the name must end with {possible}")
    if path.is_dir():
        raise BadInput(f"{option} {path}: this is a folder; name a file")
    if not path.parent.is_dir():
        raise BadInput(f"{option} {path}: there is no folder {path.parent}")


def write_columns(out: Path, columns: Callable[[], Mapping[str, Sequence[Any]]]) -> None:
    """Write columns as CSV or Parquet, according to the suffix."""
    try:
        if out.suffix == ".parquet":
            from gossamer.graph.files.parquet_files import write_parquet

            write_parquet(out, columns())
        else:
            _write_csv(out, columns())
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror}") from None


@contextmanager
def show_progress(what: str, with_time_left: bool = False) -> Iterator[Callable[[float], None]]:
    """Show the progress of long work: a live line on a terminal, otherwise a line every 10 seconds; none with `--quiet`."""
    from gossamer.cli.run_options import Display

    if Display.hidden:
        yield _show_nothing
        return
    began_s = time.monotonic()

    def describe(part: float) -> str:
        left = _estimate_left(part, time.monotonic() - began_s) if with_time_left else ""
        return f"{what}: {part:.0%}{left}"

    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"{what} …") as status:
            shown_s = began_s

            def update(part: float) -> None:
                nonlocal shown_s
                if time.monotonic() - shown_s >= _UPDATE_EVERY_S:
                    shown_s = time.monotonic()
                    status.update(describe(part))

            yield update
        return
    printed_s = began_s

    def print_line(part: float) -> None:
        nonlocal printed_s
        if time.monotonic() - printed_s >= _LINE_EVERY_S:
            printed_s = time.monotonic()
            print(describe(part), file=sys.stderr)  # noqa: T201 - output of the program

    yield print_line


def _show_nothing(_: float) -> None:
    """Take the progress of work that is to be silent."""


def _estimate_left(part: float, took_s: float) -> str:
    """Return how long work will still take, if it goes on as it began; "" before that can be said."""
    if not 0 < part < 1 or took_s < _UPDATE_EVERY_S:
        return ""
    return f", {format_duration(took_s * (1 - part) / part)} left"


def _count_graph(loaded: "LoadedGraph") -> dict[str, int]:
    graph = loaded.graph
    left_out = {
        name: getattr(loaded, name) for name in ("loops", "repeated", "unknown", "disturbing", "template")
    }
    return {"nodes": graph.nodes, "links": graph.links, **left_out}


def _print(result: Analysis, loaded: "LoadedGraph | None") -> None:
    from gossamer.cli.output.tables import print_table

    for one in result.tables:
        if one.rows:
            print_table(one.title, one.columns, one.rows)
    for note in result.notes:
        _print_sentence(note)
    if loaded and (left_out := describe_omissions(loaded)):
        _print_sentence(f"Left out: {left_out}.")


def _print_sentence(sentence: str) -> None:
    from gossamer.cli.output.tables import console

    console.print(sentence)


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
