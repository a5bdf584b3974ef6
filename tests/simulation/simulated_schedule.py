"""A schedule over pretend days: a pretend clock that jumps, processes that die, kills, reboots and a full disk; the journal is real."""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gossamer.errors import StoreFailed
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import MissedRuns, Run
from gossamer.schedule.keep_schedule import ALIVE, Ending, Keeper
from gossamer.schedule.rules.due_times import find_next, list_between
from gossamer.schedule.schedule_file import read_schedule
from gossamer.schedule.schedule_records import Schedule

START_S = 1_774_000_000.0
"""20 March 2026: nine days later, clocks in Berlin go forward."""
DAY_S = 86_400.0
_HOUR_S = 3_600.0
_FILE = """
time_zone = "Europe/Berlin"
feed = "news.atom"
at_once = 2

[webs]
north = "north.web"
south = "south.web"
west = "west.web"
"""
_ENTRIES = (
    ("n-recrawl", "north", "recrawl", "every 6 hours", "once"),
    ("n-check", "north", "check", "every day at 2:30", "once"),
    ("n-index", "north", "index", "every hour", "skip"),
    ("s-recrawl", "south", "recrawl", "every Monday and Thursday at 3", "once"),
    ("s-hot", "south", "hot", "every weekday at 6 and 18:30", "skip"),
    ("s-month", "south", "export", "on the 1st and last day at 04:30", "once"),
    ("w-recrawl", "west", "recrawl", "every 90 minutes", "once"),
    ("w-query", "west", "hot", "every 40 minutes", "skip"),
)


_REASONS = (
    "still waits",
    "still going",
    "not running",
    "jumped",
    "held up",
    "could not be written",
    "was busy",
)


class Killed(BaseException):
    """The runner is killed."""


class Process(msgspec.Struct):
    """A pretend process of a run."""

    run: Run
    ends_s: float
    """By the true clock."""
    code: int | None
    """None if it will be killed."""


class KilledJournal(Journal):
    """A journal whose process is killed in the middle of a transaction, now and then."""

    def __init__(self, folder: Path, create: bool = False) -> None:
        super().__init__(folder, create)
        self._database.execute("PRAGMA synchronous = OFF")  # no power fails here, only processes

    chance = random.Random(0)
    share = 0.0

    def _run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        if self.share and self.chance.random() < self.share:
            raise Killed
        return super()._run(sql, *values)

    def set_full(self, full: bool) -> None:
        """Pretend that no page more fits on the disk."""
        pages = self._database.execute("PRAGMA page_count").fetchone()[0]
        self._database.execute(f"PRAGMA max_page_count = {pages if full else 2**30}")
        self._full = full

    _full = False

    @contextmanager
    def write(self) -> Iterator[None]:
        """Refuse to commit while the disk is full, as a real one may with any page."""
        outermost = not self._database.in_transaction
        with super().write():
            yield
            if self._full and outermost and self._database.total_changes != self._changes:
                raise StoreFailed("the disk is full", full=True)
        self._changes = self._database.total_changes

    _changes = 0


