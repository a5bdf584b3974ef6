"""`gossamer crawl`, `gossamer resume`: collect a piece of the web, and go on with it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, WebPath, with_task_options

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.crawl.run.process_crew import ProcessCrew
    from gossamer.web import Web

Processes = Annotated[
    int, typer.Option("--processes", min=1, max=64, help="Processes that share the hosts among them.")
]
Index = Annotated[
    bool, typer.Option("--index", help="Keep the index fresh meanwhile, in a process of its own.")
]


@with_task_options
def crawl(
    told: dict[str, Any],
    seeds: Annotated[list[str] | None, typer.Argument(help="Start pages.", metavar="URL…")] = None,
    web: WebPath = Path("web"),
    task: Annotated[
        Path | None, typer.Option("--task", help="A task file (TOML); options given here win.")
    ] = None,
    processes: Processes = 1,
    index: Index = False,
    json: Json = False,
) -> int:
    """Collect pages, politely, into a web.

    Ctrl-C stops it cleanly, a second one at once; `gossamer resume` goes on.

    \b
    gossamer crawl https://www.example.org/ --depth 2
    gossamer crawl https://www.example.org/docs/ --scope directory --pages 500 --web docs.web
    gossamer crawl --task trier.toml --time 3600
    """
    from gossamer.crawl.run.process_crew import ProcessCrew

    if seeds:
        told["seeds"] = seeds
    with ProcessCrew(processes) as crew:  # first of all: the others load meanwhile
        return _crawl(told, web, task, crew, index, json)


def _crawl(
    told: dict[str, Any], web: Path, task: Path | None, crew: "ProcessCrew", index: bool, json: bool
) -> int:
    from gossamer.config import changed, from_options, from_toml
    from gossamer.crawl.control.check_task import check_task
    from gossamer.web import Web

    spec = changed(from_toml(task) if task else from_options(), **told)
    check_task(spec, web)  # what is wrong is said before a web is made
    if spec.topic:
        from gossamer.topic_training.task_topic import check_topic

        check_topic(spec.topic, web)
    with Web(web) as opened:
        from gossamer.cli.crawl.watch_crawl import run_watched  # late: the crawl takes a second to load
        from gossamer.crawl.task.task import Task

        return run_watched(opened, [Task(spec)], [], json, crew, index)


def resume(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(help="Names or numbers of tasks; all that have not ended, if none.", metavar="TASK…"),
    ] = None,
    web: WebPath = Path("web"),
    processes: Processes = 1,
    index: Index = False,
    json: Json = False,
) -> int:
    """Go on with tasks that have not ended, however they were left.

    A task that is named goes on even if it has ended: after its limits were changed, say. While a crawl is
    running, tasks that it paused or stopped go on in it.

    \b
    gossamer resume --web docs.web
    gossamer resume trier --web docs.web
    """
    from gossamer.cli.crawl.change_task import continue_running
    from gossamer.cli.output.tables import console
    from gossamer.web import UNFINISHED, Web

    with Web(web, create=False) as opened:
        left = [note for note in opened.tasks() if note.state in UNFINISHED]
        if tasks:
            left = [opened.task(called) for called in tasks]
        if tasks and (code := continue_running(opened, left, json)) is not None:
            return code
        if not left:
            if not json:
                console.print(_nothing_left(opened))
            return 0
        from gossamer.cli.crawl.watch_crawl import run_watched  # late: the crawl takes a second to load
        from gossamer.crawl.run.process_crew import ProcessCrew

        return run_watched(opened, [], left, json, ProcessCrew(processes), index)


def _nothing_left(web: "Web") -> str:
    from gossamer.cli.output.wording import count_waiting, format_count

    waiting = sum(count_waiting(note.counts) for note in web.tasks())
    said = "Nothing is left to do: all tasks of this web have ended."
    behind = (
        f" {format_count(waiting, 'page')} more would be fetched if `gossamer change TASK` raised a limit."
    )
    return said + behind if waiting else said
