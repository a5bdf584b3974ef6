"""`gossamer stop`, `change` and `submit`: change a task, whether it is running or not."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, WebPath, with_task_options

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    from gossamer.crawl.control.command_mailbox import Order
    from gossamer.crawl.control.send_order import AtRest, IsDone
    from gossamer.crawl.control.submitted_pages import SubmittedPage
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

TaskName = Annotated[str, typer.Argument(help="Name or number of a task, as shown by `gossamer tasks`.")]

_WAIT_S = 120.0
# Options that `change` refuses; `submit` adds start pages.
_FIXED = {"name": "the name", "seed_files": "the start pages", "sitemaps": "the start pages"}

_STATES = {
    "submitted": "submitted; a crawl takes it up with `gossamer resume`, or soon if one is running",
    "waiting": "waiting to be fetched",
}


def stop(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(help="Names or numbers of tasks. [default: all that are running]", metavar="TASK…"),
    ] = None,
    pause: Annotated[
        bool, typer.Option("--pause", help="Record the tasks as paused instead of stopped.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Stop tasks cleanly; `gossamer resume` continues them.

    The tasks may be running in another process.

    \b
    gossamer stop --web docs.web
    gossamer stop trier --pause --web docs.web
    """
    from gossamer.crawl.control.command_mailbox import Stop
    from gossamer.web import Web

    reason = "paused by a person" if pause else "stopped by a person"
    with Web(web, create=False) as opened:
        notes = [opened.task(name) for name in tasks or ()]
        notes = notes or [note for note in opened.tasks() if note.state == "running"]
        if not notes:
            return _report_none_running(opened, json)
        orders = [Stop(note.number, pause, reason) for note in notes if note.state != "finished"]
        return _send_orders(opened, orders, lambda note: note.state != "running", notes, json)


def _report_none_running(web: "Web", json: bool) -> int:
    from gossamer.cli.output.tables import console

    if not json:
        console.print(f"No task of the web at {web.name} is running.")
    return 0


