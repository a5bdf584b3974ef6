"""`gossamer crawl`: collect a piece of the web."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.cli.task_options import Json, WebPath, with_task_options


@with_task_options
def crawl(
    told: dict[str, Any],
    seeds: Annotated[list[str] | None, typer.Argument(help="Start pages.", metavar="URL…")] = None,
    web: WebPath = Path("web"),
    task: Annotated[
        Path | None, typer.Option("--task", help="A task file (TOML); options given here win.")
    ] = None,
    json: Json = False,
) -> None:
    """Collect pages, politely, into a web.

    \b
    gossamer crawl https://www.example.org/ --depth 2
    gossamer crawl https://www.example.org/docs/ --scope directory --pages 500 --web docs.web
    gossamer crawl --task trier.toml --time 3600
    """
    from gossamer.cli.watching import run_watched
    from gossamer.config import from_options, from_toml
    from gossamer.crawl.local import start_pages
    from gossamer.crawl.task import Task
    from gossamer.web import Web

    if seeds:
        told["seeds"] = seeds
    wanted = Task(from_toml(task) if task else from_options(), **told)
    start_pages(wanted.spec)  # said before a web is made
    with Web(web) as opened:
        run_watched(opened, [wanted], [], json)


def resume(web: WebPath = Path("web"), json: Json = False) -> None:
    """Go on with every task that has not come to its end, however it was left.

    \b
    gossamer resume --web docs.web
    """
    from gossamer.cli.watching import run_watched
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        left = [note for note in opened.tasks() if note.state in ("running", "stopped", "paused")]
        run_watched(opened, [], left, json)
