"""The output of `gossamer recrawl --plan`: freshness by budget, and the visits of the next day with reasons."""

import time
from pathlib import Path
from typing import Any

import msgspec

from gossamer.cli.output.json_lines import print_json
from gossamer.cli.output.tables import clean_text, console, print_table
from gossamer.crawl.recrawl.revisit_plan import DuePage, Schedule
from gossamer.web import Web

_SHOWN = 20


def show_plan(web: Web, schedule: Schedule, per_day: float, plot: Path | None, json: bool) -> None:
    """Print freshness by budget and the visits of the next day."""
    now_s = time.time()
    curve = schedule.compute_curve(per_day)
    fresh_now = schedule.estimate_freshness(now_s)
    due = schedule.find_due(now_s, round(per_day), schedule.share_budget(per_day), ahead_days=1.0)
    names = web.store.page_urls(one.page for one in due)
    if plot is not None:
        from gossamer.cli.output.plot_files import write_picture
        from gossamer.plots.freshness import draw_freshness

        write_picture(draw_freshness(curve, per_day, fresh_now), plot)
    if json:
        for line in _list_records(curve, per_day, fresh_now, due, names):
            print_json(line)
        return
    console.print(f"Expected to be up to date now: {100 * fresh_now:.1f} % of the web, by weight.")
    rows = [
        (f"{one:,.0f}", f"{100 * fresh:.1f} %", "this budget" if one == per_day else "")
        for one, fresh in curve
    ]
    print_table("Freshness by budget", ("visits a day", "kept fresh", ""), rows)
    if not due:
        console.print("The next day: no visits. All copies are so new that a later visit is worth more.")
        return
    print_table(
        f"The next day: {len(due):,} visits, the most valuable first",
        ("page", "reason", "value"),
        [
            (clean_text(names.get(one.page, "?"), 70), describe_reason(one), f"{one.value:.3g}")
            for one in due[:_SHOWN]
        ],
    )


def describe_reason(one: DuePage) -> str:
    """Return the reasons why a page is due."""
    reasons = [f"changes {format_rate(one.per_day)}", f"{100 * one.chance:.0f} % likely to have changed"]
    if one.told:
        reasons.insert(0, "a sitemap or feed lists it as changed")
    if one.gone_times:
        reasons = [f"could not be fetched {one.gone_times} times in a row"]
    return ", ".join([*reasons, f"weight {one.weight:.2g}"])


def format_rate(per_day: float) -> str:
    """Return a rate such as "2 times a day" or "every 3 days"."""
    if per_day >= 1:
        return f"{per_day:.2g} times a day"
    days = 1 / max(per_day, 1e-9)
    return f"every {days:.2g} days" if days < 100 else f"every {days / 365:.2g} years"


def _list_records(
    curve: list[tuple[float, float]],
    per_day: float,
    fresh_now: float,
    due: list[DuePage],
    names: dict[int, str],
) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [{"what": "now", "fresh": fresh_now, "budget_per_day": per_day}]
    records += [{"what": "budget", "visits_per_day": one, "fresh": fresh} for one, fresh in curve]
    return records + [
        {
            "what": "visit",
            "url": names.get(one.page, ""),
            **msgspec.structs.asdict(one),
            "why": describe_reason(one),
        }
        for one in due
    ]
