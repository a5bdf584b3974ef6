"""Read what a schedule does: each entry with its next, its last and its missed runs. For the command line and the console."""

from pathlib import Path

import msgspec

from gossamer.errors import BadInput
from gossamer.schedule.journal.journal import FILE_NAME, Journal
from gossamer.schedule.journal.journal_records import JournalEvent, MissedRuns, Notice, Run
from gossamer.schedule.keep_schedule import ALIVE
from gossamer.schedule.run_file import is_locked
from gossamer.schedule.schedule_file import describe_due, read_schedule
from gossamer.schedule.schedule_records import Schedule

LOCK = "lock"
"""The file that a runner keeps locked in its folder."""
_MOST_TIMES = 5


class EntryView(msgspec.Struct, frozen=True):
    """An entry, as people and programs see it."""

    name: str
    web: str
    do: str
    when: str
    time_zone: str
    next_s: float | None
    """None if a sitemap tells."""
    state: str
    """running, waiting or idle."""
    last: Run | None
    last_missed: MissedRuns | None
    counts: dict[str, int]
    """Runs by state, and missed ones."""


class ScheduleView(msgspec.Struct, frozen=True):
    """A schedule and its journal."""

    now_s: float
    alive: bool
    """Whether a runner works on it."""
    alive_s: float
    """When a runner looked last; 0 if none ever has."""
    entries: list[EntryView]
    runs: list[Run]
    missed: list[MissedRuns]
    events: list[JournalEvent]
    notices: list[Notice]
    """Notices that wait or were given up."""


def locate_folder(path: Path) -> Path:
    """Return where the runner of a schedule keeps its own files: schedule.toml has schedule.run beside it."""
    return path.resolve().with_suffix(".run")


def read_state(path: Path, now_s: float, most: int = 50) -> ScheduleView:
    """Return the state of a schedule; without a journal, all of its entries are still to come."""
    schedule = read_schedule(path, now_s)
    folder = locate_folder(path)
    if not (folder / FILE_NAME).exists():
        entries = [_view_entry(schedule, name, now_s, [], {}, None, None) for name in schedule.entries]
        return ScheduleView(now_s, False, 0.0, entries, [], [], [], [])
    journal = Journal(folder)
    try:
        return _read_journal(journal, schedule, is_locked(folder / LOCK), now_s, most)
    finally:
        journal.close()


def _read_journal(journal: Journal, schedule: Schedule, alive: bool, now_s: float, most: int) -> ScheduleView:
    open_runs, counts = journal.list_open(), journal.count_runs()
    entries = []
    for name in schedule.entries:
        ended = [run for run in journal.list_runs(name, _MOST_TIMES) if run.state in ("done", "failed")]
        missed = journal.list_missed(name, 1)
        entries.append(
            _view_entry(
                schedule,
                name,
                now_s,
                open_runs,
                counts.get(name, {}),
                max(ended, key=lambda run: run.ended_s, default=None),
                missed[0] if missed else None,
            )
        )
    alive_s = float(journal.read_fact(ALIVE) or 0.0)
    unsent = [*journal.list_notices("waiting", most=most), *journal.list_notices("given up", most=most)]
    return ScheduleView(
        now_s,
        alive,
        alive_s,
        entries,
        journal.list_runs(most=most),
        journal.list_missed(most=most),
        journal.list_events(most),
        unsent,
    )


def _view_entry(
    schedule: Schedule,
    name: str,
    now_s: float,
    open_runs: list[Run],
    counts: dict[str, int],
    last: Run | None,
    missed: MissedRuns | None,
) -> EntryView:
    entry = schedule.entries[name]
    own = {run.state for run in open_runs if run.entry == name}
    state = "running" if "running" in own else "waiting" if own else "idle"
    due_s = describe_due(entry, now_s)
    return EntryView(
        name, entry.web, entry.do, entry.when, entry.zone.key, due_s, state, last, missed, counts
    )


def ask_for_run(path: Path, entry: str, asked_by: str, now_s: float) -> None:
    """Ask the runner of a schedule to run an entry now."""
    schedule = read_schedule(path, now_s)
    if entry not in schedule.entries:
        raise BadInput(
            f"the schedule has no entry {entry[:80]!r}; its entries are {', '.join(schedule.entries)}"
        )
    journal = Journal(locate_folder(path))
    try:
        journal.add_wish(entry, asked_by, now_s)
    finally:
        journal.close()
