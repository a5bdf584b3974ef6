"""Web: open a collection, crawl it, search it and read its graph. What Python programs talk to."""

import difflib
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gossamer.config import may_hold_password
from gossamer.crawl.control.command_mailbox import FILE_NAME
from gossamer.crawl.events import Watcher
from gossamer.crawl.run.background import Background, PageStream, Ready
from gossamer.errors import BadInput, MissingExtra, NoIndex
from gossamer.records import Page
from gossamer.run_tasks import RunOptions, resolve_task, run_tasks, start_with_listener
from gossamer.store.batch import Store, TaskNote
from gossamer.store.collection_title import read_title, write_title
from gossamer.store.folder_access import create_private_folder
from gossamer.store.forget_journal import is_forgetting
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.opening.open_store import STATE as STATE
from gossamer.store.opening.open_store import check_copy_finished, open_store
from gossamer.store.opening.web_name import name_web, quote_web
from gossamer.store.opening.web_versions import INDEX, change_folder, find_folder
from gossamer.store.postgres.failures import ForgettingUnfinished
from gossamer.store.sqlite.sqlite_store import SqliteStore

if TYPE_CHECKING:  # loaded with the first crawl: opening a web must be quick
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.cluster.ray_crew import RayCrew
    from gossamer.context.passages.page_text import PageText
    from gossamer.context.passages.passage_records import Passages
    from gossamer.context.themes.theme_records import Themes
    from gossamer.crawl.recrawl.page_table import RankFunction
    from gossamer.crawl.recrawl.revisit_plan import PageOutlook, Schedule
    from gossamer.crawl.run.start_processes import ProcessCrew
    from gossamer.crawl.task.task import Task
    from gossamer.graph.graph import Graph
    from gossamer.search.answers.answer_records import Answers
    from gossamer.search.answers.example_queries import ExampleQueries
    from gossamer.search.answers.snippets import Marker
    from gossamer.search.answers.web_statistics import WebStatistics
    from gossamer.search.clusters.cluster_records import GroupedAnswers, TermSample
    from gossamer.search.index.index_status import IndexStatus
    from gossamer.search.index.refresh_index import RefreshCounts
    from gossamer.search.index.search_index import Index

_NICE = 10
_INDEX_PROGRAM = "import sys; from gossamer.web import run_indexer; sys.exit(run_indexer(sys.argv[1]) or 0)"
UNFINISHED = ("running", "stopped", "paused")


