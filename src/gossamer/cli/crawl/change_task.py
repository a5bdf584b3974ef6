"""`gossamer stop`, `change`, `submit`: tell a task something, whether it runs just now or not."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, WebPath, with_task_options

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.crawl.control.mailbox import Order
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

TaskName = Annotated[str, typer.Argument(help="Name or number of a task, as `gossamer tasks` lists them.")]

_PATIENCE_S = 120.0
_POLL_S = 0.2
# These say where a task begins: `submit` is for that.
_FIXED = {"name": "its name", "seed_files": "its start pages", "sitemaps": "its start pages"}

Heard = Callable[["TaskNote"], bool]
"""Says, by a task as the web knows it, whether an order has been carried out."""


def stop(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(help="Names or numbers of tasks; all that run, if none.", metavar="TASK…"),
    ] = None,
    pause: Annotated[bool, typer.Option("--pause", help="Call it a pause, not a stop.")] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Stop tasks cleanly; `gossamer resume` goes on with them.

    Another process may be running them.

    \b
    gossamer stop --web docs.web
    gossamer stop trier --pause --web docs.web
    """
    from gossamer.crawl.control.mailbox import Stop
    from gossamer.web import Web

    reason = "paused by a person" if pause else "stopped by a person"
    with Web(web, create=False) as opened:
        notes = [opened.task(called) for called in tasks or ()]
        notes = notes or [note for note in opened.tasks() if note.state == "running"]
        if not notes:
            return _nothing_runs(opened, json)
        wanted = [(note, Stop(note.number, pause, reason)) for note in notes if note.state != "finished"]
        return _give(opened, wanted, lambda note: note.state != "running", json, notes)


def _nothing_runs(web: "Web", json: bool) -> int:
    from gossamer.cli.output.tables import console

    if not json:
        console.print(f"No task of the web at {web.folder} is running.", markup=False)
    return 0


@with_task_options
def change(told: dict[str, Any], task: TaskName, web: WebPath = Path("web"), json: Json = False) -> int:
    """Tell a task some of its options anew; they hold from now on.

    Limits, filters, manners: all but where it begins. A task that had come to its end at a limit goes on with `gossamer resume`; in a crawl that is running, at once.

    \b
    gossamer change trier --pages 5000 --web docs.web
    gossamer change trier --exclude /calendar/ --delay 3 --web docs.web
    """
    from gossamer.config import changed
    from gossamer.crawl.control.check_task import check_task
    from gossamer.crawl.control.mailbox import Change, read_spec
    from gossamer.errors import BadInput
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        note = opened.task(task)
        if not told:
            raise BadInput("say what is to change: `gossamer change --help` lists everything")
        for name, what in _FIXED.items():
            if name in told:
                raise BadInput(f"a task keeps {what}; `gossamer submit` gives it more start pages")
        check_task(changed(read_spec(note), **told), opened.folder)
        order = Change(note.number, told)

        def heard(seen: "TaskNote") -> bool:
            return changed(read_spec(seen), **told) == read_spec(seen)

        return _give(opened, [(note, order)], heard, json, [note])


def submit(
    urls: Annotated[list[str], typer.Argument(help="Pages to begin at.", metavar="URL…")],
    task: Annotated[
        str, typer.Option("--task", help="Name or number of the task; the newest one, if not said.")
    ] = "",
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Give a task further start pages; its scope grows with them.

    If the task is running they are fetched at once, else with the next `gossamer resume`.

    \b
    gossamer submit https://www.example.org/new/ --web docs.web
    """
    from gossamer.crawl.control.mailbox import read_spec
    from gossamer.crawl.control.submit_pages import make_submission, select_crawls
    from gossamer.errors import BadInput
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        crawled = select_crawls(opened.tasks())
        if not task and not crawled:
            raise BadInput(f"the web at {web} has no task yet that crawls; `gossamer crawl` begins one")
        note = opened.task(task) if task else crawled[-1]
        if note not in crawled:
            raise BadInput(
                f"{note.name} was imported, it does not crawl; `gossamer crawl` begins a task that does"
            )

        order = make_submission(note, urls)

        def heard(seen: "TaskNote") -> bool:
            return set(order.urls) <= set(read_spec(seen).seeds)

        return _give(opened, [(note, order)], heard, json, [note])


def continue_running(web: "Web", notes: Sequence["TaskNote"], json: bool) -> int | None:
    """Let tasks go on in the crawl that is running; None if that ended before it heard us."""
    from gossamer.cli.crawl.tasks import show_tasks
    from gossamer.crawl.control.mailbox import Continue

    done = [_heard(web, Continue(note.number), lambda seen: seen.state == "running") for note in notes]
    if None in done:
        return None
    numbers = {note.number for note in notes}
    show_tasks(web, [note for note in web.tasks() if note.number in numbers], json)
    return int(not all(done))


def _give(
    web: "Web",
    wanted: Sequence[tuple["TaskNote", "Order"]],
    heard: Heard,
    json: bool,
    shown: Sequence["TaskNote"],
) -> int:
    """Give orders, to the crawl that is running or to the web itself; show the tasks as they are then."""
    from gossamer.cli.crawl.tasks import show_tasks

    done = [_obeyed(web, order, heard) for _, order in wanted]
    numbers = {note.number for note in shown}
    show_tasks(web, [note for note in web.tasks() if note.number in numbers], json)
    return int(not all(done))


def _obeyed(web: "Web", order: "Order", heard: Heard) -> bool:
    """Give one order; say whether it was carried out while we waited."""
    done = _heard(web, order, heard)
    if done is None:
        from gossamer.crawl.control.mailbox import apply_at_rest
        from gossamer.store.lock import Lock

        with Lock(web.folder):
            apply_at_rest(web.store, web.folder, order)
    return done is not False


def _heard(web: "Web", order: "Order", heard: Heard) -> bool | None:
    """Tell the crawl that is running; say whether it did as told while we waited, None if none was running."""
    from gossamer.crawl.control.mailbox import Mailbox, is_running

    if not is_running(web.folder):
        return None
    Mailbox(web.folder).append(order)
    until_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until_s:
        if any(heard(note) for note in web.tasks() if note.number == order.task):
            return True
        if not is_running(web.folder):
            return None
        time.sleep(_POLL_S)
    typer.echo(f"gossamer: the crawl was told, but has not done it within {_PATIENCE_S:.0f} s.", err=True)
    return False