class World:
    """Three webs, their schedule, and what happens to the machine."""

    def __init__(self, folder: Path, seed: int, step_s: float) -> None:
        self._folder = folder
        self._chance = random.Random(seed)
        self._step_s = step_s
        self.schedule = write_schedule(folder)
        self.true_s, self.wrong_s = START_S, 0.0
        self.processes: dict[int, Process] = {}
        self.notes: dict[int, tuple[int | None, float]] = {}
        """What ended processes have written: code and time. It outlives reboots, as files do."""
        self.completed: Counter[int] = Counter()
        self.happened: Counter[str] = Counter()
        self.full_until_s = 0.0
        self.right_again_s = 0.0
        self.down_until_s = 0.0
        self.booted_s = START_S
        self._journal: KilledJournal | None = None
        self._keeper: Keeper | None = None
        self._own: dict[int, Run] = {}
        """Runs that the runner of this moment looks after."""

    @property
    def now_s(self) -> float:
        """What the clock says."""
        return self.true_s + self.wrong_s

    def live(self, days: float) -> None:
        """Let days pass, with their disasters, and then a quiet time in which everything ends."""
        end_s = START_S + days * DAY_S
        while self.true_s < end_s:
            before_s = self.true_s
            self._pass_time()
            self._strike(self.true_s - before_s)
            self._run_once()
        self.wrong_s, self.full_until_s, self.down_until_s, KilledJournal.share = 0.0, 0.0, 0.0, 0.0
        while self.true_s < end_s + 8 * _HOUR_S:
            self._pass_time()
            self._run_once()

    def _pass_time(self) -> None:
        """Go to the next moment: at most a step, and not past a due time or the end of a process."""
        next_s = [self.true_s + self._chance.uniform(0.1, 1.9) * self._step_s]
        next_s += [process.ends_s for process in self.processes.values()]
        for entry in self.schedule.entries.values():
            due_s = find_next(entry.rule, self.now_s, entry.zone)
            next_s += [] if due_s is None else [due_s - self.wrong_s]
        self.true_s = max(min(next_s), self.true_s) + self._chance.uniform(0.1, 2.0)
        if self.right_again_s and self.true_s > self.right_again_s:
            self.right_again_s, self.wrong_s = 0.0, 0.0
            self.happened["clock set right"] += 1
        for number, process in list(self.processes.items()):
            if process.ends_s <= self.true_s:
                self._end_process(number, process)

    def _end_process(self, number: int, process: Process) -> None:
        del self.processes[number]
        if process.code is not None:
            self.notes[number] = (process.code, self.now_s)
            self.completed[number] += process.code == 0

    def _strike(self, passed_s: float) -> None:
        """Let something go wrong, on average a few times a day."""
        kinds = {
            "kill": 1.0,
            "kill in a transaction": 1.0,
            "reboot": 0.3,
            "long absence": 0.1,
            "full disk": 0.3,
            "clock forward": 0.2,
            "clock back": 0.2,
            "child killed": 2.0,
        }
        for kind, per_day in kinds.items():
            if self._chance.random() < per_day * passed_s / DAY_S:
                self.happened[kind] += 1
                self._strike_with(kind)

    def _strike_with(self, kind: str) -> None:
        hours = self._chance.uniform
        if kind == "kill in a transaction":
            KilledJournal.chance, KilledJournal.share = self._chance, 0.05
        elif kind == "full disk":
            self.full_until_s = self.true_s + hours(0.1, 5) * _HOUR_S
        elif kind in ("clock forward", "clock back"):
            self.wrong_s += hours(0.5, 60) * _HOUR_S * (1 if kind == "clock forward" else -1)
            self.right_again_s = self.true_s + hours(0.1, 10) * _HOUR_S
        elif kind == "child killed" and self.processes:
            del self.processes[self._chance.choice(list(self.processes))]
        elif kind in ("kill", "reboot", "long absence"):
            self._kill()
            self.down_until_s = (
                self.true_s + (hours(10, 60) if kind == "long absence" else hours(0, 1)) * _HOUR_S
            )
            if kind != "kill":
                self.processes.clear()
                self.booted_s = self.true_s

    def _kill(self) -> None:
        """Drop the runner, and what it has not committed."""
        if self._journal is not None:
            self._journal.close()
        self._journal = self._keeper = None
        self._own = {}

    def _run_once(self) -> None:
        """Do what a runner does at one moment, if there is one."""
        if self.true_s < self.down_until_s:
            return
        try:
            if self._journal is None:
                self._journal = KilledJournal(self._folder, create=True)
                self._journal.set_full(self.true_s < self.full_until_s)
            else:
                self._journal.set_full(self.true_s < self.full_until_s)
            if self._keeper is None:
                keeper = Keeper(self._journal, self.schedule)
                self._own = {run.number: run for run in keeper.open(self.now_s)}
                self._keeper = keeper
            self._write_endings(self._keeper)
            for run in self._keeper.look(self.now_s, self.true_s - self.booted_s):
                self._start(run)
        except StoreFailed:
            self.happened["step without room"] += 1
        except (Killed, sqlite3.ProgrammingError):
            KilledJournal.share = 0.0
            self._kill()

    def _write_endings(self, keeper: Keeper) -> None:
        for number, run in list(self._own.items()):
            if number not in self.processes:
                code, ended_s = self.notes.get(number, (None, self.now_s))
                keeper.end(run, Ending(code, ended_s), self.now_s)
                self.notes.pop(number, None)
                del self._own[number]

    def _start(self, run: Run) -> None:
        webs = [self.schedule.entries[one.run.entry].web for one in self.processes.values()]
        assert self.schedule.entries[run.entry].web not in webs, "two runs on one web"
        assert len(self.processes) < self.schedule.at_once
        lasts_s = self._chance.choice((30, 300, 1_800, 7_200)) * self._chance.uniform(0.5, 1.5)
        code = self._chance.choices((0, 1, None), (0.9, 0.05, 0.05))[0]
        self.processes[run.number] = Process(run, self.true_s + lasts_s, code)
        self._own[run.number] = run


