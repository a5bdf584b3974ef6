"""Web: opens a collection and hands out its parts."""

import asyncio
import difflib
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gossamer.crawl.control.mailbox import read_spec
from gossamer.crawl.events import Notice, Watcher
from gossamer.crawl.run.background import Background, PageStream, Ready, RunningCrawl
from gossamer.errors import BadInput, MissingExtra
from gossamer.records import Page
from gossamer.store.batch import TaskNote
from gossamer.store.lock import Lock
from gossamer.store.sqlite.sqlite_store import SqliteStore

if TYPE_CHECKING:  # loaded with the first crawl: whoever only looks into a web need not wait for it
    from gossamer.crawl.recrawl.revisit_plan import PageOutlook, Schedule
    from gossamer.crawl.run.process_crew import ProcessCrew
    from gossamer.crawl.task.task import Task
    from gossamer.graph.graph import Graph
    from gossamer.search.answers.answer_records import Answers
    from gossamer.search.index.index_status import IndexStatus
    from gossamer.search.index.refresh_index import RefreshCounts
    from gossamer.search.index.search_index import Index

STATE = "state.sqlite"
INDEX = "index"
_NICE = 10
_INDEX_ALONG = "import sys; from gossamer.web import index_along; sys.exit(index_along(sys.argv[1]) or 0)"
UNFINISHED = ("running", "stopped", "paused")


