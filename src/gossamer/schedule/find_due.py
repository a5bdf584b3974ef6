"""Find the runs of an entry that are due, and write each down: as a run, or as missed with the reason."""

from typing import NamedTuple

import msgspec

from gossamer.schedule.clock_watch import format_moment
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import EntryState, Run
from gossamer.schedule.rules.due_times import count_between, find_last, list_between
from gossamer.schedule.schedule_records import Entry

LATE_S = 60.0
"""A run that begins this late, or earlier, is on time."""
_MOST_LISTED = 1_000


class Missed(NamedTuple):
    """What was missed at one look: the first and the last moment, how often, and why."""

    entry: str
    first_s: float
    last_s: float
    times: int
    why: str


def write_due(
    journal: Journal, entry: Entry, state: EntryState, open_runs: list[Run], now_s: float, why_late: str
) -> list[Missed]:
    """Write every moment after `state.upto_s` at which an entry was due; return what was missed.

    The last one runs, even late if the entry says `once`, unless an earlier run still waits. Those before it are missed: one
    run does the work of all. `why_late` says why nobody looked, if that is known.
    """
    last_s = find_last(entry.rule, state.upto_s, now_s, entry.zone)
    if last_s is None:
        return []
    known = journal.list_due_times(entry.name, state.upto_s, now_s)
    missed = []
    if earlier := _describe_earlier(entry, state.upto_s, last_s, known, why_late):
        missed.append(earlier)
    if last_s not in known:
        why = _refuse(entry, open_runs, last_s, now_s, why_late)
        if why:
            missed.append(Missed(entry.name, last_s, last_s, 1, why))
        else:
            journal.add_run(entry.name, last_s)
    for one in missed:
        journal.add_missed(one.entry, one.first_s, one.last_s, one.times, one.why, now_s)
    journal.put_entry(msgspec.structs.replace(state, upto_s=now_s))
    return missed


def _describe_earlier(
    entry: Entry, after_s: float, last_s: float, known: set[float], why_late: str
) -> Missed | None:
    """Return the moments before the last one that did not run; None if there are none."""
    times = count_between(entry.rule, after_s, last_s, entry.zone) - 1
    why = f"{why_late or 'the runner was busy'}; one run makes up for them"
    if entry.missed == "skip":
        why = why_late or "the runner was busy"
    if times <= _MOST_LISTED:
        moments = list_between(entry.rule, after_s, last_s, entry.zone)
        left = [one for one in moments if one != last_s and one not in known]
        return Missed(entry.name, left[0], left[-1], len(left), why) if left else None
    first_s = next(iter(list_between(entry.rule, after_s, last_s, entry.zone)))
    end_s = max(find_last(entry.rule, after_s, last_s - 1, entry.zone) or first_s, first_s)
    return Missed(entry.name, first_s, end_s, times - len(known - {last_s}), why)


def _refuse(entry: Entry, open_runs: list[Run], due_s: float, now_s: float, why_late: str) -> str:
    """Return why a run that is due does not happen; "" if it does."""
    own = [run for run in open_runs if run.entry == entry.name]
    for run in own:
        if run.state == "waiting":
            return f"the run that was due at {format_moment(run.due_s)} still waits"
    if entry.missed == "once":
        return ""
    if own:
        return f"the run that was due at {format_moment(own[0].due_s)} was still going"
    if now_s - due_s > LATE_S:
        return why_late or "the runner was busy"
    return ""


def take_back(
    journal: Journal, states: dict[str, EntryState], entries: dict[str, Entry], now_s: float
) -> int:
    """After the clock was set back: what was told as missed, and will come again, is due again; return how much that is.

    Runs that have begun or ended are not repeated: their moments are known.
    """
    times = 0
    for state in states.values():
        if state.upto_s <= now_s or state.name not in entries:
            continue
        entry = entries[state.name]
        for missed in journal.list_missed_after(state.name, now_s):
            left = _cut(journal, entry, missed.first_s, missed.times, now_s)
            last_s = find_last(entry.rule, missed.first_s - 1, now_s, entry.zone) if left else None
            times += missed.times - left
            journal.put_missed(msgspec.structs.replace(missed, last_s=last_s or missed.last_s, times=left))
        for run in journal.list_open():
            if run.entry == state.name and not run.tries and not run.asked_by and run.due_s > now_s:
                journal.drop_run(run.number)
                times += 1
        journal.put_entry(msgspec.structs.replace(state, upto_s=now_s))
    return times


def _cut(journal: Journal, entry: Entry, first_s: float, times: int, now_s: float) -> int:
    """Return how many of the missed moments from `first_s` on are not after now."""
    if first_s > now_s:
        return 0
    known = journal.list_due_times(entry.name, first_s - 1, now_s)
    return min(times, max(count_between(entry.rule, first_s - 1, now_s, entry.zone) - len(known), 1))