def write_schedule(folder: Path) -> Schedule:
    """Write and read the schedule of the three webs."""
    entries = [
        f'[[entries]]\nname = "{name}"\nweb = "{web}"\ndo = "{do}"\nwhen = "{when}"\nmissed = "{missed}"\n'
        for name, web, do, when, missed in _ENTRIES
    ]
    path = folder / "schedule.toml"
    path.write_text("\n".join([_FILE, *entries]), "utf-8")
    return read_schedule(path, START_S)


class Account(msgspec.Struct):
    """What became of all due times."""

    due: int = 0
    done: int = 0
    failed: int = 0
    missed: int = 0
    open: int = 0
    reasons: dict[str, int] = {}
    """How often runs were missed, by the kind of reason."""
    wrong: list[str] = []


def check_journal(world: World, folder: Path, first_s: float) -> Account:
    """Compare the journal with every moment at which an entry was due: each must be there once."""
    journal, account = Journal(folder), Account()
    upto_s = float(journal.read_fact(ALIVE))
    for name, entry in world.schedule.entries.items():
        runs = {run.due_s: run for run in journal.list_runs(name, 1_000_000)}
        spans = journal.list_missed(name, 1_000_000)
        covered: Counter[float] = Counter()
        for span in spans:
            covered.update(_list_missed(world, name, span, runs, account))
        for due_s in list_between(entry.rule, first_s, upto_s, entry.zone):
            account.due += 1
            run = runs.get(due_s)
            if (run is not None) + covered[due_s] != 1:
                account.wrong.append(f"{name} {due_s}: run {run}, told as missed {covered[due_s]} times")
            elif run is None:
                account.missed += 1
            else:
                _count_run(world, run, account)
    journal.close()
    return account


def _list_missed(
    world: World, name: str, span: MissedRuns, runs: dict[float, Run], account: Account
) -> list[float]:
    """Return the moments of a span that have no run: as many as it says."""
    entry = world.schedule.entries[name]
    moments = list_between(entry.rule, span.first_s - 1, span.last_s, entry.zone)
    left = [moment for moment in moments if moment not in runs]
    kind = next((kind for kind in _REASONS if kind in span.why), span.why)
    account.reasons[kind] = account.reasons.get(kind, 0) + span.times
    if len(left) != span.times or not span.why:
        account.wrong.append(f"{name}: {span} has {len(left)} moments")
    return left


def _count_run(world: World, run: Run, account: Account) -> None:
    if run.state == "done":
        account.done += 1
    elif run.state == "failed":
        account.failed += 1
    else:
        account.open += 1
    times = world.completed[run.number]
    if times > 1 or (run.state == "done" and times != 1 and run.code == 0):
        account.wrong.append(f"{run}: happened {times} times")
    if run.state == "failed" and not run.why:
        account.wrong.append(f"{run}: without a reason")