class Web:
    """One collection: a directory with its state and archive, and later its index and models.

    State and archive may be in a database and a shared archive instead; then the directory is this machine's working folder.
    """

    def __init__(self, folder: Path, create: bool = True, read_only: bool = False) -> None:
        self.folder = folder
        if create and not read_only:
            _make_folder(folder)
        else:
            check_web(folder)
        self.store = self._open_store(create and not read_only, read_only)
        self._index: tuple[tuple[Path, int], Index] | None = None
        if not read_only:
            if is_forgetting(folder):
                self._finish_forgetting()
            self._move_old_credentials()

    def __enter__(self) -> "Web":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the web."""
        self.store.close()

    # Its name and title

    @property
    def name(self) -> str:
        """What messages call it: its directory, or the address of its database."""
        return name_web(self.folder)

    @property
    def title(self) -> str:
        """What people call this collection; "" if it has no title."""
        return read_title(self.store)

    def set_title(self, title: str) -> None:
        """Set the title that pages and API show; "" removes it."""
        write_title(self.store, title)

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
                f"{len(left)} unfinished tasks are called {called!r}; give the number of one: {numbers}"
            )
        if found := numbered or left or named[-1:]:
            return found[0]
        names = [note.name for note in known]
        near = difflib.get_close_matches(called, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names) or 'none'}"
        raise BadInput(f"the web at {self.name} has no task {called!r}; {hint}")

    # Crawling

    def run(
        self,
        new: Sequence["Task"] = (),
        again: Sequence["TaskNote | Task"] = (),
        watcher: Watcher | None = None,
        ready: Ready | None = None,
        processes: "int | ProcessCrew | RayCrew" = 1,
        index: bool = False,
    ) -> None:
        """Crawl until the tasks have ended: new ones, and ones to resume (`again`).

        A `Task` in `again` stands for the stored task of its name; it brings its functions, and its options hold from
        now on. `ready` is called with the crawl before it begins. Several processes share the hosts; a crew of them may
        stand by already, and a `RayCrew` has Ray place fetchers for a web in a database. With `index`, another process
        refreshes the index meanwhile.
        """
        stored = [resolve_task(self, one) for one in again]
        run_tasks(self, new, stored, RunOptions(watcher, ready, processes, self._refresh_index_beside(index)))

    def start(
        self, *new: "Task", again: Sequence["TaskNote | Task"] = (), processes: int = 1, index: bool = False
    ) -> Background:
        """Crawl in the background; you can stop the result and wait for it."""
        return Background(lambda ready: self.run(new, again, ready=ready, processes=processes, index=index))

    def crawl(self, *new: "Task", processes: int = 1, index: bool = False) -> PageStream:
        """Crawl, and yield each page as it is kept, to `for` or `async for`."""
        return self._stream_pages(new, (), processes, index)

    def resume(self, *again: "Task", processes: int = 1, index: bool = False) -> PageStream:
        """Resume unfinished tasks, by default all of them, and yield each page as it is kept.

        A task is identified by its name and brings its functions.
        """
        left = again or [note for note in self.tasks() if note.state in UNFINISHED]
        return self._stream_pages((), left, processes, index)

    # Reading what was crawled

    def graph(self, **chosen: Any) -> "Graph":
        """Return the graph of the links; what can be chosen are the fields of `graph.choices.Choice`."""
        from gossamer.graph.link_selection import parse_selection, select_graph
        from gossamer.store.links.load_graph import read_edges

        choice = parse_selection(chosen)
        return select_graph(read_edges(self.store, choice, with_facts=False), choice).graph

    def index(
        self,
        on_progress: Callable[[float], None] = lambda _: None,
        exact: bool | None = None,
        anew: bool = False,
    ) -> "RefreshCounts":
        """Build the index, or bring it up to date; `on_progress` receives the share that is done.

        `exact` sets whether it holds words as they are written, for `exact:`; an index that differs is built anew, and
        so is any with `anew`.
        """
        from gossamer.crawl.from_archive.archived_pages import decode_content
        from gossamer.search.index.refresh_index import Collection, refresh
        from gossamer.search.index.search_index import Index

        collection = Collection(self.store, self.folder, decode_content)
        with change_folder(self.folder, INDEX) as folder:
            if anew:
                shutil.rmtree(folder, ignore_errors=True)
            done = refresh(Index(folder, exact=exact), collection, on_progress)
        if done.added or done.changed or done.removed:
            from gossamer.context.themes.web_themes import refresh_found_themes

            refresh_found_themes(self.folder, self._open_index, self.store)
        return done

    def search(self, query: str, **wish: Any) -> "Answers":
        """Answer a query; what can be wished for are the fields of `search.answers.answer_records.SearchOptions`."""
        from gossamer.search.answers.answer_query import search
        from gossamer.search.answers.answer_records import read_options

        return search(self._open_index(), query, read_options(wish), self.store)

    def ask(self, question: str, **wish: Any) -> "Passages":
        """Return passages that answer a question; what can be wished for are the fields of `context.passages.passage_records.AskOptions`."""
        from gossamer.context.passages.find_passages import find_passages
        from gossamer.context.passages.passage_records import read_options

        return find_passages(self._open_index(), question, read_options(wish), self.store)

    def page_text(self, address: str, offset: int = 0, characters: int = 20_000) -> "PageText":
        """Return a part of the text of a page, as passages cite it."""
        from gossamer.context.passages.page_text import read_page_text

        return read_page_text(self._open_index(), self.store, address, offset, characters)

    def cluster_answers(self, query: str, **wish: Any) -> "GroupedAnswers":
        """Group the best thousand answers to a query by words that occur together; the options are those of `search`."""
        return self.search_and_group(query, **wish)[1]

    def search_and_group(self, query: str, **wish: Any) -> "tuple[Answers, GroupedAnswers]":
        """Return the best thousand answers to a query, and their groups."""
        from gossamer.search.answers.answer_records import read_options
        from gossamer.search.clusters.group_found import search_and_group

        return search_and_group(self._open_index(), query, read_options(wish), self.store)

    def sample_terms(self) -> "TermSample":
        """Return a sample of the pages by which words of answers are weighed, to group them."""
        from gossamer.search.clusters.sample_terms import sample_terms

        return sample_terms(self._open_index())

    def find_themes(self, number: int | None = None, anew: bool = False, **wish: Any) -> "Themes":
        """Find the themes of the indexed pages, or bring them up to date; `number` and `anew` find them once more."""
        from gossamer.context.themes.web_themes import find_themes

        return find_themes(self.folder, self._open_index(), self.store, number, anew, **wish)

    def query_statistics(self, query: str, languages: Sequence[str] = ()) -> "WebStatistics":
        """Return what other webs need to know for a search over all of them: the rarity of a query's words here."""
        from gossamer.search.answers.web_statistics import collect_statistics

        return collect_statistics(self._open_index(), query, languages, self.title)

    def check_index(self) -> None:
        """Raise NoIndex if there is no index that can be searched."""
        self._open_index()

    def pages_indexed(self) -> int:
        """Return how many pages are indexed; 0 if there is no index yet."""
        from gossamer.search.index.search_index import exists

        return self._open_index().pages if exists(self.index_folder) else 0

    def presence(self, page: Page) -> "IndexStatus | None":
        """Say whether a page is in the index, or why not; None if there is no index that can be read here."""
        if not self.index_folder.exists():
            return None
        try:
            from gossamer.search.index.index_status import find_status

            return find_status(self._open_index(), page)
        except (BadInput, MissingExtra):
            return None

    def suggestions(self, typed: str) -> list[str]:
        """Return completions for a query that is being typed."""
        from gossamer.search.answers.suggestions import suggest_queries

        return suggest_queries(self._open_index(), typed)

    def word_marker(self, query: str) -> "Marker":
        """Return what finds the words of a query in texts, as snippets mark them."""
        from gossamer.search.answers.answer_query import make_marker

        return make_marker(self._open_index(), query)

    def example_queries(self) -> "ExampleQueries":
        """Return words and names of this web to make examples of queries from; fixed ones if there is no index yet."""
        from gossamer.search.answers.example_queries import ExampleQueries, make_examples
        from gossamer.search.index.search_index import exists

        return make_examples(self._open_index()) if exists(self.index_folder) else ExampleQueries()

    def pages_found(self, query: str, most: int = 1_000) -> list[int]:
        """Return the ids of the pages that a query finds, the best first."""
        from gossamer.search.answers.answer_query import find_pages

        return find_pages(self._open_index(), query, most, self.store)

    def pages_matching(self, query: str) -> "NDArray[np.int64]":
        """Return the ids of all pages that a query matches, without ranking them."""
        from gossamer.search.query.matching_pages import find_matching_pages

        return find_matching_pages(self._open_index(), query, self.store)

    # Keeping it fresh

    def schedule(
        self, least_gap_s: float | None = None, readings_of: "RankFunction | None" = None
    ) -> "Schedule":
        """Return the schedule of revisits: which pages are worth another visit, and when; more so those that a person has read."""
        from gossamer.crawl.recrawl.page_table import read_pages
        from gossamer.crawl.recrawl.revisit_plan import LEAST_GAP_S, Schedule
        from gossamer.crawl.recrawl.revisit_rounds import read_politeness
        from gossamer.crawl.recrawl.sitemap_hints import SitemapHints
        from gossamer.search.links.static_rank import read_ranks

        standing = read_ranks(self.index_folder)  # none if there is no index yet
        pages = read_pages(
            self.store,
            SitemapHints(self.folder / "archive"),
            standing.to_multiples if len(standing.rows) else None,
            readings_of,
        )
        if not len(pages.ids):
            raise BadInput(f"the web at {self.name} has no pages yet to revisit")
        return Schedule(
            pages, read_politeness(self.store), LEAST_GAP_S if least_gap_s is None else least_gap_s
        )

    def outlook(self, page: Page, share_per_day: float) -> "PageOutlook | None":
        """Return how often a page changes and when it is due, if this share of the web is visited a day.

        None in a web whose pages were never revisited: the answer would cost a walk over all of them.
        """
        from gossamer.crawl.recrawl.revisit_rounds import list_recrawl_tasks

        if not list_recrawl_tasks(self.store):
            return None
        schedule = self.schedule()
        budget = schedule.share_budget(share_per_day * len(schedule.pages.ids))
        return schedule.describe_page(page.id, time.time(), budget)

    # How it is done

    @property
    def index_folder(self) -> Path:
        """Where the index can be read; there may be none yet."""
        return find_folder(self.folder, INDEX)

    def _open_index(self) -> "Index":
        """Return the current index; reopen it only after a commit."""
        from gossamer.search.index.search_index import Index, exists

        folder = self.index_folder
        if not exists(folder):
            builds = f"`gossamer index --web {quote_web(self.folder)}` builds it"
            if folder.exists():
                raise NoIndex(f"the index of {self.name} was made by another version; {builds} anew")
            raise NoIndex(f"the web at {self.name} has no index yet; {builds}")
        state = folder, folder.stat().st_mtime_ns  # each commit puts files into place
        if self._index is None or self._index[0] != state:
            self._index = state, Index(folder)
        return self._index[1]

    def _open_store(self, create: bool, read_only: bool) -> Store:
        """Open the state; in a database, finish first what a killed `gossamer forget` has begun."""
        try:
            return open_store(self.folder, create=create, read_only=read_only)
        except ForgettingUnfinished:
            from gossamer.forget.forget_pages import finish_left_in_database

            finish_left_in_database(self.folder)
            return open_store(self.folder, create=create, read_only=read_only)

    def _finish_forgetting(self) -> None:
        """Finish what a killed `gossamer forget` has begun, unless another process is at it."""
        from gossamer.forget.forget_pages import finish_left
        from gossamer.forget.forget_place import find_place

        with suppress(BadInput):
            finish_left(find_place(self.store, self.folder))

    def _move_old_credentials(self) -> None:
        """Move passwords that an older version left in the web out of it."""
        control = self.folder / FILE_NAME
        if not isinstance(self.store, SqliteStore):
            return  # databases are newer than passwords in webs
        if any(may_hold_password(note.spec) for note in self.tasks()) or (
            control.exists() and control.stat().st_size
        ):
            from gossamer.crawl.control.move_credentials import move_old_credentials

            move_old_credentials(self.store, self.folder)

    def _stream_pages(
        self, new: Sequence["Task"], again: Sequence["TaskNote | Task"], processes: int, index: bool
    ) -> PageStream:
        options = RunOptions(processes=processes, beside=self._refresh_index_beside(index))
        return PageStream(lambda listener: start_with_listener(self, new, again, options, listener))

    def _refresh_index_beside(self, wanted: bool) -> "AbstractContextManager[object] | None":
        """Return a context manager that refreshes the index in another process, and once more when it exits."""
        if not wanted:
            return None
        from gossamer.search.index.background_indexer import BackgroundIndexer

        return BackgroundIndexer(_INDEX_PROGRAM, [str(self.folder)])


