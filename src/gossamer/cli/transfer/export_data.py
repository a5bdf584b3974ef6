"""The verbs `gossamer export records` and `gossamer export tables`: what pages describe, and their tables, as one table."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gossamer.cli.output.terminal_text import print_error

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.fields.structured_data import DataReader
    from gossamer.records import Page
    from gossamer.store.export.table_columns import ColumnType
    from gossamer.web import Web

DataForm = Literal["records", "tables"]
_MOST_COLUMNS = 500
"""Spreadsheets and people cope with no more."""
_FIXED: "dict[DataForm, dict[str, ColumnType]]" = {
    "records": {"url": "text", "fetched": "time", "source": "text", "type": "text"},
    "tables": {"url": "text", "fetched": "time", "table": "integer", "caption": "text", "row": "integer"},
}
_NOTHING = {
    "records": "no archived page describes anything of this kind; `gossamer fields URL` shows what a page describes.",
    "tables": "no archived page has a table with two rows or more.",
}
_Row = tuple[list[Any], dict[str, Sequence[str | int | float]]]


class DataExport(msgspec.Struct, frozen=True):
    """What to export of the data of pages."""

    form: DataForm
    types: Sequence[str]
    keep: Callable[[str], bool]
    json: bool


def export_data(web: Path, out: Path, wanted: DataExport) -> int:
    """Write the records or tables of all archived pages and print a summary; the exit code is 1 if there are none."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count
    from gossamer.store.export.field_table import GrowingTable
    from gossamer.web import open_to_read

    pages: set[int] = set()
    with (
        open_to_read(web) as opened,
        show_progress("Reading pages") as progress,
        GrowingTable(_FIXED[wanted.form], out, _MOST_COLUMNS) as table,
    ):
        for page, data in _read_pages(opened, wanted, progress):
            for fixed, cells in _LISTERS[wanted.form](data, wanted):
                pages.add(page.id)
                table.add([page.url, page.fetched_s, *fixed], cells)
        rows = table.write()
    if wanted.json:
        print_json({"path": str(out), "rows": rows, "pages": len(pages), "columns": table.columns, "left_out": table.left_out})  # fmt: skip
    else:
        console.print(f"{out}: {format_count(rows, 'row')} of {format_count(len(pages), 'page')}")
    if table.left_out:
        print_error(f"{format_count(table.left_out, 'column')} that few rows have were left out.")
    if not rows:
        print_error(_NOTHING[wanted.form])
    return int(not rows)


def _read_pages(
    web: "Web", wanted: DataExport, progress: Callable[[float], None]
) -> "Iterator[tuple[Page, DataReader]]":
    from gossamer.crawl.from_archive.page_data import read_page_data

    every, done = max(1, web.store.counts()["pages"]), 0

    def count_page(_: "Page") -> None:
        nonlocal done
        done += 1
        progress(min(1.0, done / every))

    yield from read_page_data(web.store, web.folder / "archive", wanted.keep, count_page)


def _list_record_rows(data: "DataReader", wanted: DataExport) -> Iterator[_Row]:
    from gossamer.fields.flatten_items import list_records

    types = frozenset(one.rpartition("/")[2].lower() for one in wanted.types)
    for one in list_records(data, types):
        yield [one.source, one.type], dict(one.values)


def _list_table_rows(data: "DataReader", _: DataExport) -> Iterator[_Row]:
    for number, table in enumerate(data.tables, 1):
        for at, row in enumerate(table.rows, 1):
            cells = {f"column_{place}": [cell] for place, cell in enumerate(row, 1)}
            yield [number, table.caption, at], dict(cells)


_LISTERS = {"records": _list_record_rows, "tables": _list_table_rows}
