"""`gossamer export`, `gossamer import`: a web as files for other programs, and other programs' files as a web."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gossamer.cli.output.wording import format_count
from gossamer.cli.task_options import Json, WebPath
from gossamer.cli.transfer.export_corpus import STANDARD_OUTPUT, Wish, export_corpus

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.store.export.table_columns import TableName

_DAMAGE_SHOWN = 10


def export(
    form: Annotated[
        Literal["warc", "wacz", "parquet", "csv", "corpus"], typer.Argument(help="As what.", metavar="FORMAT")
    ],
    out: Annotated[
        Path,
        typer.Argument(
            help="A file or a folder that is not there yet; a corpus goes to standard output without.",
            metavar="[OUT]",
            show_default=False,
        ),
    ] = STANDARD_OUTPUT,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", help="A table of Parquet or CSV: pages, links or visits; all, if none."),
    ] = None,
    include: Annotated[
        str, typer.Option("--include", help="Only pages in whose URL this regular expression is found.")
    ] = "",
    language: Annotated[
        list[str] | None,
        typer.Option("--language", help="Of a corpus: only sentences in these languages, such as da,nb."),
    ] = None,
    min_words: Annotated[
        int, typer.Option("--min-words", min=1, help="Of a corpus: the fewest words of a sentence.")
    ] = 5,
    frequencies: Annotated[
        bool, typer.Option("--frequencies", help="Of a corpus: also how often each word occurs.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Write a web as WARC, WACZ, Parquet, CSV or a text corpus.

    All of it, or some pages; it may be crawled meanwhile. A corpus is running text only, a sentence and its URL a line: text, JSON lines or Parquet, by the name of the file (.txt, .jsonl, .parquet). Sentences that stand elsewhere too, or nearly, come once, in the order in which the pages were fetched.

    \b
    gossamer export warc docs.warc.gz --web docs.web
    gossamer export wacz docs.wacz --web docs.web
    gossamer export parquet tables --web docs.web
    gossamer export csv links.csv --table links --web docs.web
    gossamer export corpus danish.jsonl --language da --min-words 5 --frequencies --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.errors import BadInput
    from gossamer.store.export.export_web import export_web
    from gossamer.web import open_to_read

    keep, tables = _keep(include), _tables(table or ())
    if form == "corpus":
        return export_corpus(web, out, Wish(language or (), min_words, frequencies, keep, json))
    if language or frequencies:
        raise BadInput(f"--language and --frequencies are for a corpus: gossamer export corpus {out}")
    if out == STANDARD_OUTPUT:
        raise BadInput(f"name the file or the folder to write to: gossamer export {form} OUT")
    with open_to_read(web) as opened:
        told = export_web(opened.store, opened.folder / "archive", form, out, keep, tables)
    if json:
        print_json({"path": str(told.path), "counts": told.counts})
    else:
        counts = ", ".join(
            format_count(number, name.removesuffix("s")) for name, number in told.counts.items()
        )
        console.print(f"{told.path}: {counts}", markup=False)
    return 0


def import_(
    files: Annotated[list[Path], typer.Argument(help="WARC files, or folders of them.", metavar="FILE…")],
    name: Annotated[str, typer.Option("--name", help="What the import is called among the tasks.")] = "",
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Read WARC files that others wrote into a web.

    It has them then as if it had crawled them itself. What the web has already is passed over, so an import that was broken off can be begun anew.

    \b
    gossamer import crawl-*.warc.gz --web docs.web
    gossamer import damaged.web/archive --web mended.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.crawl.archive.import_warc import import_warcs
    from gossamer.store.archive.foreign_warc import ForeignWarcs
    from gossamer.store.lock import Lock
    from gossamer.web import Web

    ForeignWarcs(files)  # files that cannot be read are told before a web is made
    with Web(web) as opened, Lock(opened.folder), console.status("Reading …") as status:
        told = import_warcs(
            opened.store,
            opened.folder,
            files,
            time.time(),
            name,
            lambda read: status.update(f"{format_count(read, 'capture')} read"),
        )
    if json:
        print_json({"task": told.task, "counts": told.counts, "known": told.known, "damage": told.damage})
    else:
        _show(told.counts, told.known, told.damage)
    nothing = not told.counts.get("finished") and not told.known
    if nothing:
        print("gossamer: no page was found in these files.", file=sys.stderr)  # noqa: T201
    return int(nothing)


def _show(counts: dict[str, int], known: int, damage: list[str]) -> None:
    from gossamer.cli.output.tables import console, print_table
    from gossamer.cli.output.wording import list_counts

    wanted = {name: number for name, number in counts.items() if name not in ("checked", "queued", "seen")}
    rows = [*list_counts({**wanted, "queued": counts.get("finished", 0)})]
    rows = [row for row in rows if not row[0].startswith(" ")]
    if known:
        rows.append(("known already", known))
    if rows:
        print_table("ImportResult", ["what", "how many"], rows)
    for line in damage[:_DAMAGE_SHOWN]:
        console.print(f"left out: {line}", markup=False)
    if damage[_DAMAGE_SHOWN:]:
        console.print(f"left out: {len(damage) - _DAMAGE_SHOWN:,} more")


def _keep(pattern: str) -> Callable[[str], bool]:
    import re

    from gossamer.errors import BadInput
    from gossamer.store.export.table_columns import keep_all

    if not pattern:
        return keep_all
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise BadInput(f"include: {pattern!r} is not a regular expression: {error}") from None
    return lambda url: wanted.search(url) is not None


def _tables(names: Sequence[str]) -> "tuple[TableName, ...]":
    import msgspec

    from gossamer.errors import BadInput
    from gossamer.store.export.table_columns import TABLES, TableName

    for name in names:
        if name not in TABLES:
            raise BadInput(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    return msgspec.convert(tuple(names) or tuple(TABLES), tuple[TableName, ...])
