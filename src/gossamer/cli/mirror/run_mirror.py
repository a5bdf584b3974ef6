"""Run a mirror: check its folder, crawl the site into its own web, and write the files."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.mirror.mirror_folder import MirrorFolder
from gossamer.mirror.mirror_state import HIDDEN, MirrorState, load_state, save_state
from gossamer.mirror.recent_pages import RecentPages
from gossamer.mirror.select_pages import select_in_scope, select_of_task
from gossamer.mirror.write_mirror import Change, MirrorCounts, MirrorSource, MirrorWriter, Watch
from gossamer.records import Link, Page
from gossamer.store.batch import TaskNote
from gossamer.store.folder_access import create_private_folder
from gossamer.store.lock import Lock
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import UNFINISHED, Web

if TYPE_CHECKING:  # imported when there is a terminal
    from rich.progress import Progress

_WEB = "web"
_SHOWN_FILES = 500


@contextmanager
def open_folder(folder: Path, start: str) -> Iterator[MirrorState]:
    """Open the state of a mirror, or begin one in a new or empty folder; raise BadInput for any other folder.

    What was begun here is removed again if there is neither a page nor a crawl that can be continued.
    """
    state = load_state(folder)
    if state is not None:
        if state.start != start:
            raise BadInput(f"{folder} is a mirror of {state.start}; name another folder for {start}")
        yield state
        return
    state = MirrorState(start)
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    _begin(folder, state)
    try:
        yield state
    except BadInput:
        _remove_empty(folder, state, made)
        raise
    _remove_empty(folder, state, made)


def _begin(folder: Path, state: MirrorState) -> None:
    """Write the state of a new mirror."""
    try:
        if folder.is_symlink() or folder.exists():
            if not folder.is_dir():
                raise BadInput(f"{folder} is not a folder; name a new or an empty one")
            if os.listdir(folder):
                raise BadInput(f"{folder} is not empty and is no mirror; name a new or an empty folder")
        folder.mkdir(parents=True, exist_ok=True)
        create_private_folder(folder / HIDDEN)
        save_state(folder, state)
    except OSError as error:
        raise BadInput(f"a mirror cannot be made in {folder}: {error.strerror}") from None


def _remove_empty(folder: Path, state: MirrorState, made: list[Path]) -> None:
    """Remove a mirror without pages, and the folders that were made for it."""
    web = folder / HIDDEN / _WEB
    if state.files:
        return
    if web.exists():
        with Web(web, create=False) as opened:
            if any(note.state in UNFINISHED for note in opened.tasks()):
                return
    shutil.rmtree(folder / HIDDEN)
    with suppress(OSError):  # something else was put there meanwhile
        for one in made:
            one.rmdir()


def crawl_site(
    folder: Path, spec: TaskSpec, processes: int, json: bool
) -> tuple[TaskNote, RecentPages] | None:
    """Crawl the site, or continue the crawl that was interrupted; return the task, and pages that are still in memory.

    None if it brought no page.
    """
    from gossamer.cli.crawl.choose_crew import choose_crew
    from gossamer.cli.crawl.prompt_for_password import take_passwords
    from gossamer.cli.crawl.watch_crawl import run_watched
    from gossamer.crawl.control.check_task import check_task
    from gossamer.crawl.task.task import Task

    web = folder / HIDDEN / _WEB
    given, recent = Task(spec), RecentPages()
    if processes == 1:
        given.page_keeper = recent
    take_passwords(given, web)
    check_task(given.spec, web)
    with choose_crew("processes", processes, 0, 1.0, web) as crew, Web(web) as opened:
        left = [note for note in opened.tasks() if note.state in UNFINISHED][-1:]
        code = run_watched(opened, [] if left else [given], left, json, crew, keeps_empty=False)
        note = opened.tasks()[-1]
        return (note, recent) if code == 0 and note.counts.get("downloaded") else None


def write_site(
    folder: Path, state: MirrorState, note: TaskNote, recent: RecentPages, delete: bool
) -> MirrorCounts:
    """Write what a task of the mirror's own web has fetched."""
    with Web(folder / HIDDEN / _WEB, create=False) as web:
        archive = open_reader(web.folder / "archive")
        source = select_of_task(web.store, archive, note.number, state.files, recent)
        return _write(source, folder, state, delete)


def write_web(web: Web, folder: Path, state: MirrorState, spec: TaskSpec, delete: bool) -> MirrorCounts:
    """Write the pages of another web that the scope of the mirror allows; raise BadInput if there are none."""
    from gossamer.crawl.host_shards import host_of
    from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules

    rules = ScopeRules(spec, spec.seeds)

    def is_wanted(page: Page) -> bool:
        return rules.decide(Link(page.url), host_of(page.url), 0) == FOLLOW

    source = select_in_scope(web.store, open_reader(web.folder / "archive"), is_wanted)
    if not source.wanted:
        raise BadInput(f"the web at {web.name} has no page that belongs to a mirror of {state.start}")
    return _write(source, folder, state, delete)


def _write(source: MirrorSource, folder: Path, state: MirrorState, delete: bool) -> MirrorCounts:
    with Lock(folder / HIDDEN), MirrorFolder(folder) as opened, _show_progress(len(source.wanted)) as watch:
        return MirrorWriter(source, opened, state, watch).write(delete)


@contextmanager
def _show_progress(files: int) -> Iterator[Watch]:
    """Show on a terminal how many files are done; elsewhere nothing."""
    if files < _SHOWN_FILES or not sys.stdout.isatty():
        yield lambda *_: None
        return
    with _open_display() as display:
        bar = display.add_task("Writing files", total=files)

        def watch(change: Change, _path: str) -> None:
            if change != "removed":
                display.advance(bar)

        yield watch


def _open_display() -> "Progress":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gossamer.cli.output.tables import console

    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
