"""Run the tasks of a web: check them, take their passwords, learn their topics, and crawl in one process or in several."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from gossamer.crawl.events import Notice, Watcher
from gossamer.crawl.run.background import Background, Ready, RunningCrawl
from gossamer.errors import BadInput
from gossamer.logs.hide_secrets import add_secrets
from gossamer.records import Page
from gossamer.store.batch import TaskNote
from gossamer.store.lock import Lock
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.opening.open_store import STATE
from gossamer.topic_training.example_sources import SearchableWeb

if TYPE_CHECKING:  # loaded with the first crawl: opening a web must be quick
    from gossamer.cluster.ray_crew import RayCrew
    from gossamer.crawl.run.start_processes import ProcessCrew
    from gossamer.crawl.task.task import Task
    from gossamer.store.postgres.address import Address


class CrawlableWeb(SearchableWeb, Protocol):
    """The part of a web (`gossamer.web.Web`) that is needed here."""

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, the oldest first."""
        ...

    def task(self, called: str) -> TaskNote:
        """Return the task with this number or name."""
        ...


class RunOptions(msgspec.Struct, frozen=True):
    """How tasks are run."""

    watcher: Watcher | None = None
    """Receives the events of the crawl."""
    ready: Ready | None = None
    """Is called with the crawl before it begins."""
    processes: "int | ProcessCrew | RayCrew" = 1
    beside: AbstractContextManager[object] | None = None
    """Refreshes the index while it is entered, and once more when it exits."""


StoredTask = tuple[TaskNote, "Task"]
"""A task to resume: what is stored of it, and the task with its functions."""


def run_tasks(
    web: CrawlableWeb, new: Sequence["Task"], again: Sequence["StoredTask"], options: RunOptions
) -> None:
    """Crawl until new tasks, and stored ones to resume, have ended."""
    from gossamer.crawl.control.start_tasks import start_tasks
    from gossamer.crawl.from_archive.saved_pages import take_in_saved
    from gossamer.crawl.log_events import log_events
    from gossamer.crawl.run.start_processes import ProcessCrew
    from gossamer.fetch.credentials import save_credentials

    every = [*(task for _, task in again), *new]
    _prepare_tasks(web, new, every, options.processes)
    add_secrets(one.secret for task in every for one in task.credentials)
    watch = log_events(options.watcher or _ignore)
    crew = ProcessCrew(options.processes) if isinstance(options.processes, int) else options.processes
    with crew, Lock(web.folder) as lock, options.beside or nullcontext():
        if not isinstance(crew, ProcessCrew):
            crew.connect()  # before anything is written
        save_credentials(web.folder, [one for task in every for one in task.credentials])
        database = _find_database(web.folder)
        if database is None:
            take_in_saved(web.store, web.folder)
        fresh = not web.tasks()
        stored = [(note, task.spec) for note, task in again]
        notes = start_tasks(
            web.store, stored, [task.spec for task in new], time.time(), others_run=database is not None
        )
        tasks = list(zip(notes, every, strict=True))
        if not isinstance(crew, ProcessCrew):
            crawl_run = _place_fetchers(web, tasks, watch, crew)
        elif database is not None:
            crawl_run = _join_crawl(web, database, tasks, watch)
        elif crew.size == 1:
            crawl_run = _assemble(web, tasks, watch, fresh)
        else:
            crawl_run = _assemble_processes(web, tasks, watch, fresh, crew, lock.fileno())
        if options.ready is not None:
            options.ready(crawl_run)
        asyncio.run(crawl_run.run())
        if database is None:
            take_in_saved(web.store, web.folder)  # what readers saved meanwhile
        if options.beside is not None:
            watch(Notice(time.time(), "Indexing the last pages.", is_trouble=False))


def start_with_listener(
    web: CrawlableWeb,
    new: Sequence["Task"],
    again: Sequence["TaskNote | Task"],
    options: RunOptions,
    listener: Callable[[Page], None],
) -> Background:
    """Start a crawl with one more listener for its pages while it runs."""
    left = [resolve_task(web, one) for one in again]
    tasks = [*new, *(task for _, task in left)]

    def run(ready: Ready) -> None:
        for task in tasks:
            task.listeners.append(listener)
        try:
            run_tasks(web, new, left, msgspec.structs.replace(options, ready=ready))
        finally:
            for task in tasks:
                task.listeners.remove(listener)

    return Background(run)


def resolve_task(web: CrawlableWeb, again: "TaskNote | Task") -> "StoredTask":
    """Resolve a task to resume: its stored note, and the task with its functions."""
    if isinstance(again, TaskNote):
        from gossamer.crawl.control.move_credentials import take_stored_credentials
        from gossamer.crawl.task.task import Task

        # An older version's password is still there if the file could not be written when the web was opened.
        taken = take_stored_credentials(again, web.tasks())
        task = Task(taken.spec)
        task.credentials = taken.credentials
        return again, task
    if not again.spec.name:
        raise BadInput("a task to resume needs its name: Task(name=…)")
    return web.task(again.spec.name), again


