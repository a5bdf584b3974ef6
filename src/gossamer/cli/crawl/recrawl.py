"""`gossamer recrawl`: revisit pages that are due, and show what a budget of visits keeps fresh."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.recrawl.revisit_plan import Schedule
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

_PER_DAY = {"day": 1.0, "hour": 24.0, "minute": 1440.0}
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(%?)(?:/(day|hour|minute))?")
_ROUND_S = 60.0
"""Shortest pause of `--watch` between two rounds."""
_STOPPED = 130


@with_run_options()
def recrawl(
    pattern: Annotated[
        str,
        typer.Argument(
            help="With --now: a URL, or a regular expression that URLs contain. [default: all pages]",
            metavar="[PATTERN]",
            show_default=False,
        ),
    ] = "",
    web: WebPath = Path("web"),
    now: Annotated[
        bool,
        typer.Option(
            "--now", help="Visit the pages that match PATTERN at once, whether they are due or not."
        ),
    ] = False,
    budget: Annotated[
        str, typer.Option("--budget", help="Visits: 5000/day, 200/hour, or 10%/day of all pages.")
    ] = "10%/day",
    watch: Annotated[bool, typer.Option("--watch", help="Repeat rounds until Ctrl-C.")] = False,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Visit nothing; show freshness by budget and the visits of the next day."
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="With --plan: draw freshness by budget (.svg or .png).")
    ] = None,
    follow: Annotated[
        bool,
        typer.Option("--follow", help="Also fetch new pages that revisited pages link to, within scope."),
    ] = False,
    least_gap: Annotated[
        float,
        typer.Option("--least-gap", min=0.0, help="Shortest time in seconds between two visits to a page."),
    ] = 3600.0,
    history: Annotated[
        bool,
        typer.Option(
            "--history", help="Pages that you have read (`gossamer serve --history`) are more important."
        ),
    ] = False,
    json: Json = False,
) -> int:
    """Revisit pages that have probably changed, the most valuable first.

    Requests are conditional, so servers answer 304 for unchanged pages. Change rates are learnt from all visits. The
    budget goes to the visits that keep the copies freshest; the politeness settings of the pages' tasks apply. With
    --now, no page waits until it is due, and no budget holds visits back.

    \b
    gossamer recrawl --web docs.web --budget 5000/day
    gossamer recrawl --web docs.web --watch --history
    gossamer recrawl --web docs.web --now /news/
    gossamer recrawl --web docs.web --plan --plot freshness.png
    """
    from gossamer.errors import BadInput

    if plot is not None and not plan:
        raise BadInput("--plot needs --plan")
    if pattern and not now:
        raise BadInput(
            f"write --now {pattern!r} to visit pages that match it; without --now, the pages that are due"
        )
    if now and (plan or watch):
        raise BadInput("--now visits pages once and at once: leave out --plan and --watch")
    if now and history:
        raise BadInput("--now visits all pages that match, so none is more important: leave out --history")
    if now:
        return _visit_now(web, pattern, follow, json)
    if plan:
        return _show_plan(web, _RoundOptions(budget, least_gap, follow, watch, history), plot, json)
    return _run_rounds(web, _RoundOptions(budget, least_gap, follow, watch, history), json)


class _RoundOptions(NamedTuple):
    """The options of every round."""

    budget: str
    least_gap_s: float
    follow: bool
    watch: bool
    history: bool
    """Whether pages that were read are more important."""


def _schedule(web: "Web", options: _RoundOptions) -> "Schedule":
    """Return the schedule of a web, with what its user has read if that is asked for."""
    if not options.history:
        return web.schedule(options.least_gap_s)
    import numpy as np

    from gossamer.navigate.history.history_folder import find_history_file
    from gossamer.navigate.history.read_marks import count_visits

    path = find_history_file()
    return web.schedule(
        options.least_gap_s, lambda ids: np.array(count_visits(path, ids.tolist()), np.float64)
    )


def _show_plan(web: Path, options: _RoundOptions, plot: Path | None, json: bool) -> int:
    from gossamer.cli.crawl.recrawl_plan import show_plan
    from gossamer.cli.output.plot_files import PICTURES, check_plot
    from gossamer.web import open_to_read

    check_plot(plot, *PICTURES)
    with open_to_read(web) as opened:
        schedule = _schedule(opened, options)
        show_plan(opened, schedule, parse_budget(options.budget, schedule), plot, json)
    return 0


def _run_rounds(web: Path, options: _RoundOptions, json: bool) -> int:
    """Run one round, or with --watch one after another until it is stopped."""
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        code = _run_round(opened, options, json)
        while options.watch and code != _STOPPED:
            time.sleep(_ROUND_S)
            code = _run_round(opened, options, json)
        return code


def _visit_now(web: Path, pattern: str, follow: bool, json: bool) -> int:
    """Visit all pages that match a pattern, and what earlier rounds have left."""
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count
    from gossamer.crawl.recrawl.revisit_rounds import (
        list_recrawl_tasks,
        list_waiting_visits,
        schedule_visits,
        visit_now,
    )
    from gossamer.errors import BadInput
    from gossamer.web import Web

    matches = _make_matcher(pattern)
    with Web(web, create=False) as opened:
        chosen = [page.id for page in opened.store.pages() if matches(page.url)]
        if not chosen:
            raise BadInput(
                f"no page of the web at {opened.name} matches {pattern!r}"
                if pattern
                else f"{opened.name} has no pages yet"
            )
        waiting = list_waiting_visits(opened.store)
        if not json:
            console.print(f"Visiting {format_count(len(chosen), 'page')} now.")
        visits = [visit_now(page) for page in chosen if page not in waiting]
        schedule_visits(opened.store, visits, time.time(), follow)
        notes = [
            note for note in list_recrawl_tasks(opened.store) if opened.store.count_remaining(note.number)
        ]
        return _run_notes(opened, notes, json)


def _make_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a function that says whether a URL is the given one, or contains the regular expression."""
    from gossamer.errors import BadUrl
    from gossamer.net.url import TYPED_RULES, canonical
    from gossamer.net.url.url_pattern import compile_pattern

    found = compile_pattern(pattern)
    try:
        url = canonical(pattern, rules=TYPED_RULES)
    except BadUrl:
        url = ""
    return lambda one: one == url or found.search(one) is not None


