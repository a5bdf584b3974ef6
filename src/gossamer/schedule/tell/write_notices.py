"""Write what is to be told into the journal: news of a run, a failure, and runs that were missed."""

from typing import Protocol

from gossamer.context.write_feed import name_entry
from gossamer.printable_text import clean_lines, clean_text
from gossamer.schedule.clock_watch import format_moment
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import News, NewsItem, Notice, Run
from gossamer.schedule.schedule_records import Entry

MOST_ITEMS = 200
_LONGEST_TEXT = 2_000


class MissedSpan(Protocol):
    """Runs that were missed together."""

    @property
    def first_s(self) -> float:
        """When the first was due."""
        ...

    @property
    def last_s(self) -> float:
        """When the last was due."""
        ...

    @property
    def times(self) -> int:
        """How many there are."""
        ...

    @property
    def why(self) -> str:
        """Why they did not happen."""
        ...


def write_news(journal: Journal, entry: Entry, run: Run, news: News | None, now_s: float) -> int:
    """Write a notice of what a run found that is new; return how much that is."""
    if news is None:
        return 0
    items = list(news.items)
    if news.remember:
        is_first = not journal.read_fact(f"found {entry.name}")
        journal.put_fact(f"found {entry.name}", "1")
        items = journal.take_new(entry.name, items)
        if is_first and not news.first_is_new:
            return 0
    if items:
        count = f"{len(items):,} new" if len(items) < MOST_ITEMS else f"{len(items):,} or more new"
        subject = f"{entry.name}: {count}"
        _write(journal, entry, f"{run.number}", subject, news.summary, tuple(items[:MOST_ITEMS]), now_s)
    return len(items)


def write_failure(journal: Journal, entry: Entry, run: Run, now_s: float) -> None:
    """Write a notice that a run has failed for good."""
    tries = f" after {run.tries} tries" if run.tries > 1 else ""
    text = f"The run that was due at {format_moment(run.due_s)} failed{tries}: {run.why}."
    _write(journal, entry, f"{run.number} failed", f"{entry.name}: failed", text, (), now_s)


def write_missed(journal: Journal, entry: Entry, missed: MissedSpan, now_s: float) -> None:
    """Write a notice of runs that were missed."""
    if missed.times == 1:
        text = f"The run that was due at {format_moment(missed.first_s)} did not happen: {missed.why}."
    else:
        span = f"from {format_moment(missed.first_s)} to {format_moment(missed.last_s)}"
        text = f"{missed.times:,} runs that were due {span} did not happen: {missed.why}."
    about = f"missed {missed.first_s:.0f} {missed.times}"
    _write(journal, entry, about, f"{entry.name}: {missed.times:,} missed", text, (), now_s)


def _write(
    journal: Journal,
    entry: Entry,
    about: str,
    subject: str,
    text: str,
    items: tuple[NewsItem, ...],
    now_s: float,
) -> None:
    """Write a notice for each channel of an entry."""
    for channel in entry.tell:
        name = name_entry("schedule", entry.name, about, f"{now_s:.3f}", channel)
        plain = clean_lines(text[:_LONGEST_TEXT])
        journal.add_notice(
            Notice(0, name, channel, entry.name, clean_text(subject, 200), plain, items, now_s)
        )
