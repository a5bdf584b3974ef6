"""How fresh a web is: what budgets of visits keep, how often pages change, how old copies are, and what is due."""

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.crawl.recrawl.revisit_plan import DuePage, Schedule
from gossamer.reports.analysis import Analysis, PageCell, ResultTable, flatten_tables, format_share
from gossamer.reports.visit_reasons import describe_reason
from gossamer.web import Web

if TYPE_CHECKING:  # imported when something is drawn
    from gossamer.plots.canvas import Figure

_DAY_S = 86_400.0
_CHANGES_PER_DAY = {
    "several times a day": 2.0,
    "daily": 0.5,
    "weekly": 1 / 14,
    "monthly": 1 / 60,
    "yearly": 1 / 730,
    "less often": 0.0,
}
"""The least rate of each class, in changes a day."""
_AGE_DAYS = {
    "less than a day": 1.0,
    "less than a week": 7.0,
    "less than a month": 30.0,
    "less than a year": 365.0,
    "older": np.inf,
}
"""The greatest age of each class, in days."""


def analyse_budgets(schedule: Schedule, per_day: float, now_s: float) -> Analysis:
    """Return the freshness that budgets of visits keep, this one among them."""
    curve, fresh_now = schedule.compute_curve(per_day), schedule.estimate_freshness(now_s)
    rows = [
        (f"{one:,.0f}", f"{100 * fresh:.1f} %", "this budget" if one == per_day else "")
        for one, fresh in curve
    ]
    table = ResultTable("Freshness by budget", ("visits a day", "kept fresh", ""), rows)
    facts = {
        "fresh_now": fresh_now,
        "budget_per_day": per_day,
        "budgets": [{"visits_per_day": one, "fresh": fresh} for one, fresh in curve],
    }
    notes = [f"Expected to be up to date now: {100 * fresh_now:.1f} % of the web, by weight."]

    def draw() -> "Figure":
        from gossamer.plots.freshness import draw_freshness

        return draw_freshness(curve, per_day, fresh_now)

    return Analysis(facts, [table], lambda: flatten_tables([table]), notes, draw)


def analyse_ages(schedule: Schedule, now_s: float) -> Analysis:
    """Count pages by how often they change, and by the age of their copies."""
    pages = schedule.pages
    changes = _count_rates(schedule.rates.per_day)
    ages = _count_ages(np.maximum(now_s - pages.seen_s, 0.0) / _DAY_S)
    tables = [
        _tabulate_classes("How often pages change", "changes", changes),
        _tabulate_classes("How old copies are", "age", ages),
    ]
    revisited = int(np.count_nonzero(pages.visited))
    notes = [
        f"{revisited:,} of {len(pages.ids):,} pages were visited more than once; the rates of the others are guessed."
    ]
    if given_up := int(np.count_nonzero(pages.out)):
        notes.append(f"{given_up:,} pages are given up: they could not be fetched for a long time.")
    facts = {"changes": changes, "ages": ages, "revisited": revisited, "given_up": given_up}

    def draw() -> "Figure":
        from gossamer.plots.freshness import draw_change_and_age

        return draw_change_and_age(changes, ages)

    return Analysis(facts, tables, lambda: flatten_tables(tables), notes, draw)


def analyse_due_pages(web: Web, schedule: Schedule, per_day: float, now_s: float, top: int) -> Analysis:
    """List the visits of the next day, the most valuable first, with the reasons."""
    due = schedule.find_due(now_s, round(per_day), schedule.share_budget(per_day), ahead_days=1.0)
    names = web.store.page_urls(one.page for one in due[:top])
    rows = [
        (at, PageCell(names.get(one.page, "?")), describe_reason(one), f"{one.value:.3g}")
        for at, one in enumerate(due[:top], 1)
    ]
    table = ResultTable("Visits of the next day", ("", "page", "reason", "value"), rows)
    notes = [f"{len(due):,} visits are worth it on the next day."]
    if not due:
        notes = ["The next day: no visits. All copies are so new that a later visit is worth more."]
    facts = {"due": len(due), "visits": [_make_fact(one, names) for one in due[:top]]}
    return Analysis(facts, [table], lambda: flatten_tables([table]), notes)


def _make_fact(one: DuePage, names: dict[int, str]) -> dict[str, object]:
    return {"url": names.get(one.page, ""), **msgspec.structs.asdict(one), "why": describe_reason(one)}


def _count_rates(per_day: NDArray[np.float64]) -> dict[str, int]:
    counts, left = {}, np.ones(len(per_day), np.bool_)
    for name, least in _CHANGES_PER_DAY.items():
        here = left & (per_day >= least)
        counts[name] = int(np.count_nonzero(here))
        left &= ~here
    return counts


def _count_ages(days: NDArray[np.float64]) -> dict[str, int]:
    counts, left = {}, np.ones(len(days), np.bool_)
    for name, most in _AGE_DAYS.items():
        here = left & (days < most)
        counts[name] = int(np.count_nonzero(here))
        left &= ~here
    return counts


def _tabulate_classes(title: str, column: str, counts: dict[str, int]) -> ResultTable:
    whole = sum(counts.values())
    rows = [(name, number, format_share(number, whole)) for name, number in counts.items()]
    return ResultTable(title, (column, "pages", "share"), rows)
