"""`gossamer forget`: remove pages from every file of a web, and do not collect them again."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.forget.choose_pages import Chosen, Wish
    from gossamer.web import Web

_SHOWN = 20


@with_run_options(crawls=False)
def forget(
    what: Annotated[
        str,
        typer.Argument(
            help="URL, host, or regular expression that is searched for in URLs.",
            metavar="URL|HOST|PATTERN",
            show_default=False,
        ),
    ] = "",
    older_than: Annotated[
        str,
        typer.Option("--older-than", help="Forget pages last fetched longer ago, such as 2y, 6mo or 90d."),
    ] = "",
    keep_bytes: Annotated[
        str,
        typer.Option(
            "--keep-bytes",
            help="Drop the least valuable pages until the web takes no more, such as 10GB; they may be collected again.",
        ),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be forgotten.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the log.")] = "",
    list_: Annotated[bool, typer.Option("--list", help="Show the log of what was forgotten.")] = False,
    undo: Annotated[
        bool,
        typer.Option(
            "--undo", help="Allow what was forgotten to be collected again; nothing comes back by itself."
        ),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Search every file of the web for the URL, and say where it is.")
    ] = False,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also", help="With --check: search for this text too, such as a title.", metavar="TEXT"
        ),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Forget pages: remove them from every file of a web, and do not collect them again.

    State, archive, search index, models' examples and everything derived are cleaned; a tombstone without a readable URL stays, so that crawls, imports and submissions leave the page alone. It can be killed at any time: the next command on the web goes on where it was. Copies, exports and mirrors elsewhere are not touched.

    \b
    gossamer forget https://www.example.org/people/smith.html --web docs.web --reason 'letter of 3 May'
    gossamer forget old.example.org --web docs.web --dry-run
    gossamer forget '/private/.*' --web docs.web --yes
    gossamer forget --older-than 2y --web docs.web --yes
    gossamer forget --keep-bytes 10GB --web docs.web --yes
    gossamer forget --list --web docs.web
    gossamer forget --undo https://www.example.org/people/smith.html --web docs.web
    gossamer forget --check https://www.example.org/people/smith.html --also 'John Smith' --web docs.web
    """
    from gossamer.cli.forget.show_forgotten import show_log, show_traces, show_undone
    from gossamer.web import open_to_read

    _check_options(what, older_than, keep_bytes, list_, undo, check)
    with open_to_read(web) as opened:
        if list_:
            return show_log(opened, json)
        if check:
            return show_traces(opened, what, also or [], json)
        if undo:
            return show_undone(opened, what, json)
        if keep_bytes:
            from gossamer.cli.forget.keep_bytes import drop_pages

            return drop_pages(opened, keep_bytes, yes, dry_run, json)
        return _forget(opened, what, older_than, yes, dry_run, reason, json)


def _check_options(what: str, older_than: str, keep_bytes: str, list_: bool, undo: bool, check: bool) -> None:
    """Raise BadInput unless one thing is asked for."""
    asked = [bool(what), bool(older_than), bool(keep_bytes)]
    if list_ and (any(asked) or undo or check):
        raise BadInput("--list shows the log and takes nothing else")
    if (undo or check) and not what:
        raise BadInput("--undo and --check need the URL, the host or the pattern")
    if not list_ and sum(asked) != 1:
        raise BadInput(
            "give one thing to forget: a URL, a host, a pattern, --older-than or --keep-bytes; "
            "`gossamer forget --help` has examples"
        )


def _forget(
    opened: "Web", what: str, older_than: str, yes: bool, dry_run: bool, reason: str, json: bool
) -> int:
    from gossamer.cli.forget.durations import parse_age
    from gossamer.cli.forget.show_forgotten import show_chosen, show_done
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.forget.choose_pages import Wish, check_found, choose, parse_wish
    from gossamer.forget.forget_pages import ForgetRun, begin, finish
    from gossamer.forget.forget_place import find_place

    now_s = time.time()
    wish = (
        parse_wish(what) if what else Wish("older than", older_than, before_s=now_s - parse_age(older_than))
    )
    with find_place(opened.store, opened.folder) as place:
        chosen = choose(place.store, wish)
        check_found(place.store, wish, chosen)
        if dry_run:
            return show_chosen(wish, chosen, json)
        _ask(wish, chosen, yes)
        with show_progress("Forgetting", with_time_left=False) as progress:
            run = ForgetRun(place, on_progress=progress)
            done = finish(run, begin(run, wish, chosen, reason, now_s))
    return show_done(done, json)


def _ask(wish: "Wish", chosen: "Chosen", yes: bool) -> None:
    """Ask before anything is removed; where no person can answer, --yes is needed."""
    from gossamer.cli.forget.show_forgotten import count_chosen

    if yes:
        return
    every = chosen.pages and chosen.pages >= chosen.of_pages
    counted = count_chosen(chosen)
    if every and wish.kind != "url":
        raise BadInput(f"this is everything, {counted}: add --yes if the whole web is to be forgotten")
    if not sys.stdin.isatty():
        raise BadInput(f"this would forget {counted}: add --yes, or --dry-run to see them")
    typer.confirm(f"Forget {counted}? This cannot be undone", abort=True, err=True)
