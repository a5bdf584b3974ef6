"""The verb `gossamer export fields`: write the declared fields of pages as one table."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.cli.fields.fields import load_extractor
from gossamer.cli.output.terminal_text import print_error
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.fields.extract_fields import FieldExtractor
    from gossamer.records import Page
    from gossamer.store.export.table_columns import ColumnType
    from gossamer.web import Web

_TYPES: "dict[str, ColumnType]" = {"text": "text", "url": "text", "number": "number", "date": "time"}
_LISTS: "dict[str, ColumnType]" = {"text": "texts", "url": "texts", "number": "numbers", "date": "times"}


class FieldCounts:
    """Counts the pages that have fields, and those that lack one."""

    def __init__(self) -> None:
        self.pages: set[int] = set()
        self.missing: Counter[str] = Counter()


def export_fields(web: Path, out: Path, task: Path | None, keep: Callable[[str], bool], json: bool) -> int:
    """Write the fields of all archived pages and print a summary; the exit code is 1 if a required field is on no page."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import clean_text, console
    from gossamer.cli.output.wording import format_count
    from gossamer.store.export.field_table import write_field_table
    from gossamer.web import open_to_read

    if out == Path("-"):
        raise BadInput("name the file to write to: gossamer export fields OUT.csv, or OUT.parquet")
    counts = FieldCounts()
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        extractor = load_extractor(opened, task)
        written = write_field_table(
            _make_columns(extractor), _list_rows(opened, extractor, keep, counts, progress), out
        )
    required = {rule.name for rule in extractor.rules if rule.required}
    missing = {name: counts.missing[name] for name in required if counts.missing[name]}
    if json:
        summary = {"path": str(out), "rows": written, "pages": len(counts.pages), "missing": missing}
        print_json(summary)
    else:
        console.print(f"{out}: {format_count(written, 'row')} of {format_count(len(counts.pages), 'page')}")
        for name, rows in sorted(missing.items()):
            console.print(f"the required field {clean_text(name)} is missing in {format_count(rows, 'row')}")
    if not written:
        print_error("no archived page has a URL that matches the fields.")
    nowhere = [name for name, rows in missing.items() if rows == written]
    return int(not written or bool(nowhere))


def _make_columns(extractor: "FieldExtractor") -> "dict[str, ColumnType]":
    columns: dict[str, ColumnType] = {"url": "text", "fetched": "time"}
    for rule in extractor.rules:
        columns[rule.name] = (_LISTS if rule.many else _TYPES)[rule.type]
    return columns


def _list_rows(
    web: "Web",
    extractor: "FieldExtractor",
    keep: Callable[[str], bool],
    counts: FieldCounts,
    progress: Callable[[float], None],
) -> Iterator[list[Any]]:
    from gossamer.crawl.from_archive.page_fields import extract_rows

    every, done = max(1, web.store.counts()["pages"]), 0
    names = dict.fromkeys(rule.name for rule in extractor.rules)

    def count_page(_: "Page") -> None:
        nonlocal done
        done += 1
        progress(min(1.0, done / every))

    for page, row in extract_rows(web.store, web.folder / "archive", extractor, count_page):
        if keep(page.url):
            counts.pages.add(page.id)
            counts.missing.update(row.missing)
            yield [page.url, page.fetched_s, *(row.cells.get(name) for name in names)]
