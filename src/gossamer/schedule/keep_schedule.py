"""Keep a schedule: at each look, write down what is due, and choose the runs that begin. Clocks and processes are arguments.

Every moment at which an entry is due ends in the journal exactly once: as a run that waits, goes on, is done or has failed, or as
missed with the reason.
"""

import msgspec

from gossamer.errors import StoreFailed
from gossamer.schedule.clock_watch import ClockChange, ClockWatch, format_moment
from gossamer.schedule.find_due import Missed, take_back, write_due
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import EntryState, News, Run
from gossamer.schedule.schedule_file import is_timed
from gossamer.schedule.schedule_records import Schedule
from gossamer.schedule.tell.write_notices import write_failure, write_missed, write_news

ALIVE = "alive"
"""The fact that says when the runner looked last."""
_ALIVE_EVERY_S = 15.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 10.0, 3_600.0
_WRONG_USE = 2
_GONE = "its process was killed"
_DAY_S = 86_400.0


class Ending(msgspec.Struct, frozen=True):
    """How a run ended."""

    code: int | None
    """The exit code; None if its process was killed, or is gone."""
    ended_s: float
    why: str = ""
    news: News | None = None
    stopped: str = ""
    """Why the runner stopped it: it took too long. "" if it did not."""
    interrupted: bool = False
    """Whether it was stopped because the runner ends: it goes on at the next start."""


