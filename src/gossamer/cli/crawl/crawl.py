"""`gossamer crawl` and `gossamer resume`: start a crawl and continue it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath, with_task_options

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    from gossamer.cli.crawl.choose_crew import Crew
    from gossamer.crawl.task.task import Task
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

Processes = Annotated[
    int,
    typer.Option(
        "--processes",
        min=1,
        max=64,
        help="Number of processes; each takes a share of the hosts. Only for a web in a directory.",
    ),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where to crawl: `processes` of this machine, `ray` on this machine, or a Ray cluster, `ray://HEAD:10001`. Ray needs a web in a database.",
    ),
]
Fetchers = Annotated[
    int,
    typer.Option(
        "--fetchers",
        min=0,
        max=10_000,
        show_default=False,
        help="Number of fetchers that Ray places. [default: one for each node, or for each processor of this machine]",
    ),
]
FetcherCpus = Annotated[
    float,
    typer.Option("--fetcher-cpus", min=0.0, help="Processors that Ray reserves for each fetcher."),
]
Out = Annotated[
    str,
    typer.Option(
        "--out",
        metavar="-",
        show_default=False,
        help="Also write each page to standard output as it is kept, and the progress to standard error.",
    ),
]
OutFormat = Annotated[
    str,
    typer.Option(
        "--out-format",
        metavar="FORMAT",
        help="How: `jsonl`, a line of JSON a page, or `warc`, its response record.",
    ),
]
Index = Annotated[
    bool, typer.Option("--index", help="Update the search index during the crawl, in a separate process.")
]


Preview = Annotated[
    bool,
    typer.Option(
        "--preview", help="Only count the links known to the web that the task would take up; fetch nothing."
    ),
]


@with_run_options()
@with_task_options
def crawl(
    options: dict[str, Any],
    seeds: Annotated[list[str] | None, typer.Argument(help="Start pages.", metavar="URL…")] = None,
    web: WebPath = Path("web"),
    task: Annotated[
        Path | None,
        typer.Option("--task", help="A task file (TOML); options on the command line override it."),
    ] = None,
    processes: Processes = 1,
    on: On = "processes",
    fetchers: Fetchers = 0,
    fetcher_cpus: FetcherCpus = 1.0,
    index: Index = False,
    out: Out = "",
    out_format: OutFormat = "jsonl",
    preview: Preview = False,
    json: Json = False,
) -> int:
    """Crawl pages politely and store them in a web.

    Ctrl-C stops cleanly, a second Ctrl-C at once; `gossamer resume` continues. A start page without a scheme, such as www.example.org, is taken for https; one on this machine, or named by an address, for http.

    \b
    gossamer crawl https://www.example.org/ --depth 2
    gossamer crawl https://www.example.org/docs/ --scope directory --pages 500 --web docs.web
    gossamer crawl --task trier.toml --time 3600
    gossamer crawl --task trier.toml --exclude /calendar/ --preview --web docs.web
    gossamer crawl https://www.example.org/ --out - | jq -r .title
    gossamer crawl https://www.example.org/ --web 'postgresql://crawl@db.example/web?archive=s3://pages/web' --on ray --fetchers 4
    """
    from gossamer.cli.crawl.choose_crew import choose_crew
    from gossamer.cli.typed_url import complete_urls

    for name, typed in (("seeds", seeds), ("sitemaps", options.get("sitemaps"))):
        if typed:
            options[name] = complete_urls(typed)
    if preview:
        return _preview(options, web, task, json)
    _check_out(out, out_format, web, on, processes)
    with choose_crew(
        on, processes, fetchers, fetcher_cpus, web
    ) as crew:  # first: its processes load while this one prepares
        return _crawl(options, web, task, crew, index, json, out_format if out else "")


def _preview(options: dict[str, Any], web: Path, task: Path | None, json: bool) -> int:
    from gossamer.cli.console.show_preview import preview_task
    from gossamer.config import from_options, from_toml, replace_options
    from gossamer.crawl.control.check_task import check_task

    spec = replace_options(from_toml(task) if task else from_options(), **options)
    check_task(spec, web)
    return preview_task(web, spec, json)


def _check_out(out: str, out_format: str, web: Path, on: str, processes: int) -> None:
    if out:
        from gossamer.cli.crawl.pipe_pages import check_pipe

        check_pipe(out, out_format, web, on, processes)


def _crawl(
    options: dict[str, Any],
    web: Path,
    task: Path | None,
    crew: "Crew",
    index: bool,
    json: bool,
    pipe_format: str,
) -> int:
    from gossamer.cli.crawl.choose_crew import wait_for_ray
    from gossamer.cli.crawl.prompt_for_password import take_passwords
    from gossamer.config import from_options, from_toml, replace_options
    from gossamer.crawl.control.check_task import check_task
    from gossamer.crawl.task.task import Task
    from gossamer.web import Web

    given = Task(replace_options(from_toml(task) if task else from_options(), **options))
    take_passwords(given, web)
    spec = given.spec
    check_task(spec, web)  # before a web is created
    if spec.topic:
        from gossamer.topic_training.task_topic import check_topic

        check_topic(spec.topic, web)
    wait_for_ray(crew)
    with Web(web) as opened:
        from gossamer.cli.crawl.watch_crawl import run_piped, run_watched  # late: it takes a second to load

        if spec.topic:
            _prepare_topic(given, opened, json or bool(pipe_format))
        if pipe_format:
            return run_piped(opened, [given], [], json, crew, index, pipe_format)
        return run_watched(opened, [given], [], json, crew, index)


def _prepare_topic(given: "Task", opened: "Web", json: bool) -> None:
    """Learn the topic of a task, and say if it has too few examples."""
    from gossamer.topic_training.task_topic import describe_few_examples, resolve_topic

    given.spec = resolve_topic(given.spec, opened)
    if not json and (note := describe_few_examples(given.spec.topic, opened.folder)):
        from gossamer.cli.output.tables import console

        console.print(note, markup=False, highlight=False)


@with_run_options()
def resume(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names or numbers of tasks. [default: all that have not finished]", metavar="TASK…"
        ),
    ] = None,
    web: WebPath = Path("web"),
    processes: Processes = 1,
    on: On = "processes",
    fetchers: Fetchers = 0,
    fetcher_cpus: FetcherCpus = 1.0,
    index: Index = False,
    out: Out = "",
    out_format: OutFormat = "jsonl",
    json: Json = False,
) -> int:
    """Continue tasks that have not finished, after a stop, a pause or a crash.

    A task that you name continues even if it has finished, for example after you raised a limit. While a crawl is
    running, its paused and stopped tasks continue in it.

    \b
    gossamer resume --web docs.web
    gossamer resume trier --web docs.web
    """
    from gossamer.cli.crawl.change_task import continue_running
    from gossamer.web import Web

    _check_out(out, out_format, web, on, processes)
    with Web(web, create=False) as opened:
        left = _choose_tasks(opened, tasks)
        if tasks and (code := continue_running(opened, left, json)) is not None:
            return code
        if not left and not out:
            return _report_end(opened, json)
        from gossamer.cli.crawl.choose_crew import choose_crew
        from gossamer.cli.crawl.watch_crawl import (
            run_piped,
            run_watched,
            write_rest,
        )  # late: a second to load

        if not left:
            return write_rest(opened, out_format)

        with choose_crew(on, processes, fetchers, fetcher_cpus, web) as crew:
            if out:
                return run_piped(opened, [], left, json, crew, index, out_format)
            return run_watched(opened, [], left, json, crew, index)


def _choose_tasks(web: "Web", names: list[str] | None) -> "list[TaskNote]":
    from gossamer.web import UNFINISHED

    if names:
        return [web.task(name) for name in names]
    return [note for note in web.tasks() if note.state in UNFINISHED]


def _report_end(web: "Web", json: bool) -> int:
    if not json:
        from gossamer.cli.output.tables import console

        console.print(_describe_end(web))
    return 0


def _describe_end(web: "Web") -> str:
    from gossamer.cli.output.wording import count_waiting, format_count

    waiting = sum(count_waiting(note.counts) for note in web.tasks())
    end = "Nothing to do: all tasks of this web have finished."
    more = f" Raise a limit with `gossamer change TASK` to fetch {format_count(waiting, 'waiting page')}."
    return end + more if waiting else end