@with_task_options
def change(
    options: dict[str, Any],
    task: TaskName,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Only show which known links would be taken up, and which no longer."),
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Change options of a task, such as limits, filters or pauses; start pages are added with `gossamer submit`.

    A running crawl applies them at once. A task that finished at a limit continues with `gossamer resume`, or at once if its crawl is running.

    \b
    gossamer change trier --pages 5000 --web docs.web
    gossamer change trier --exclude /calendar/ --delay 3 --web docs.web
    gossamer change trier --exclude /calendar/ --preview --web docs.web
    """
    from gossamer.cli.crawl.prompt_for_password import change_passwords
    from gossamer.config import replace_options
    from gossamer.crawl.control.check_task import check_task
    from gossamer.crawl.control.command_mailbox import Change, read_spec
    from gossamer.errors import BadInput
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        note = opened.task(task)
        if not options:
            raise BadInput("name at least one option to change; `gossamer change --help` lists them")
        for name, what in _FIXED.items():
            if name in options:
                raise BadInput(f"you cannot change {what} of a task; `gossamer submit` adds start pages")
        if preview:
            from gossamer.cli.console.show_preview import preview_change

            changed = replace_options(read_spec(note), **options)
            check_task(changed, opened.folder)
            return preview_change(opened, read_spec(note), changed, json)
        options |= change_passwords(opened, read_spec(note), options)
        check_task(replace_options(read_spec(note), **options), opened.folder)
        order = Change(note.number, options)

        def is_done(stored: "TaskNote") -> bool:
            return replace_options(read_spec(stored), **options) == read_spec(stored)

        return _send_orders(opened, [order], is_done, [note], json)


def submit(
    urls: Annotated[
        list[str] | None, typer.Argument(help="Start pages to add, or to withdraw.", metavar="URL…")
    ] = None,
    task: Annotated[
        str, typer.Option("--task", help="Name or number of the task. [default: the newest]")
    ] = "",
    list_: Annotated[
        bool, typer.Option("--list", help="List the pages that were submitted, with their states.")
    ] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back submitted pages that were not visited yet.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Add start pages to a task; its scope grows with them.

    A running task fetches them at once, others with the next `gossamer resume`. Until then they can be withdrawn.

    \b
    gossamer submit https://www.example.org/new/ --web docs.web
    gossamer submit --list --web docs.web
    gossamer submit --withdraw https://www.example.org/new/ --web docs.web
    """
    from gossamer.cli.typed_url import complete_urls
    from gossamer.errors import BadInput

    if list_ and (urls or withdraw):
        raise BadInput("--list takes no pages and no --withdraw: it lists the pages that were submitted")
    if list_:
        return _list_submitted(web, task, json)
    if not urls:
        raise BadInput("give at least one page, or --list for those that were submitted")
    act = _withdraw if withdraw else _submit
    return act(web, task, complete_urls(urls), json)


def _submit(web: Path, task: str, urls: list[str], json: bool) -> int:
    from gossamer.crawl.control.command_mailbox import read_spec
    from gossamer.crawl.control.submit_pages import make_submission, select_crawls
    from gossamer.errors import BadInput
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        crawled = select_crawls(opened.tasks())
        if not task and not crawled:
            raise BadInput(f"the web at {opened.name} has no task that crawls; `gossamer crawl` starts one")
        note = opened.task(task) if task else crawled[-1]
        if note not in crawled:
            raise BadInput(
                f"{note.name} is an import, not a crawl; `gossamer crawl` starts a task that crawls"
            )

        order = make_submission(opened.store, note, urls)

        def is_done(stored: "TaskNote") -> bool:
            return set(order.urls) <= set(read_spec(stored).seeds)

        return _send_orders(opened, [order], is_done, [note], json)


def _list_submitted(web: Path, task: str, json: bool) -> int:
    from gossamer.crawl.control.submitted_pages import list_submitted
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        only = opened.task(task).number if task else 0
        show_submitted(
            [one for one in list_submitted(opened.store, opened.folder) if only in (0, one.number)], json
        )
    return 0


def show_submitted(pages: "Sequence[SubmittedPage]", json: bool) -> None:
    """Print submitted pages with their states as a table or as JSON lines."""
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in pages:
            print_json(one)
        return
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import describe_cause

    if not pages:
        console.print("No pages were submitted.")
        return
    rows = [
        (
            clean_text(one.url, 200),
            clean_text(one.task),
            _STATES.get(one.state, one.state) + (f": {describe_cause(one.cause)}" if one.cause else ""),
        )
        for one in pages
    ]
    print_table("", ("page", "task", "state"), rows)


def _withdraw(web: Path, task: str, urls: list[str], json: bool) -> int:
    from gossamer.crawl.control.submit_pages import make_withdrawals, withdraw_at_rest
    from gossamer.crawl.control.submitted_pages import list_submitted
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        only = opened.task(task).number if task else 0
        code = 0
        gone: set[str] = set()
        for order in make_withdrawals(opened.store, opened.folder, urls, only):
            gone |= set(order.urls)
            at_rest = partial(withdraw_at_rest, opened.store, opened.folder, order, time.time())
            code |= not _carry_out(opened, order, partial(_has_none, order.urls), at_rest)
        left = [one for one in list_submitted(opened.store, opened.folder) if one.url in gone]
        if not json and not left:
            from gossamer.cli.output.tables import console
            from gossamer.cli.output.wording import format_count

            console.print(
                f"{format_count(len(gone), 'page')} withdrawn before a crawl had taken {'it' if len(gone) == 1 else 'them'} up."
            )
            return code
        show_submitted(left, json)
        return code


def _has_none(pages: Sequence[str], stored: "TaskNote") -> bool:
    """Return whether none of these pages is a start page of a stored task."""
    from gossamer.crawl.control.command_mailbox import read_spec

    return set(pages).isdisjoint(read_spec(stored).seeds)


def continue_running(web: "Web", notes: Sequence["TaskNote"], json: bool) -> int | None:
    """Continue tasks in the running crawl; return the exit code, or None if no crawl is running."""
    from gossamer.crawl.control.command_mailbox import Continue
    from gossamer.crawl.control.send_order import tell_crawl

    done = [
        tell_crawl(web.store, web.folder, Continue(note.number), lambda one: one.state == "running", _WAIT_S)
        for note in notes
    ]
    if None in done:
        return None
    if False in done:
        _report_late()
    _show_again(web, notes, json)
    return int(not all(done))


def _send_orders(
    web: "Web", orders: Sequence["Order"], is_done: "IsDone", notes: Sequence["TaskNote"], json: bool
) -> int:
    """Carry out orders in the running crawl or in the web itself, show the tasks, and return the exit code."""
    done = [_carry_out(web, order, is_done) for order in orders]
    _show_again(web, notes, json)
    return int(not all(done))


def _show_again(web: "Web", notes: Sequence["TaskNote"], json: bool) -> None:
    """Show these tasks as they are stored now."""
    from gossamer.cli.crawl.tasks import show_tasks

    numbers = {note.number for note in notes}
    show_tasks(web, [note for note in web.tasks() if note.number in numbers], json)


def _carry_out(web: "Web", order: "Order", is_done: "IsDone", at_rest: "AtRest | None" = None) -> bool:
    """Carry out one order; return False if a running crawl did not do so in time."""
    from gossamer.crawl.control.send_order import carry_out_order

    done = carry_out_order(web.store, web.folder, order, is_done, _WAIT_S, at_rest)
    if not done:
        _report_late()
    return done


def _report_late() -> None:
    typer.echo(
        f"gossamer: the running crawl received the order, but did not carry it out within {_WAIT_S:.0f} s.",
        err=True,
    )
