"""Show a schedule: when each entry is due next, and what its journal says."""

from itertools import islice
from pathlib import Path

from gossamer.schedule.read_state import EntryView, ScheduleView, read_state
from gossamer.schedule.read_texts import describe_missed, describe_run, format_local

_NEXT_TIMES = 3


def show_due(path: Path, now_s: float, json: bool) -> int:
    """Check a schedule, and print when each entry is due next."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console, print_line
    from gossamer.schedule.rules.due_times import list_between
    from gossamer.schedule.schedule_file import read_schedule

    schedule = read_schedule(path, now_s)
    for name, entry in schedule.entries.items():
        times = list(islice(list_between(entry.rule, now_s, float("inf"), entry.zone), _NEXT_TIMES))
        shown = [format_local(when_s, entry.zone.key) for when_s in times]
        if json:
            print_json({"entry": name, "web": entry.web, "do": entry.do, "when": entry.when, "next": shown})
            continue
        print_line((name, "bold"), f"  {entry.do} of {entry.web}, {entry.when}")
        console.print(f"  next: {', '.join(shown) or f'when {entry.written.sitemap} changes'}", markup=False)
    return 0


def show_journal(path: Path, now_s: float, json: bool) -> int:
    """Print what the journal of a schedule says."""
    from gossamer.cli.output.json_lines import print_json

    state = read_state(path, now_s)
    if json:
        print_json(state)
    else:
        _print_state(state)
    return 0


def _print_state(state: ScheduleView) -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line

    if state.alive:
        console.print("A runner works on this schedule.")
    elif state.alive_s:
        console.print(f"No runner works on this schedule since {format_local(state.alive_s)}.")
    else:
        console.print("No runner has worked on this schedule yet.")
    for entry in state.entries:
        _print_entry(entry)
    if state.runs:
        print_line("")
        print_line(("Last runs", "bold"))
    for run in state.runs[:20]:
        print_line(f"  {describe_run(run)}")
    if state.missed:
        print_line("")
        print_line(("Missed", "bold"))
    for missed in state.missed[:20]:
        print_line(f"  {describe_missed(missed)}")
    if state.notices:
        print_line("")
        print_line(("Not told yet", "bold"))
    for notice in state.notices:
        why = f": {clean_text(notice.why, 200)}" if notice.why else ""
        print_line(f"  {clean_text(notice.subject, 100)} by {notice.channel}, {notice.state}{why}")


def _print_entry(entry: EntryView) -> None:
    from gossamer.cli.output.tables import print_line

    next_time = format_local(entry.next_s, entry.time_zone) if entry.next_s else "when its sitemap changes"
    counts = ", ".join(f"{number:,} {state}" for state, number in sorted(entry.counts.items()))
    print_line("")
    print_line((entry.name, "bold"), f"  {entry.do} of {entry.web}, {entry.when}: {entry.state}")
    print_line(f"  next: {next_time}{f' · {counts}' if counts else ''}")