def parse_budget(text: str, schedule: "Schedule") -> float:
    """Parse a budget such as `10%/day` and return visits a day."""
    from gossamer.errors import BadInput

    match = _BUDGET.fullmatch(text.replace(" ", "").replace(",", "").lower())
    if match is None or not float(match[1]):
        raise BadInput(f"--budget {text!r} is not a budget; write 5000/day, 200/hour or 10%/day")
    number = float(match[1]) * _PER_DAY[match[3] or "day"]
    return number * len(schedule.pages.ids) / 100 if match[2] else number


def _run_round(web: "Web", options: _RoundOptions, json: bool) -> int:
    """Visit the pages that are due, or finish the last round; return the exit code, 130 if it was stopped.

    With --watch the budget is spread evenly over the day; a single round may spend all of it.
    """
    from gossamer.cli.output.tables import console
    from gossamer.crawl.recrawl.revisit_rounds import count_visits_left, list_recrawl_tasks, schedule_visits

    notes = [note for note in list_recrawl_tasks(web.store) if web.store.count_remaining(note.number)]
    if not notes:
        schedule, now_s = _schedule(web, options), time.time()
        per_day = parse_budget(options.budget, schedule)
        most = count_visits_left(web.store, per_day, now_s, evenly=options.watch)
        due = schedule.find_due(now_s, most, schedule.share_budget(per_day))
        if not due:
            if not json and not options.watch:
                console.print(_describe_idle(schedule, now_s, most))
            return 0
        notes = schedule_visits(web.store, due, now_s, options.follow)
    return _run_notes(web, notes, json)


def _run_notes(web: "Web", notes: "list[TaskNote]", json: bool) -> int:
    """Run recrawl tasks; return the exit code, 130 if they were stopped."""
    from gossamer.cli.crawl.watch_crawl import run_watched
    from gossamer.crawl.run.start_processes import ProcessCrew

    code = run_watched(web, [], notes, json, ProcessCrew(1))
    return _STOPPED if any(note.state == "stopped" for note in _read_again(web, notes)) else code


def _read_again(web: "Web", notes: "list[TaskNote]") -> "list[TaskNote]":
    numbers = {note.number for note in notes}
    return [note for note in web.store.tasks() if note.number in numbers]


def _describe_idle(schedule: "Schedule", now_s: float, most: int) -> str:
    fresh = f"{100 * schedule.estimate_freshness(now_s):.1f} % of the web is expected to be up to date."
    if not most:
        return f"The budget of the last 24 hours is spent. {fresh}"
    return f"Nothing is due. {fresh}"
