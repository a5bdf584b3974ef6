"""The verb `gossamer sql`: ask a web a question in SQL."""

import csv
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.store.query.run_query import QueryRows

_SHOWN_ROWS = 1_000
_SHOWN_CHARACTERS = 300
_LINES_AT_ONCE = 500


def sql(
    query: Annotated[
        str, typer.Argument(help="One query, or - to read it from standard input.", metavar="QUERY")
    ],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, with a line of column names.")] = False,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0, help="End the query after so many seconds; 0: never.")
    ] = 0.0,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Ask a web a question in SQL, over the views pages, urls, links, visits, decisions and tasks.

    The views have the same columns in every version, and in SQLite and PostgreSQL; docs/sql.md describes them, with examples. A query only reads, and sees the web as it is at one moment; a crawl goes on meanwhile. Without --json and --csv, the first 1,000 rows are shown.

    \b
    gossamer sql "select host, count(*) as pages from pages group by host order by pages desc" --web docs.web
    gossamer sql "select url, status from pages where status >= 400" --csv --web docs.web
    gossamer sql "select text, count(*) from links group by text" --json --web docs.web
    gossamer sql - --time-limit 60 --web docs.web < question.sql
    """
    from gossamer.errors import BadInput
    from gossamer.store.query.run_query import run_query
    from gossamer.web import check_web

    if json and as_csv:
        raise BadInput("choose one of --json and --csv")
    check_web(web)
    text = sys.stdin.read() if query == "-" else query
    with run_query(web, text, time_limit) as found:
        if json:
            _print_json(found)
        elif as_csv:
            _print_csv(found)
        else:
            _print_rows(found)
    return 0


def _print_json(found: "QueryRows") -> None:
    import msgspec

    from gossamer.cli.output.json_lines import write_json_lines

    while some := list(islice(found.rows, _LINES_AT_ONCE)):
        records = (dict(zip(found.columns, map(_to_plain, row), strict=True)) for row in some)
        write_json_lines([msgspec.json.encode(record) for record in records])


def _print_csv(found: "QueryRows") -> None:
    from gossamer.cli.output.terminal_text import clean_text
    from gossamer.store.export.csv_files import escape_formula

    is_terminal = sys.stdout.isatty()

    def show(value: object) -> object:
        value = _to_plain(value)
        if not isinstance(value, str):
            return value
        return escape_formula(clean_text(value, len(value)) if is_terminal else value)

    sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]  # CSV has its own ends of lines
    writer = csv.writer(sys.stdout)
    writer.writerow(map(show, found.columns))
    writer.writerows(map(show, row) for row in found.rows)
    sys.stdout.flush()


def _print_rows(found: "QueryRows") -> None:
    from gossamer.cli.output.tables import console, print_table

    rows = list(islice(found.rows, _SHOWN_ROWS + 1))
    if not rows:
        console.print("No rows.")
        return
    print_table("", found.columns, [_shorten(row) for row in rows[:_SHOWN_ROWS]])
    if len(rows) > _SHOWN_ROWS:
        console.print(f"There are more than {_SHOWN_ROWS:,} rows: --json and --csv print all of them.")


def _shorten(row: Iterable[object]) -> list[object]:
    from gossamer.cli.output.terminal_text import clean_text

    plain = map(_to_plain, row)
    return [
        clean_text(value, _SHOWN_CHARACTERS) if isinstance(value, str) else "" if value is None else value
        for value in plain
    ]


def _to_plain(value: Any) -> Any:
    """Return a value as JSON has it; bytes become digits, and dates and exact numbers of PostgreSQL plain ones."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, list | tuple):
        return [_to_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _to_plain(each) for name, each in value.items()}
    is_number = type(value).__name__ == "Decimal"
    return (int(value) if value == value.to_integral_value() else float(value)) if is_number else str(value)