class Web:
    """One collection: a directory with its state, its archive, and later its index and models."""

    def __init__(self, folder: Path, create: bool = True, read_only: bool = False) -> None:
        self.folder = folder
        if create and not read_only:
            _make_folder(folder)
        else:
            check_there(folder)
        self.store = SqliteStore(folder / STATE, create=create and not read_only, read_only=read_only)
        self._index: tuple[int, Index] | None = None

    def __enter__(self) -> "Web":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the web."""
        self.store.close()

    # Tasks

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, the oldest first."""
        return self.store.tasks()

    def task(self, called: str) -> TaskNote:
        """Return the task with this number or name; of several with one name the one that has not ended, or the newest."""
        known = self.tasks()
        named = [note for note in known if note.name == called]
        left = [note for note in named if note.state in UNFINISHED]
        numbered = [note for note in known if str(note.number) == called]
        if not numbered and len(left) > 1:
            numbers = " or ".join(str(note.number) for note in left)
            raise BadInput(
                f"{len(left)} tasks that have not ended are called {called!r}; say the number of one: {numbers}"
            )
        if found := numbered or left or named[-1:]:
            return found[0]
        names = [note.name for note in known]
        near = difflib.get_close_matches(called, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names) or 'none'}"
        raise BadInput(f"the web at {self.folder} has no task {called!r}; {hint}")

    # Crawling

    def run(
        self,
        new: Sequence["Task"] = (),
        again: Sequence["TaskNote | Task"] = (),
        watcher: Watcher | None = None,
        ready: Ready | None = None,
        processes: "int | ProcessCrew" = 1,
        index: bool = False,
    ) -> None:
        """Crawl until the tasks have ended: new ones, and some that were left before.

        A `Task` among the latter is the one of the web that has its name; it brings its functions, and its options
        hold from now on. `ready` is given the crawl before it begins. Several processes share the hosts; a crew of them
        may stand by already. One more keeps the index fresh meanwhile, if that is wanted.
        """
        self._run(new, [self._left(one) for one in again], watcher, ready, processes, index)

    def start(
        self, *new: "Task", again: Sequence["TaskNote | Task"] = (), processes: int = 1, index: bool = False
    ) -> Background:
        """Crawl in the background; the result can be stopped and waited for."""
        return Background(lambda ready: self.run(new, again, ready=ready, processes=processes, index=index))

    def crawl(self, *new: "Task", processes: int = 1, index: bool = False) -> PageStream:
        """Crawl, and give each page as it is kept, to `for` or to `async for`."""
        return PageStream(lambda hear: self._start_heard(new, (), hear, processes, index))

    def resume(self, *again: "Task", processes: int = 1, index: bool = False) -> PageStream:
        """Go on with tasks that were left before, and give each page as it is kept; by default with all of them.

        A task is known by its name and brings its functions.
        """
        left = again or [note for note in self.tasks() if note.state in UNFINISHED]
        return PageStream(lambda hear: self._start_heard((), left, hear, processes, index))

    # Looking at what was crawled

    def graph(self, **chosen: Any) -> "Graph":
        """Return the graph of the links; what can be chosen are the fields of `graph.choices.Choice`."""
        from gossamer.graph.link_selection import parse_selection, select_graph
        from gossamer.store.links.load_graph import read_edges

        choice = parse_selection(chosen)
        return select_graph(read_edges(self.store, choice, with_facts=False), choice).graph

    def index(self, told: Callable[[float], None] = lambda _: None) -> "RefreshCounts":
        """Build the index, or bring it up to date; `told` hears which part is done."""
        from gossamer.crawl.archive.archived_pages import decode_content
        from gossamer.search.index.refresh_index import Collection, refresh
        from gossamer.search.index.search_index import Index

        return refresh(Index(self.folder / INDEX), Collection(self.store, self.folder, decode_content), told)

    def search(self, query: str, **wish: Any) -> "Answers":
        """Answer a query; what can be wished for are the fields of `search.answers.answer_records.SearchOptions`."""
        from gossamer.search.answers.answer_query import search
        from gossamer.search.answers.answer_records import read_options

        return search(self._indexed(), query, read_options(wish), self.store)

    def pages_indexed(self) -> int:
        """Return how many pages can be found; 0 if there is no index yet."""
        from gossamer.search.index.search_index import exists

        return self._indexed().pages if exists(self.folder / INDEX) else 0

    def presence(self, page: Page) -> "IndexStatus | None":
        """Say whether a page is in the index, or why not; None if there is no index that can be read here."""
        if not (self.folder / INDEX).exists():
            return None
        try:
            from gossamer.search.index.index_status import find_status

            return find_status(self._indexed(), page)
        except (BadInput, MissingExtra):
            return None

    def suggestions(self, typed: str) -> list[str]:
        """Return queries that somebody may mean who is still typing."""
        from gossamer.search.answers.suggestions import suggest_queries

        return suggest_queries(self._indexed(), typed)

    def pages_found(self, query: str, most: int = 1_000) -> list[int]:
        """Return the ids of the pages that a query finds, the best first."""
        from gossamer.search.answers.answer_query import find_pages

        return find_pages(self._indexed(), query, most, self.store)

    # Keeping it fresh

    def schedule(self, least_gap_s: float | None = None) -> "Schedule":
        """Return which pages are worth another visit and when, by all that is known of their changes."""
        from gossamer.crawl.recrawl.page_history import read_pages
        from gossamer.crawl.recrawl.revisit_plan import LEAST_GAP_S, Schedule
        from gossamer.crawl.recrawl.revisit_rounds import read_politeness
        from gossamer.crawl.recrawl.sitemap_hints import SitemapHints
        from gossamer.search.links.static_rank import read_ranks

        standing = read_ranks(self.folder / INDEX)  # none if there is no index yet
        pages = read_pages(
            self.store,
            SitemapHints(self.folder / "archive"),
            standing.to_multiples if len(standing.rows) else None,
        )
        if not len(pages.ids):
            raise BadInput(f"the web at {self.folder} has no pages yet that could be visited again")
        return Schedule(
            pages, read_politeness(self.store), LEAST_GAP_S if least_gap_s is None else least_gap_s
        )

    def outlook(self, page: Page, share_per_day: float) -> "PageOutlook | None":
        """Return how often a page changes and when it is due, if so much of the web is visited a day.

        None in a web whose pages were never visited again: nobody asked for that, and it costs a look at all of them.
        """
        from gossamer.crawl.recrawl.revisit_rounds import list_recrawl_tasks

        if not list_recrawl_tasks(self.store):
            return None
        schedule = self.schedule()
        budget = schedule.share_budget(share_per_day * len(schedule.pages.ids))
        return schedule.describe_page(page.id, time.time(), budget)

    # How it is done

    def _indexed(self) -> "Index":
        """Return the index as it was last written; who asks often need not open it each time."""
        from gossamer.search.index.search_index import Index, exists

        if not exists(self.folder / INDEX):
            raise BadInput(f"{self.folder} has no index yet; `gossamer index --web {self.folder}` builds it")
        written_ns = (self.folder / INDEX).stat().st_mtime_ns  # each commit puts files into place
        if self._index is None or self._index[0] != written_ns:
            self._index = written_ns, Index(self.folder / INDEX)
        return self._index[1]

    def _run(
        self,
        new: Sequence["Task"],
        left: Sequence[tuple[TaskNote, "Task"]],
        watcher: Watcher | None,
        ready: Ready | None,
        processes: "int | ProcessCrew",
        index: bool,
    ) -> None:
        from gossamer.crawl.control.check_task import check_processes, check_task
        from gossamer.crawl.control.start_tasks import start_tasks
        from gossamer.crawl.run.process_crew import ProcessCrew

        for task in new:
            check_task(task.spec, self.folder)
        every = [*(task for _, task in left), *new]
        for task in every:
            if task.spec.topic:
                from gossamer.topic_training.task_topic import resolve_topic

                task.spec = resolve_topic(task.spec, self)
        check_processes(processes if isinstance(processes, int) else processes.size, every)
        crew = ProcessCrew(processes) if isinstance(processes, int) else processes
        with crew, Lock(self.folder) as lock, self._indexing(index):
            fresh = not self.tasks()
            again = [(note, task.spec) for note, task in left]
            notes = start_tasks(self.store, again, [task.spec for task in new], time.time())
            tasks = list(zip(notes, every, strict=True))
            hear = watcher or _unheard
            if crew.size == 1:
                under_way = self._in_this_process(tasks, hear, fresh)
            else:
                under_way = self._in_processes(tasks, hear, fresh, crew, lock.fileno())
            if ready is not None:
                ready(under_way)
            asyncio.run(under_way.run())
            if index:
                hear(Notice(time.time(), "The index takes in what came last."))

    def _indexing(self, wanted: bool) -> "AbstractContextManager[object]":
        """Return what keeps the index fresh as long as it is read_pages, and takes in what came last when it is let go."""
        if not wanted:
            return nullcontext()
        from gossamer.search.index.background_indexer import BackgroundIndexer

        return BackgroundIndexer(_INDEX_ALONG, [str(self.folder)])

    def _in_this_process(
        self, tasks: Sequence[tuple[TaskNote, "Task"]], hear: Watcher, fresh: bool
    ) -> RunningCrawl:
        from gossamer.crawl.run.assemble import Crawl

        crawl = Crawl(self.store, self.folder, hear, fresh)
        return RunningCrawl(crawl, [crawl.resume(note, task) for note, task in tasks])

    def _in_processes(
        self,
        tasks: Sequence[tuple[TaskNote, "Task"]],
        hear: Watcher,
        fresh: bool,
        crew: "ProcessCrew",
        lock: int,
    ) -> RunningCrawl:
        from gossamer.crawl.run.processes import Processes

        state = self.folder / STATE
        crawl = Processes(self.store, self.folder, state, lock, tasks, hear, crew, fresh)
        return RunningCrawl(crawl, crawl.tasks)

    def _start_heard(
        self,
        new: Sequence["Task"],
        again: Sequence["TaskNote | Task"],
        hear: Callable[[Page], None],
        processes: int,
        index: bool,
    ) -> Background:
        """Start a crawl whose pages are heard by one more listener, as long as it runs."""
        left = [self._left(one) for one in again]
        tasks = [*new, *(task for _, task in left)]

        def run(ready: Ready) -> None:
            for task in tasks:
                task.listeners.append(hear)
            try:
                self._run(new, left, None, ready, processes, index)
            finally:
                for task in tasks:
                    task.listeners.remove(hear)

        return Background(run)

    def _left(self, again: "TaskNote | Task") -> tuple[TaskNote, "Task"]:
        """Find the task of the web that is to be gone on with, and what to do it with."""
        if isinstance(again, TaskNote):
            from gossamer.crawl.task.task import Task

            return again, Task(read_spec(again))
        if not again.spec.name:
            raise BadInput("a task that is to be resumed needs its name: Task(name=…)")
        return self.task(again.spec.name), again


def index_along(folder: str) -> str:
    """Keep the index of a web fresh while another process crawls it; return what was wrong in the end, if something was."""
    from gossamer.search.index.background_indexer import refresh_until_end

    os.nice(_NICE)  # the crawl goes first
    with Web(Path(folder), read_only=True) as web:
        return refresh_until_end(web.index, sys.stdin.fileno())


def check_there(folder: Path) -> None:
    """Refuse to look into what is no web; nothing is made."""
    if not (folder / STATE).exists():
        raise BadInput(f"there is no web at {folder}; `gossamer crawl URL --web {folder}` makes one")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadInput(f"{folder} is a file, not a directory: no web can be made there") from None
    except OSError as error:
        raise BadInput(f"no web can be made at {folder}: {error.strerror}") from None


def _unheard(event: Any) -> None:
    """Nobody watches."""


def reading(folder: Path) -> Web:
    """Open a web to look into it, also one that belongs to somebody else."""
    return Web(folder, create=False, read_only=not os.access(folder, os.W_OK))


def open_web(path: str | Path, create: bool = True) -> Web:
    """Open the web in a directory; make one if there is none, unless told not to."""
    return Web(Path(path), create)
