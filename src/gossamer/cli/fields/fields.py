"""The verb `gossamer fields`: the structured data of one page, or how well the declared fields match."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.fields.extract_fields import FieldExtractor
    from gossamer.fields.field_drift import FieldDrift
    from gossamer.web import Web

TaskFile = Annotated[
    Path | None,
    typer.Option(
        "--task", help="A task file with [[fields]]; without it, the fields of the web's own tasks count."
    ),
]
_MOST_SHOWN = 200


def fields(
    url: Annotated[str, typer.Argument(help="A page of the web.", metavar="[URL]", show_default=False)] = "",
    task: TaskFile = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show the structured data of a page, or which declared fields match, and which have stopped matching.

    With a URL: JSON-LD, microdata, RDFa, Open Graph, meta elements, tables, and the values of declared fields. Without: how often each field matched in earlier and in later copies of the pages; the exit code is 1 if a required field has stopped matching, or matches less often than before. Pages are read from the archive; nothing is fetched.

    \b
    gossamer fields https://www.example.org/product/1 --web shop.web
    gossamer fields --task shop.toml --web shop.web
    gossamer export fields products.csv --task shop.toml --web shop.web
    """
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        if url:
            return _show_page(opened, url, task, json)
        return _report_drift(opened, load_extractor(opened, task), json)


def load_extractor(web: "Web", task: Path | None) -> "FieldExtractor":
    """Return the fields of a task file, or of the tasks of a web."""
    from gossamer.config import from_toml
    from gossamer.crawl.from_archive.page_fields import read_stored_rules
    from gossamer.fields.extract_fields import FieldExtractor

    return FieldExtractor(from_toml(task).fields if task else read_stored_rules(web.store))


def _show_page(web: "Web", typed: str, task: Path | None, json: bool) -> int:
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.cli.typed_url import find_typed_url
    from gossamer.crawl.from_archive.archived_pages import read_document
    from gossamer.crawl.from_archive.page_fields import read_stored_rules
    from gossamer.errors import BadInput
    from gossamer.fields.structured_data import DataReader
    from gossamer.net import url as urls
    from gossamer.store.opening.open_archive import open_reader

    url = to_canonical_url(find_typed_url(web.store, typed))
    page = web.store.page(urls.page_id(url))
    document = read_document(page, open_reader(web.folder / "archive")) if page is not None else None
    if document is None:
        raise BadInput(f"{url} is not among the HTML pages of this web; `gossamer explain {url}` may say why")
    data = DataReader(document.tree).read_all()
    has_fields = bool(task or read_stored_rules(web.store))
    rows = [row.cells for row in load_extractor(web, task).extract(document)] if has_fields else []
    if json:
        print_json({"url": url, **msgspec.to_builtins(data), "fields": rows})
        return 0
    _print_page(url, [(one.source, one.type, one.properties) for one in data.items], data.meta)
    for table in data.tables:
        _print_rows(table.caption or "table", table.rows)
    for row in rows:
        _print_rows("fields", [[name, str(value)] for name, value in row.items()])
    return 0


def _print_page(url: str, items: list[tuple[str, str, dict[str, object]]], meta: dict[str, str]) -> None:
    import msgspec

    from gossamer.cli.output.tables import clean_text, console

    console.print(url)
    for source, kind, properties in items:
        console.print(f"\n{source}: {clean_text(kind) or 'without a type'}")
        text = msgspec.json.format(msgspec.json.encode(properties), indent=2).decode("utf-8", "replace")
        for line in text.splitlines()[:_MOST_SHOWN]:
            console.print(f"  {clean_text(line, 300)}")
    if meta:
        _print_rows("meta", [[name, value] for name, value in meta.items()])
    if not items and not meta:
        console.print("The page has no structured data and no meta elements.")


def _print_rows(title: str, rows: list[list[str]]) -> None:
    from gossamer.cli.output.tables import clean_text, console

    console.print(f"\n{clean_text(title)}")
    for row in rows[:_MOST_SHOWN]:
        console.print("  " + "  |  ".join(clean_text(cell, 200) for cell in row))


def _report_drift(web: "Web", extractor: "FieldExtractor", json: bool) -> int:
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.from_archive.page_fields import measure_field_drift

    every, done = max(1, web.store.count_visits(web.store.last_visit())), 0
    with show_progress("Reading pages") as progress:

        def count_visit() -> None:
            nonlocal done
            done += 1
            progress(min(1.0, done / every))

        found = measure_field_drift(web.store, web.folder / "archive", extractor, count_visit)
    for one in found if json else ():
        print_json(msgspec.to_builtins(one))
    if not json:
        _print_drift(found)
    return report_stopped(found)


def _print_drift(found: "list[FieldDrift]") -> None:
    from gossamer.cli.output.tables import print_table

    rows = [
        [
            one.name + (" (required)" if one.required else ""),
            one.pages,
            one.matched,
            f"{one.earlier:.0%}",
            f"{one.later:.0%}",
            _describe(one),
        ]
        for one in found
    ]
    print_table("Fields", ["field", "copies of pages", "with the field", "earlier", "later", "verdict"], rows)


def _describe(one: "FieldDrift") -> str:
    import time

    day = f" on {time.strftime('%Y-%m-%d', time.gmtime(one.since_s))}" if one.since_s else ""
    return one.verdict + day


def report_stopped(found: "list[FieldDrift]") -> int:
    """Print which required fields have stopped or are missing; return the exit code."""
    from gossamer.cli.output.terminal_text import print_error

    lost = [one for one in found if one.required and one.verdict in ("stopped", "fell", "never matched")]
    for one in lost:
        print_error(
            f"the required field {one.name} {_describe(one)}: {one.matched:,} of {one.pages:,} copies of pages have it."
        )
    return int(bool(lost))
