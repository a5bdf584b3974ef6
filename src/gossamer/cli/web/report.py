"""`gossamer web report`: make the reports that the workbench shows, and print them."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.reports.report_file import KeptReport

_ROWS = 20


def report(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KIND…",
            help="graph, topics, freshness, languages or study. [default: all that can be made from the web]",
            show_default=False,
        ),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Make reports of a web: links, topics, freshness, languages, or the tables of a study.

    They are kept with the web, where `gossamer serve` shows them with their plots and downloads, and printed.

    \b
    gossamer web report --web docs.web
    gossamer web report languages freshness --web docs.web
    gossamer web report graph --json --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.reports.make_report import make_report

    for kind in _choose_kinds(web, kinds or []):
        with show_progress(kind) as progress:
            made = make_report(kind, web, progress, time.time())
        if json:
            from msgspec.json import decode

            from gossamer.reports.report_file import make_json

            print_json(decode(make_json(made)))
        else:
            _print(made)
    return 0


def _choose_kinds(web: Path, wanted: list[str]) -> list[str]:
    """Return the reports that are wanted, by default all that can be made; raise BadInput for one that cannot."""
    import difflib

    from gossamer.errors import BadInput
    from gossamer.reports.report_kinds import KINDS
    from gossamer.web import open_to_read

    for kind in wanted:
        if kind not in KINDS:
            near = difflib.get_close_matches(kind, KINDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(KINDS)}"
            raise BadInput(f"there is no report {kind!r}; {hint}")
    with open_to_read(web) as opened:
        obstacles = {kind: KINDS[kind].find_obstacle(opened) for kind in wanted or KINDS}
    possible = [kind for kind, obstacle in obstacles.items() if not obstacle]
    missing = [(kind, obstacle) for kind, obstacle in obstacles.items() if obstacle]
    if missing and (wanted or not possible):
        kind, obstacle = missing[0]
        raise BadInput(
            f"the report {kind!r} cannot be made: {obstacle[:1].lower()}{obstacle[1:].rstrip('.')}"
        )
    return possible


def _print(made: "KeptReport") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line, print_table
    from gossamer.reports.report_file import make_csv_rows
    from gossamer.reports.report_kinds import KINDS

    print_line((KINDS[made.kind].title, "bold"), f": {made.key_figure}")
    for sentence in made.findings:
        console.print(sentence)
    for section in made.sections:
        for table in section.tables:
            columns, *rows = make_csv_rows(table)
            shown = [
                [clean_text(cell, 200) if isinstance(cell, str) else cell for cell in row]
                for row in rows[:_ROWS]
            ]
            print_table(f"{section.title}: {table.title}", list(map(str, columns)), shown)
            if len(rows) > _ROWS:
                console.print(f"The first {_ROWS} of {len(rows):,} rows; --json has everything.")
        for note in section.notes:
            console.print(note)
