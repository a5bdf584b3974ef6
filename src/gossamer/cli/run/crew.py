"""The processes of runs: start them, notice how they end, stop them; take over those that an earlier runner has left."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.printable_text import clean_text
from gossamer.schedule.journal.journal_records import Run
from gossamer.schedule.keep_schedule import Ending
from gossamer.schedule.run_command import RESUMABLE, make_arguments
from gossamer.schedule.run_file import locate_run_file, look_at_run, take_run_file
from gossamer.schedule.run_order import RunOrder, locate_news, read_news_file
from gossamer.schedule.schedule_records import Entry, Schedule

_LONGEST_WHY = 300
_TAIL_BYTES = 4_000
_LOOSE_S = 20.0
"""So long a process that was stopped may take before it is killed, if it took too long; when the runner ends, the grace time counts."""


class _Child:
    """A run that is under way."""

    def __init__(self, run: Run, process: "subprocess.Popen[bytes] | None") -> None:
        self.run = run
        self.process = process
        """None if an earlier runner started it."""
        self.began_s = time.monotonic()
        self.stopped = ""
        self.kill_s = 0.0


class Crew:
    """All runs that are under way."""

    def __init__(self, schedule: Schedule, folder: Path, home: Path) -> None:
        """`folder` has the runner's own files, `home` is where relative paths lead from."""
        self._schedule = schedule
        self._folder = folder
        self._home = home
        self._children: dict[int, _Child] = {}
        self._ending = False

    def __len__(self) -> int:
        return len(self._children)

    def start(self, run: Run) -> str:
        """Start the process of a run; return why that is impossible, or ""."""
        entry = self._schedule.entries[run.entry]
        try:
            file = take_run_file(self._folder, run.number)
        except OSError as error:
            return f"its process cannot be started: {error.strerror}"
        try:
            order = self._make_order(entry, run, file.file)
            with (
                Path(order.output).open("wb") as out,
                self._locate_messages(entry.name).open("wb") as messages,
            ):
                process = subprocess.Popen(  # noqa: S603 - this program itself
                    [sys.executable, "-m", "gossamer.cli.run_child", msgspec.json.encode(order).decode()],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=messages,
                    cwd=self._home,
                    pass_fds=[file.file],
                    start_new_session=True,
                )
        except OSError as error:
            return f"its process cannot be started: {error.strerror}"
        finally:
            file.close()
        self._children[run.number] = _Child(run, process)
        return ""

    def _make_order(self, entry: Entry, run: Run, file: int) -> RunOrder:
        web = self._schedule.webs[entry.web]
        with suppress(OSError):
            locate_news(self._folder, run.number).unlink()
        return RunOrder(
            number=run.number,
            tries=run.tries,
            do=entry.do,
            web=web,
            arguments=tuple(make_arguments(entry, web)),
            folder=str(self._folder),
            output=str(self._folder / f"{entry.name}.out"),
            file=file,
        )

    def _locate_messages(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def adopt(self, run: Run) -> None:
        """Take over a run that an earlier runner has started; it may have ended meanwhile."""
        self._children[run.number] = _Child(run, None)

    def find_ended(self) -> list[tuple[Run, Ending]]:
        """Return the runs that have ended, and how; stop those that take too long."""
        ended = []
        for child in list(self._children.values()):
            ending = self._find_ending(child)
            if ending is None:
                self._check_time(child)
            else:
                ended.append((child.run, ending))
        return ended

    def forget(self, run: Run) -> None:
        """Let go of a run whose end is in the journal, with its files."""
        self._children.pop(run.number, None)
        with suppress(OSError):
            locate_news(self._folder, run.number).unlink()

    def forget_file(self, run: Run) -> None:
        """Remove the file of a run that will not be tried again."""
        with suppress(OSError):
            locate_run_file(self._folder, run.number).unlink()

    def _find_ending(self, child: _Child) -> Ending | None:
        """Return how a run has ended; None while it goes on."""
        run, code = child.run, None
        if child.process is not None:
            code = child.process.poll()
            if code is None:
                return None
        alive, note = look_at_run(self._folder, run.number)
        if child.process is None and alive:
            return None
        if note.code is not None:
            code = note.code
        elif code is not None and code < 0:
            code = None  # a signal
        entry = self._schedule.entries.get(run.entry)
        do = entry.do if entry else ""
        return Ending(
            code,
            note.ended_s or time.time(),
            why=self._read_why(run, code),
            news=read_news_file(self._folder, run.number),
            stopped=child.stopped,
            interrupted=self._ending and not child.stopped and (code != 0 or do in RESUMABLE),
        )

    def _read_why(self, run: Run, code: int | None) -> str:
        """Return the last line of what a run wrote to standard error."""
        if code is None or code == 0:
            return ""
        try:
            with self._locate_messages(run.entry).open("rb") as file:
                file.seek(max(os.fstat(file.fileno()).st_size - _TAIL_BYTES, 0))
                lines = file.read().decode("utf-8", "replace").strip().splitlines()
        except OSError:
            return ""
        said = clean_text(lines[-1].removeprefix("gossamer: "), _LONGEST_WHY) if lines else ""
        return said.rstrip(".")

    def _check_time(self, child: _Child) -> None:
        """Stop a run that takes longer than it may; kill it if it does not stop."""
        now_s = time.monotonic()
        if child.kill_s and now_s > child.kill_s:
            self._signal(child, signal.SIGKILL)
            return
        entry = self._schedule.entries.get(child.run.entry)
        longest_s = entry.longest_s if entry else 0.0
        if not child.stopped and not child.kill_s and now_s - child.began_s > longest_s:
            child.stopped = f"it took longer than {(entry.written.longest if entry else '') or self._schedule.written.longest} and was stopped"
            child.kill_s = now_s + _LOOSE_S
            self._signal(child, signal.SIGTERM)

    def stop(self) -> None:
        """Ask all runs to stop; they go on at the next start."""
        self._ending = True
        for child in self._children.values():
            if not child.kill_s:
                child.kill_s = time.monotonic() + self._schedule.grace_s
                self._signal(child, signal.SIGTERM)

    def _signal(self, child: _Child, number: signal.Signals) -> None:
        """Send a signal to the process of a run; when it is killed, to all that it has started."""
        process = child.process.pid if child.process else self._find_process(child.run)
        if not process:
            return
        with suppress(OSError):
            if number == signal.SIGKILL:
                os.killpg(process, number)
            else:
                os.kill(process, number)

    def _find_process(self, run: Run) -> int:
        """Return the process of a run that an earlier runner has started; 0 if it is gone: the lock says so."""
        alive, note = look_at_run(self._folder, run.number)
        return note.process if alive else 0