class Keeper:
    """Decides what runs when; it starts nothing itself."""

    def __init__(self, journal: Journal, schedule: Schedule) -> None:
        self._journal = journal
        self._schedule = schedule
        self._watch = ClockWatch()
        self._why_late = ""
        self._alive_s = 0.0
        self._pruned_s = 0.0

    def open(self, now_s: float) -> list[Run]:
        """Take up the journal where the last runner left it; return the runs that were under way then."""
        journal = self._journal
        with journal.write():
            alive = journal.read_fact(ALIVE)
            journal.add_event(now_s, "the runner began")
            if alive:
                self._why_late = (
                    f"the runner was not running from {format_moment(float(alive))} to {format_moment(now_s)}"
                )
            self._match_entries(now_s)
            if alive and float(alive) > now_s:
                self._set_back(
                    now_s, f"the clock is behind the journal, which ends at {format_moment(float(alive))}"
                )
            self._write_alive(now_s)
        return [run for run in journal.list_open() if run.state == "running"]

    def look(self, now_s: float, steady_s: float) -> list[Run]:
        """Write down what is due; return the runs that begin now, which the journal calls running."""
        change = self._watch.look(now_s, steady_s)
        if change.why and not change.went_back:
            self._why_late = self._why_late or change.why
        try:
            with self._journal.write():
                begun = self._look(now_s, change)
        except StoreFailed:
            self._why_late = self._why_late or f"the journal could not be written at {format_moment(now_s)}"
            raise
        self._why_late = ""
        if now_s - self._pruned_s > _DAY_S:
            self._pruned_s = now_s
            self._journal.forget_old(now_s)
        return begun

    def _look(self, now_s: float, change: ClockChange) -> list[Run]:
        journal = self._journal
        states = journal.list_entries()
        # Not only when the watch saw it: the journal may not have been writable then.
        if change.went_back or any(state.upto_s > now_s for state in states.values()):
            self._set_back(now_s, change.why or "the clock was set back")
            states = journal.list_entries()
        elif change.why:
            journal.add_event(now_s, change.why)
        self._take_wishes(now_s)
        open_runs = journal.list_open()
        for name, entry in self._schedule.entries.items():
            if is_timed(entry):
                missed = write_due(journal, entry, states[name], open_runs, now_s, self._why_late)
                self._tell_missed(missed, now_s)
        if now_s - self._alive_s >= _ALIVE_EVERY_S or now_s < self._alive_s:
            self._write_alive(now_s)
        return self._choose(now_s)

    def _choose(self, now_s: float) -> list[Run]:
        """Mark runs as running, as many as may run at once: one on each web, the longest due first."""
        open_runs = self._journal.list_open()
        running = [run for run in open_runs if run.state == "running"]
        busy = {self._find_web(run.entry) for run in running}
        free = self._schedule.at_once - len(running)
        begun: list[Run] = []
        for run in open_runs:
            web = self._find_web(run.entry)
            if run.state != "waiting" or run.entry not in self._schedule.entries or web in busy:
                continue
            if free <= len(begun):
                break
            # A pause that a clock which was set back has made longer is cut.
            if now_s < run.not_before_s <= now_s + _LONGEST_PAUSE_S:
                continue
            busy.add(web)
            started = msgspec.structs.replace(
                run, state="running", tries=run.tries + 1, began_s=run.began_s or now_s, not_before_s=0.0
            )
            self._journal.put_run(started)
            begun.append(started)
        return begun

    def _find_web(self, entry: str) -> str:
        known = self._schedule.entries.get(entry)
        return self._schedule.webs[known.web] if known else ""

    def end(self, run: Run, ending: Ending, now_s: float) -> Run:
        """Write how a run ended, and what is to be told; return it as it is now: it may be tried again."""
        with self._journal.write():
            ended = self._judge(run, ending, now_s)
            entry = self._schedule.entries.get(run.entry)
            if entry is not None and ended.state == "done":
                number = write_news(self._journal, entry, ended, ending.news, now_s)
                ended = msgspec.structs.replace(ended, news=number)
            if entry is not None and ended.state == "failed":
                write_failure(self._journal, entry, ended, now_s)
            self._journal.put_run(ended)
        return ended

    def _judge(self, run: Run, ending: Ending, now_s: float) -> Run:
        """Say what an ending means: done, failed, or to be tried again after a growing pause."""
        replace = msgspec.structs.replace
        if ending.interrupted:
            return replace(run, state="waiting", tries=run.tries - 1, why="the runner was stopped")
        entry = self._schedule.entries.get(run.entry)
        code = -1 if ending.code is None else ending.code
        if not ending.stopped and entry is not None and is_success(entry.do, code):
            return replace(run, state="done", ended_s=ending.ended_s, code=code, why="")
        why = (
            ending.stopped
            or ending.why
            or (_GONE if ending.code is None else f"it ended with exit code {code}")
        )
        final = ending.stopped or entry is None or code == _WRONG_USE or run.tries >= entry.tries
        if final:
            return replace(run, state="failed", ended_s=ending.ended_s, code=code, why=why)
        pause_s = min(_FIRST_PAUSE_S * 2 ** (run.tries - 1), _LONGEST_PAUSE_S)
        return replace(run, state="waiting", code=code, why=why, not_before_s=now_s + pause_s)

    def add_run(self, entry: str, now_s: float) -> None:
        """Write that a sitemap has changed: a run is due now, unless one waits."""
        waits = any(run.entry == entry and run.state == "waiting" for run in self._journal.list_open())
        if not waits:
            self._journal.add_run(entry, now_s)

    def close(self, now_s: float, why: str) -> None:
        """Write that the runner ends."""
        with self._journal.write():
            self._journal.add_event(now_s, f"the runner ended: {why}")
            self._write_alive(now_s)

    def _write_alive(self, now_s: float) -> None:
        self._alive_s = now_s
        self._journal.put_fact(ALIVE, f"{now_s:.3f}")

    def _match_entries(self, now_s: float) -> None:
        """Begin to count new entries, and those whose rule has changed; end what waits for entries that are gone."""
        journal, known = self._journal, self._journal.list_entries()
        for name, entry in self._schedule.entries.items():
            if name not in known or known[name].key != entry.key:
                journal.put_entry(EntryState(name, entry.key, now_s))
        for name in known.keys() - self._schedule.entries.keys():
            journal.drop_entry(name)
        for run in journal.list_open():
            if run.entry not in self._schedule.entries and run.state == "waiting":
                why = "its entry is no longer in the schedule"
                journal.put_run(msgspec.structs.replace(run, state="failed", ended_s=now_s, why=why))

    def _set_back(self, now_s: float, why: str) -> None:
        """Follow a clock that was set back."""
        times = take_back(self._journal, self._journal.list_entries(), self._schedule.entries, now_s)
        again = f"; {times} that did not run will be due again" if times else ""
        self._journal.add_event(now_s, f"{why}{again}")
        self._write_alive(now_s)

    def _take_wishes(self, now_s: float) -> None:
        waiting = {run.entry for run in self._journal.list_open() if run.state == "waiting"}
        for number, entry, asked_by in self._journal.list_wishes():
            if entry in self._schedule.entries and entry not in waiting:
                self._journal.add_run(entry, now_s, asked_by)
                waiting.add(entry)
            self._journal.drop_wish(number)

    def _tell_missed(self, missed: list[Missed], now_s: float) -> None:
        for one in missed:
            write_missed(self._journal, self._schedule.entries[one.entry], one, now_s)


def is_success(do: str, code: int) -> bool:
    """Say whether an exit code means success; a link check that finds broken links has succeeded."""
    return code == 0 or (do in ("check", "verify") and code == 1)