def run_indexer(folder: str) -> str:
    """Refresh the index of a web while another process crawls it; return an error message, or ""."""
    from gossamer.search.index.background_indexer import refresh_until_end

    os.nice(_NICE)  # the crawl has priority
    with Web(Path(folder), read_only=True) as web:
        return refresh_until_end(web.index, sys.stdin.fileno())


def exists(folder: Path) -> bool:
    """Say whether there is a web in this folder, or whether it is the working folder of one in a database."""
    return (folder / STATE).exists() or (folder / DATABASE).exists()


def check_web(folder: Path) -> None:
    """Raise BadInput if there is no web in this folder, or only a part of one."""
    check_copy_finished(folder)
    if not exists(folder):
        raise BadInput(f"there is no web at {folder}; `gossamer crawl URL --web {folder}` creates one")


def _make_folder(folder: Path) -> None:
    try:
        create_private_folder(folder)
    except FileExistsError:
        raise BadInput(f"{folder} is a file, not a directory: a web cannot be created there") from None
    except OSError as error:
        raise BadInput(f"a web cannot be created at {folder}: {error.strerror}") from None


def open_to_read(folder: Path) -> Web:
    """Open an existing web for reading; read-only if its folder is not writable."""
    return Web(folder, create=False, read_only=not os.access(folder, os.W_OK))


def open_web(path: str | Path, create: bool = True) -> Web:
    """Open the web in a directory or database; create it if there is none, unless `create` is False."""
    if str(path).startswith(("postgresql:", "postgres:")):
        from gossamer.store.opening.web_location import resolve_web

        return Web(resolve_web(path), create)
    return Web(Path(path), create)
