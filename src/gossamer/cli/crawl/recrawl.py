"""`gossamer recrawl`: revisit pages that are due, and show what a budget of visits keeps fresh."""

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.recrawl.revisit_plan import Schedule
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

_PER_DAY = {"day": 1.0, "hour": 24.0, "minute": 1440.0}
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(%?)(?:/(day|hour|minute))?")
USUAL_SHARE = 0.1
"""Share of the pages that is visited a day by default."""
_ROUND_S = 60.0
"""Shortest pause of `--watch` between two rounds."""
_STOPPED = 130


def recrawl(
    web: WebPath = Path("web"),
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
    json: Json = False,
) -> int:
    """Revisit pages that have probably changed, the most valuable first.

    Requests are conditional, so servers answer 304 for unchanged pages. Change rates are learnt from all visits. The
    budget goes to the visits that keep the copies freshest; the politeness settings of the pages' tasks apply.

    \b
    gossamer recrawl --web docs.web --budget 5000/day
    gossamer recrawl --web docs.web --watch
    gossamer recrawl --web docs.web --plan --plot freshness.png
    """
    from gossamer.errors import BadInput

    if plot is not None and not plan:
        raise BadInput("--plot needs --plan")
    if plan:
        return _show_plan(web, budget, least_gap, plot, json)
    return _run_rounds(web, _RoundOptions(budget, least_gap, follow, watch), json)


class _RoundOptions(NamedTuple):
    """The options of every round."""

    budget: str
    least_gap_s: float
    follow: bool
    watch: bool


def _show_plan(web: Path, budget: str, least_gap: float, plot: Path | None, json: bool) -> int:
    from gossamer.cli.crawl.recrawl_plan import show_plan
    from gossamer.cli.output.plot_files import PICTURES, check_plot
    from gossamer.web import open_to_read

    check_plot(plot, *PICTURES)
    with open_to_read(web) as opened:
        schedule = opened.schedule(least_gap)
        show_plan(opened, schedule, parse_budget(budget, schedule), plot, json)
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
    from gossamer.cli.crawl.watch_crawl import run_watched
    from gossamer.cli.output.tables import console
    from gossamer.crawl.recrawl.revisit_rounds import count_visits_left, list_recrawl_tasks, schedule_visits
    from gossamer.crawl.run.start_processes import ProcessCrew

    notes = [note for note in list_recrawl_tasks(web.store) if web.store.count_remaining(note.number)]
    if not notes:
        schedule, now_s = web.schedule(options.least_gap_s), time.time()
        per_day = parse_budget(options.budget, schedule)
        most = count_visits_left(web.store, per_day, now_s, evenly=options.watch)
        due = schedule.find_due(now_s, most, schedule.share_budget(per_day))
        if not due:
            if not json and not options.watch:
                console.print(_describe_idle(schedule, now_s, most))
            return 0
        notes = schedule_visits(web.store, due, now_s, options.follow)
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