def take_passwords(web: CrawlableWeb, task: "Task", new: bool) -> None:
    """Take the passwords out of a task's options; raise BadInput if one is missing."""
    from gossamer.crawl.control.take_credentials import ask_for_missing, take_credentials

    taken = take_credentials(task.spec, new)
    task.spec = taken.spec
    task.credentials = (*task.credentials, *taken.credentials)
    ask_for_missing(web.folder, task.spec.fetching, task.credentials, None)


def _prepare_tasks(
    web: CrawlableWeb,
    new: Sequence["Task"],
    every: Sequence["Task"],
    processes: "int | ProcessCrew | RayCrew",
) -> None:
    """Take the passwords of all tasks, check them and learn their topics."""
    from gossamer.crawl.control.check_task import check_plugins, check_task

    for task in every:
        check_plugins(task.spec)
        take_passwords(web, task, new=task in new)
    for task in new:
        check_task(task.spec, web.folder)
    for task in every:
        if task.spec.topic:
            from gossamer.topic_training.task_topic import resolve_topic

            task.spec = resolve_topic(task.spec, web)
    _check_crew(web, every, processes)


def _check_crew(web: CrawlableWeb, tasks: Sequence["Task"], processes: "int | ProcessCrew | RayCrew") -> None:
    """Raise BadInput if these processes cannot crawl the tasks."""
    from gossamer.crawl.control.check_task import check_processes
    from gossamer.crawl.run.start_processes import ProcessCrew

    if isinstance(processes, int | ProcessCrew):
        number = processes if isinstance(processes, int) else processes.size
        check_processes(number, tasks)
        check_one_process(web.folder, number)
        return
    from gossamer.cluster.ray_crew import check_ray_tasks

    check_ray_tasks(tasks)
    check_shared_web(web.folder)


def check_one_process(folder: Path, processes: int) -> None:
    """Raise BadInput if several processes are to crawl a web in a database: each of its fetchers is a process of its own."""
    if processes > 1 and _find_database(folder) is not None:
        raise BadInput(
            "a web in a database is crawled by fetchers, not in several processes: leave --processes out, and start "
            "`gossamer fetcher` as often as you like, on this machine and on others"
        )


def check_shared_web(folder: Path) -> None:
    """Raise BadInput if fetchers on several machines cannot share a web."""
    from gossamer.store.opening.web_archive import check_archive

    database = _find_database(folder)
    if database is None:
        raise BadInput(
            f"{folder} is a directory, which one machine crawls: Ray needs a web in a database, "
            "--web postgresql://USER@HOST/DATABASE?archive=…; `--processes` crawls a directory faster"
        )
    check_archive(database)


def _assemble(web: CrawlableWeb, tasks: Sequence["StoredTask"], watch: Watcher, fresh: bool) -> RunningCrawl:
    from gossamer.crawl.run.assemble_crawl import Crawl

    crawl = Crawl(web.store, web.folder, watch, fresh)
    return RunningCrawl(crawl, [crawl.resume(note, task) for note, task in tasks])


def _join_crawl(
    web: CrawlableWeb, database: "Address", tasks: Sequence["StoredTask"], watch: Watcher
) -> RunningCrawl:
    from gossamer.cluster.joined_crawl import JoinedCrawl, OwnFetcher

    crawl = JoinedCrawl(
        web.store, tasks, watch, lambda watcher: OwnFetcher(database, web.folder, tasks, watcher)
    )
    return RunningCrawl(crawl, crawl.tasks)


def _place_fetchers(
    web: CrawlableWeb, tasks: Sequence["StoredTask"], watch: Watcher, crew: "RayCrew"
) -> RunningCrawl:
    from gossamer.cluster.joined_crawl import JoinedCrawl, count_connections
    from gossamer.store.opening.web_location import read_address

    def prepare(watcher: Watcher) -> "RayCrew":
        crew.prepare(read_address(web.folder), count_connections(tasks), watcher)
        return crew

    crawl = JoinedCrawl(web.store, tasks, watch, prepare)
    return RunningCrawl(crawl, crawl.tasks)


def _assemble_processes(
    web: CrawlableWeb,
    tasks: Sequence["StoredTask"],
    watch: Watcher,
    fresh: bool,
    crew: "ProcessCrew",
    lock: int,
) -> RunningCrawl:
    from gossamer.crawl.run.supervise_processes import Processes

    crawl = Processes(web.store, web.folder, web.folder / STATE, lock, tasks, watch, crew, fresh)
    return RunningCrawl(crawl, crawl.tasks)


def _find_database(folder: Path) -> "Address | None":
    if not (folder / DATABASE).exists():
        return None
    from gossamer.store.opening.web_location import read_database

    return read_database(folder)


def _ignore(event: Any) -> None:
    """Ignore an event."""
