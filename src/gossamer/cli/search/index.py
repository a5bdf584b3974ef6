"""`gossamer index`: build the index of a web, or bring it up to date."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

Exact = Annotated[
    bool | None,
    typer.Option(
        "--exact/--no-exact",
        help="Also index words as they are written, so that exact:WORD covers whole pages. The index stays that way; changing it builds the index anew.",
        show_default=False,
    ),
]


def index(web: WebPath = Path("web"), exact: Exact = None, json: Json = False) -> int:
    """Build the index of a web, or bring it up to date.

    Only new and changed pages are read. After an interrupted run the index can be searched, and the next run continues. Pages with noindex are left out.

    \b
    gossamer index --web docs.web
    gossamer search "how to begin" --web docs.web
    """
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count
    from gossamer.web import Web

    with Web(web, create=False) as opened, show_progress("Indexing") as progress:
        done = opened.index(progress, exact)
    counts = msgspec.to_builtins(done)
    if json:
        print_json(counts)
        return 0
    names = [f"{number:,} {name}" for name, number in counts.items() if number and name != "missing"]
    console.print(f"The index of {web}: {', '.join(names) or 'no pages'}.")
    if done.missing:
        console.print(f"{format_count(done.missing, 'page')} not indexed: missing from the archive.")
    return 0
