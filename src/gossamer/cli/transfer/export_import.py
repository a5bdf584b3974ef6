"""The verbs `gossamer export` and `gossamer import`: exchange webs with other programs as files."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.output.wording import format_count
from gossamer.cli.task_options import Json, WebPath
from gossamer.cli.transfer.export_copy import export_copy
from gossamer.cli.transfer.export_corpus import (
    STANDARD_OUTPUT,
    CorpusOptions,
    export_corpus,
    print_left_out,
)
from gossamer.cli.transfer.export_data import DataExport, export_data
from gossamer.cli.transfer.export_fields import export_fields
from gossamer.cli.transfer.export_tokens import TokenExport, export_tokens

if TYPE_CHECKING:  # imported when the verbs run, so that help is fast
    from gossamer.store.export.table_columns import TableName


def export(
    form: Annotated[
        Literal[
            "warc",
            "wacz",
            "parquet",
            "csv",
            "corpus",
            "vertical",
            "antconc",
            "fields",
            "records",
            "tables",
            "web",
        ],
        typer.Argument(help="The format.", metavar="FORMAT"),
    ],
    to: Annotated[
        str,
        typer.Argument(
            help="A new file or folder; for a web also an empty database; without one, a corpus goes to standard output.",
            metavar="[OUT]",
            show_default=False,
        ),
    ] = str(STANDARD_OUTPUT),
    table: Annotated[
        list[str] | None,
        typer.Option("--table", help="For Parquet and CSV: a table (pages, links or visits); default: all."),
    ] = None,
    include: Annotated[
        str, typer.Option("--include", help="Only pages whose URL matches this regular expression.")
    ] = "",
    language: Annotated[
        list[str] | None,
        typer.Option("--language", help="For texts: only sentences in these languages, such as da,nb."),
    ] = None,
    min_words: Annotated[
        int, typer.Option("--min-words", min=1, help="For a corpus: the fewest words of a sentence.")
    ] = 5,
    frequencies: Annotated[
        bool, typer.Option("--frequencies", help="For a corpus: also write how often each word occurs.")
    ] = False,
    shortest_word: Annotated[
        int, typer.Option("--shortest-word", min=1, help="For a corpus: shorter words do not count.")
    ] = 1,
    longest_word: Annotated[
        int,
        typer.Option("--longest-word", min=0, help="For a corpus: longer words do not count; 0: no limit."),
    ] = 0,
    share: Annotated[
        float,
        typer.Option(
            "--share",
            min=0,
            max=1,
            help="For a corpus: the least share of its page that a language must have.",
        ),
    ] = 0.0,
    by_domain: Annotated[
        bool,
        typer.Option("--by-domain", help="For a corpus: a folder with a file for each top-level domain."),
    ] = False,
    glue: Annotated[
        bool,
        typer.Option("--glue", help="For vertical text: as Sketch Engine expects it, with <doc> and <g/>."),
    ] = False,
    task: Annotated[
        Path | None,
        typer.Option(
            "--task", help="For fields: a task file that declares them; default: the web's own tasks."
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="For records: a type of schema.org, such as Product, or OpenGraph; default: all.",
        ),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Write a web as WARC, WACZ, Parquet, CSV, texts for linguists, or a table of declared fields, of what pages describe or of their tables, or copy it to another folder or database.

    You can export while the web is being crawled, but not copy it. What is damaged in the archive is left out and listed, and the exit code is 1. A corpus contains only running text, one sentence and its URL on each line, as text, JSON lines or Parquet, by the name of the file (.txt, .jsonl, .parquet). Equal and nearly equal sentences appear once, in the order in which the pages were fetched. Vertical text is for CQPweb, the Corpus Workbench and Sketch Engine, one token and its lemma on each line; the folder for AntConc has one text for each page and a table of their pages. Records are the things that pages describe by JSON-LD, microdata, RDFa and Open Graph, one in each row, with their properties as columns; tables are the HTML tables of pages, row by row. The copy of a web has everything except the search index and the words; a copy that was interrupted is not opened until you have run the same command again.

    \b
    gossamer export warc docs.warc.gz --web docs.web
    gossamer export wacz docs.wacz --web docs.web
    gossamer export parquet tables --web docs.web
    gossamer export csv links.csv --table links --web docs.web
    gossamer export corpus danish.jsonl --language da --min-words 5 --frequencies --web docs.web
    gossamer export corpus domains --by-domain --shortest-word 2 --share 0.5 --web docs.web
    gossamer export vertical docs.vrt --language en --web docs.web
    gossamer export antconc docs-texts --web docs.web
    gossamer export fields products.csv --task shop.toml --web docs.web
    gossamer export records products.csv --type Product --web docs.web
    gossamer export tables tables.parquet --include '/statistics/' --web docs.web
    gossamer export web 'postgresql://crawl@db.example/web?archive=s3://pages/web' --web docs.web
    gossamer export web docs.web --web 'postgresql://crawl@db.example/web?archive=s3://pages/web'
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.errors import BadInput
    from gossamer.store.export.export_web import export_web
    from gossamer.web import open_to_read

    if kind and form != "records":
        raise BadInput(f"--type chooses records: gossamer export records {to} --type {kind[0]}")
    if form == "web":
        _refuse_choices(include, table, language, frequencies or by_domain or glue)
        return export_copy(web, to, json)
    out, keep, tables = Path(to), _compile_include(include), _check_tables(table or ())
    if form == "fields":
        return export_fields(web, out, task, keep, json)
    if task is not None:
        raise BadInput(f"--task declares fields: gossamer export fields {out}")
    if form == "corpus":
        options = CorpusOptions(
            language or (), min_words, frequencies, keep, json, shortest_word, longest_word, share, by_domain
        )
        return export_corpus(web, out, options)
    if frequencies or by_domain or share or longest_word or shortest_word > 1:
        raise BadInput(f"these options are for a corpus: gossamer export corpus {out}")
    if form == "vertical" or form == "antconc":
        return _export_tokens(web, out, TokenExport(form, language or (), keep, glue, json))
    if language:
        raise BadInput(f"--language and --frequencies need a corpus: gossamer export corpus {out}")
    if out == STANDARD_OUTPUT:
        raise BadInput(f"name the file or the folder to write to: gossamer export {form} OUT")
    if form == "records" or form == "tables":
        return export_data(web, out, DataExport(form, kind or (), keep, json))
    with open_to_read(web) as opened:
        result = export_web(
            opened.store, opened.folder / "archive", form=form, out=out, keep=keep, tables=tables
        )
    if json:
        print_json({"path": str(result.path), "counts": result.counts, "left_out": result.left_out})
    else:
        counts = ", ".join(
            format_count(number, name.removesuffix("s")) for name, number in result.counts.items()
        )
        console.print(f"{result.path}: {counts}")
        print_left_out(result.left_out)
    if result.left_out:
        print_error("the archive is damaged; `gossamer verify` lists what is lost.")
    return int(bool(result.left_out))


def _export_tokens(web: Path, out: Path, options: TokenExport) -> int:
    from gossamer.errors import BadInput

    if out == STANDARD_OUTPUT:
        raise BadInput(f"name the file or the folder to write to: gossamer export {options.form} OUT")
    return export_tokens(web, out, options)


def import_(
    files: Annotated[
        list[Path], typer.Argument(help="WARC or WACZ files, or folders of them.", metavar="FILE…")
    ],
    name: Annotated[str, typer.Option("--name", help="The name of the import among the tasks.")] = "",
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Read WARC and WACZ files of other programs into a web.

    The web then has their pages as if it had crawled them. Pages that it already has are skipped, so you can repeat an interrupted import.

    \b
    gossamer import crawl-*.warc.gz --web docs.web
    gossamer import recorded.wacz --web docs.web
    gossamer import damaged.web/archive --web mended.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.crawl.from_archive.import_warc import import_warcs
    from gossamer.store.archive.foreign_warc import ForeignWarcs
    from gossamer.store.lock import Lock
    from gossamer.web import Web

    ForeignWarcs(files)  # report unreadable files before a web is created
    with Web(web) as opened, Lock(opened.folder), console.status("Reading …") as status:
        imported = import_warcs(
            opened.store,
            opened.folder,
            files,
            time.time(),
            name,
            lambda read: status.update(f"{format_count(read, 'capture')} read"),
        )
    if json:
        print_json(
            {
                "task": imported.task,
                "counts": imported.counts,
                "known": imported.known,
                "damage": imported.damage,
            }
        )
    else:
        _print_import(imported.counts, imported.known, imported.damage)
    nothing = not imported.counts.get("finished") and not imported.known
    if nothing:
        print_error("these files contain no page.")
    return int(nothing)


def _print_import(counts: dict[str, int], known: int, damage: list[str]) -> None:
    from gossamer.cli.output.tables import print_table
    from gossamer.cli.output.wording import list_counts

    wanted = {name: number for name, number in counts.items() if name not in ("checked", "queued", "seen")}
    rows = [*list_counts({**wanted, "queued": counts.get("finished", 0)})]
    rows = [row for row in rows if not row[0].startswith(" ")]
    if known:
        rows.append(("known already", known))
    if rows:
        print_table("Imported", ["what", "how many"], rows)
    print_left_out(damage)


def _refuse_choices(
    include: str, table: list[str] | None, language: list[str] | None, frequencies: bool
) -> None:
    from gossamer.errors import BadInput

    if include or table or language or frequencies:
        raise BadInput(
            "the copy of a web has all of it: --include, --table, --language and --frequencies are for files"
        )


def _compile_include(pattern: str) -> Callable[[str], bool]:

    from gossamer.net.url.url_pattern import compile_pattern
    from gossamer.store.export.table_columns import keep_all

    if not pattern:
        return keep_all
    wanted = compile_pattern(pattern, "include")
    return lambda url: wanted.search(url) is not None


def _check_tables(names: Sequence[str]) -> "tuple[TableName, ...]":
    import msgspec

    from gossamer.errors import BadInput
    from gossamer.store.export.table_columns import TABLES, TableName

    for name in names:
        if name not in TABLES:
            raise BadInput(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    return msgspec.convert(tuple(names) or tuple(TABLES), tuple[TableName, ...])
