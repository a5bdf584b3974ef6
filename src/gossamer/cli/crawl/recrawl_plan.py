"""The output of `gossamer recrawl --plan`: freshness by budget, and the visits of the next day with reasons."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gossamer.cli.output.json_lines import print_json
from gossamer.cli.output.tables import clean_text, console, print_table
from gossamer.crawl.recrawl.revisit_plan import DuePage, Schedule
from gossamer.reports.freshness_tables import analyse_budgets
from gossamer.reports.visit_reasons import describe_reason
from gossamer.web import Web

_SHOWN = 20


def show_plan(web: Web, schedule: Schedule, per_day: float, plot: Path | None, json: bool) -> None:
    """Print freshness by budget and the visits of the next day."""
    now_s = time.time()
    budgets = analyse_budgets(schedule, per_day, now_s)
    due = schedule.find_due(now_s, round(per_day), schedule.share_budget(per_day), ahead_days=1.0)
    names = web.store.page_urls(one.page for one in due)
    if plot is not None:
        from gossamer.cli.output.plot_files import write_plot

        write_plot(budgets, plot, "Freshness by budget")
    if json:
        for line in _list_records(budgets.facts, due, names):
            print_json(line)
        return
    for note in budgets.notes:
        console.print(note)
    for table in budgets.tables:
        print_table(table.title, table.columns, table.rows)
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


def _list_records(
    budgets: Mapping[str, Any], due: list[DuePage], names: dict[int, str]
) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [
        {"what": "now", "fresh": budgets["fresh_now"], "budget_per_day": budgets["budget_per_day"]}
    ]
    records += [{"what": "budget", **one} for one in budgets["budgets"]]
    return records + [
        {
            "what": "visit",
            "url": names.get(one.page, ""),
            **msgspec.structs.asdict(one),
            "why": describe_reason(one),
        }
        for one in due
    ]
