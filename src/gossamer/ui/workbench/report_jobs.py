"""Make reports in the background: one process at a time, whose progress pages can show."""

import atexit
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from gossamer.printable_text import format_duration
from gossamer.reports.make_report import ProgressLine

_TELL_AFTER = 0.05
"""The share of the work after which the time left can be estimated."""


class ReportJob(msgspec.Struct, frozen=True):
    """The state of a report that is made, waits for others, or failed."""

    part: float = 0.0
    began_s: float | None = None
    """None while it waits."""
    error: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it is made or waits."""
        return not self.error

    def describe_time_left(self, now_s: float) -> str:
        """Say how long it will still take; "" if that cannot be said yet."""
        if self.began_s is None or self.part < _TELL_AFTER:
            return ""
        left_s = (now_s - self.began_s) * (1 - self.part) / self.part
        return f"about {format_duration(max(left_s, 1))} left"


class ReportJobs:
    """The reports of one web that are made or wait."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._jobs: dict[str, ReportJob] = {}
        """By kind; those that wait are made in this order."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_running = False
        atexit.register(self.stop)

    def start(self, kinds: Iterable[str]) -> None:
        """Make these reports, unless they are under way."""
        with self._lock:
            for kind in kinds:
                if kind not in self._jobs or not self._jobs[kind].is_under_way:
                    self._jobs.pop(kind, None)
                    self._jobs[kind] = ReportJob()
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, daemon=True).start()

    def get(self, kind: str) -> ReportJob | None:
        """Return the state of a report; None if it is not under way and did not fail."""
        return self._jobs.get(kind)

    def describe_progress(self, kind: str) -> str:
        """Say how far a report is, in one line."""
        job = self._jobs.get(kind)
        if job is None or not job.is_under_way:
            return ""
        if job.began_s is None:
            return "waits for the report before it"
        left = job.describe_time_left(self._clock())
        return f"{job.part:.0%} done{', ' if left else ''}{left}"

    def stop(self) -> None:
        """End the process that makes a report, if there is one."""
        with self._lock:
            waiting = [kind for kind, job in self._jobs.items() if job.is_under_way]
            for kind in waiting:
                del self._jobs[kind]
            if self._process is not None:
                self._process.kill()

    def _run(self) -> None:
        while True:
            with self._lock:
                kind = next((kind for kind, job in self._jobs.items() if job.is_under_way), None)
                if kind is None:
                    self._is_running = False
                    return
                self._jobs[kind] = ReportJob(began_s=self._clock())
            error = self._make(kind)
            with self._lock:
                self._jobs.pop(kind, None)
                if error:
                    self._jobs[kind] = ReportJob(error=error)

    def _make(self, kind: str) -> str:
        """Run the process of one report; return why it failed, or ""."""
        command = [sys.executable, "-m", "gossamer.reports.make_report", kind, str(self._folder)]
        error = "the process that made the report ended before it was done; the server's log may say why"
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own program
            self._process = process
            for line in process.stdout or ():
                heard = msgspec.json.decode(line, type=ProgressLine)
                error = heard.error if heard.error or heard.part >= 1 else error
                with self._lock:
                    if (job := self._jobs.get(kind)) is not None:
                        self._jobs[kind] = msgspec.structs.replace(job, part=heard.part)
        self._process = None
        return error
