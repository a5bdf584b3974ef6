"""`gossamer index`: build the index of a web, or bring it up to date."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath

_REASONS = {
    "noindex": "with noindex",
    "no text": "without text",
    "an error page": "with an error status",
}

Exact = Annotated[
    bool | None,
    typer.Option(
        "--exact/--no-exact",
        help="Also index words as they are written, so that exact:WORD covers whole pages. The index stays that way; changing it builds the index anew.",
        show_default=False,
    ),
]


@with_run_options(crawls=False)
def index(web: WebPath = Path("web"), exact: Exact = None, json: Json = False) -> int:
    """Build the index of a web, or bring it up to date.

    Only new and changed pages are read. After an interrupted run the index can be searched, and the next run continues.
    Pages with noindex, error pages, and what is neither HTML nor plain text are left out; how many, is printed.

    \b
    gossamer index --web docs.web
    gossamer search "how to begin" --web docs.web
    """
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import console
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        with show_progress("Indexing") as progress:
            done = opened.index(progress, exact)
        from gossamer.search.index.index_status import (
            count_left_out,
        )  # after the check that the extra is there

        left_out = count_left_out(opened.store)
    counts = msgspec.to_builtins(done)
    if withheld := counts.pop("withheld"):
        left_out["noindex"] = left_out.get("noindex", 0) + withheld
    if json:
        print_json(counts | {"left_out": left_out})
        return 0
    names = [f"{number:,} {name}" for name, number in counts.items() if number and name != "missing"]
    console.print(f"The index of {opened.name}: {', '.join(names) or 'no pages'}.")
    for sentence in describe_left_out(left_out, done.missing):
        console.print(sentence)
    return 0


def describe_left_out(left_out: dict[str, int], missing: int) -> list[str]:
    """Return sentences about the pages of a web that are not in its index, and why."""
    from gossamer.cli.output.wording import format_count

    sentences = []
    if total := sum(left_out.values()):
        reasons = [f"{left_out[name]:,} {why}" for name, why in _REASONS.items() if left_out.get(name)]
        sentences.append(f"Left out: {format_count(total, 'page')}: {', '.join(reasons)}.")
    if missing:
        sentences.append(
            f"{format_count(missing, 'page')} not indexed: missing from the archive, or reading them has killed the program."
        )
    return sentences
