"""Runs and missed runs in words, each on one line."""

from datetime import datetime
from zoneinfo import ZoneInfo

from gossamer.printable_text import clean_text
from gossamer.schedule.journal.journal_records import MissedRuns, Run


def describe_run(run: Run) -> str:
    """Return one line about a run."""
    asked = f", asked for by {clean_text(run.asked_by)}" if run.asked_by else ""
    ended = f", ended {format_local(run.ended_s)}" if run.ended_s else ""
    tries = f", {run.tries} tries" if run.tries > 1 else ""
    news = f", {run.news:,} new" if run.news else ""
    why = f": {clean_text(run.why, 200)}" if run.why else ""
    return f"{format_local(run.due_s)}  {run.entry}  {run.state}{asked}{ended}{tries}{news}{why}"


def describe_missed(missed: MissedRuns) -> str:
    """Return one line about runs that were missed."""
    why = clean_text(missed.why, 300)
    if missed.times == 1:
        return f"{format_local(missed.first_s)}  {missed.entry}: {why}"
    until = format_local(missed.last_s)
    return f"{format_local(missed.first_s)} to {until}  {missed.entry}, {missed.times:,} times: {why}"


def format_local(when_s: float, zone: str = "UTC") -> str:
    """Return a moment in a time zone: 2026-05-31 03:00 CEST."""
    return datetime.fromtimestamp(when_s, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M %Z")
