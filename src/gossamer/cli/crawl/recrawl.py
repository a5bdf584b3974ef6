"""`gossamer recrawl`: visit again what is due, and tell what a budget of visits keeps fresh."""

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.crawl.recrawl.revisit_plan import Schedule
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web

_PER_DAY = {"day": 1.0, "hour": 24.0, "minute": 1440.0}
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(%?)(?:/(day|hour|minute))?")
USUAL_SHARE = 0.1
"""Of the pages of a web that are visited a day, if nothing is said."""
_ROUND_S = 60.0
"""How long `--watch` rests between two rounds at least."""
_STOPPED = 130


def recrawl(
    web: WebPath = Path("web"),
    budget: Annotated[
        str, typer.Option("--budget", help="Visits a day: 5000/day, 200/hour or 10%/day of all pages.")
    ] = "10%/day",
    watch: Annotated[bool, typer.Option("--watch", help="Go on, round after round, until Ctrl-C.")] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Visit nothing: show what a budget buys, and the next day.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="With --plan: draw freshness by budget (PNG or SVG).")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Fetch new pages too that revisited ones link to, within scope.")
    ] = False,
    least_gap: Annotated[
        float, typer.Option("--least-gap", min=0.0, help="Seconds before a page is visited again at least.")
    ] = 3600.0,
    json: Json = False,
) -> int:
    """Visit pages again that have probably changed, the most valuable first.

    Servers are told what we have and answer 304 if nothing is new. How often a page changes is learnt from all visits;
    the budget goes where it keeps the copies freshest, within the manners of the tasks that fetched the pages.

    \b
    gossamer recrawl --web docs.web --budget 5000/day
    gossamer recrawl --web docs.web --watch
    gossamer recrawl --web docs.web --plan --plot freshness.png
    """
    from gossamer.errors import BadInput

    if plot is not None and not plan:
        raise BadInput("--plot draws what --plan tells: give both")
    if plan:
        return _plan(web, budget, least_gap, plot, json)
    return _rounds(web, _Wish(budget, least_gap, follow, watch), json)


class _Wish(NamedTuple):
    """What is asked of every round."""

    budget: str
    least_gap_s: float
    follow: bool
    watch: bool


def _plan(web: Path, budget: str, least_gap: float, plot: Path | None, json: bool) -> int:
    from gossamer.cli.crawl.recrawl_plan import show_plan
    from gossamer.cli.output.plot_files import PICTURES, check_plot
    from gossamer.web import open_to_read

    check_plot(plot, *PICTURES)
    with open_to_read(web) as opened:
        schedule = opened.schedule(least_gap)
        show_plan(opened, schedule, visits_per_day(budget, schedule), plot, json)
    return 0


def _rounds(web: Path, wish: _Wish, json: bool) -> int:
    """Run one round, or one after the other until somebody stops it."""
    from gossamer.web import Web

    with Web(web, create=False) as opened:
        code = _round(opened, wish, json)
        while wish.watch and code != _STOPPED:
            time.sleep(_ROUND_S)
            code = _round(opened, wish, json)
        return code


def visits_per_day(said: str, schedule: "Schedule") -> float:
    """Return a budget in visits a day."""
    from gossamer.errors import BadInput

    found = _BUDGET.fullmatch(said.replace(" ", "").replace(",", "").lower())
    if found is None or not float(found[1]):
        raise BadInput(f"--budget {said!r} is no budget; say 5000/day, 200/hour or 10%/day")
    number = float(found[1]) * _PER_DAY[found[3] or "day"]
    return number * len(schedule.pages.ids) / 100 if found[2] else number


def _round(web: "Web", wish: _Wish, json: bool) -> int:
    """Visit what is due, or what the last round had to leave; return the exit code, 130 when somebody stopped it.

    Whoever goes on spends the budget evenly over the day; a single round may spend all of it.
    """
    from gossamer.cli.crawl.watch_crawl import run_watched
    from gossamer.cli.output.tables import console
    from gossamer.crawl.recrawl.revisit_rounds import count_visits_left, list_recrawl_tasks, schedule_visits
    from gossamer.crawl.run.process_crew import ProcessCrew

    notes = [note for note in list_recrawl_tasks(web.store) if web.store.count_remaining(note.number)]
    if not notes:
        schedule, now_s = web.schedule(wish.least_gap_s), time.time()
        per_day = visits_per_day(wish.budget, schedule)
        most = count_visits_left(web.store, per_day, now_s, evenly=wish.watch)
        due = schedule.find_due(now_s, most, schedule.share_budget(per_day))
        if not due:
            if not json and not wish.watch:
                console.print(_nothing(schedule, now_s, most))
            return 0
        notes = schedule_visits(web.store, due, now_s, wish.follow)
    code = run_watched(web, [], notes, json, ProcessCrew(1))
    return _STOPPED if any(note.state == "stopped" for note in _now(web, notes)) else code


def _now(web: "Web", notes: "list[TaskNote]") -> "list[TaskNote]":
    numbers = {note.number for note in notes}
    return [note for note in web.store.tasks() if note.number in numbers]


def _nothing(schedule: "Schedule", now_s: float, most: int) -> str:
    fresh = (
        f"{100 * schedule.estimate_freshness(now_s):.1f} % of the web is expected to be as it is on the net."
    )
    if not most:
        return f"The budget of the last 24 hours is spent. {fresh}"
    return f"Nothing is due. {fresh}"
