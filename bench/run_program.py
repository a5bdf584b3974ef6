"""Run a program and measure it from outside: time, CPU of all its processes, peak memory."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.errors import BadInput

LOOK_SECONDS = 0.1
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class CpuReading(msgspec.Struct, frozen=True):
    """The CPU time that a program had used at a moment."""

    when_s: float
    """Unix time."""
    cpu_s: float


class Cost(msgspec.Struct, frozen=True):
    """The cost of one run of a program."""

    exit_code: int
    began_s: float
    """Unix time."""
    wall_s: float
    cpu_s: float
    """User and system, of the program and of all processes that it waited for."""
    peak_mb: float
    """Sum of the peaks of all its processes, read while it runs: `ru_maxrss` would include the parent's memory."""
    looks: list[CpuReading]


def run_measured(command: list[str], output: Path, environment: dict[str, str], most_s: float) -> Cost:
    """Run a command with its output in a file; kill it and its child processes if it takes too long."""
    peaks_kb: dict[int, int] = {}
    looks: list[CpuReading] = []
    with output.open("wb") as sink:
        began_s = time.time()
        # Its own session, so that all its processes can be killed together.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            env=environment,
            start_new_session=True,
        )
    try:
        _watch_until_end(child.pid, peaks_kb, looks, began_s + most_s)
    finally:
        wall_s = time.time() - began_s
        # Kill what is left of the group. The process id is still the child's, because it has not been waited for.
        os.killpg(child.pid, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    cpu_s, peak_mb = usage.ru_utime + usage.ru_stime, sum(peaks_kb.values()) / 1024
    return Cost(child.returncode, began_s, wall_s, cpu_s, peak_mb, looks)


def _watch_until_end(pid: int, peaks_kb: dict[int, int], looks: list[CpuReading], until_s: float) -> None:
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    try:
        while not poll.poll(LOOK_SECONDS * 1000):
            family = list(_list_family(pid))
            looks.append(CpuReading(time.time(), sum(map(_read_cpu_s, family))))
            for member in family:
                peaks_kb[member] = max(peaks_kb.get(member, 0), _read_peak_kb(member))
            if looks[-1].when_s > until_s:
                raise BadInput("the measured program did not end in time")
    finally:
        os.close(ended)


def _list_family(pid: int) -> Iterator[int]:
    """List a process and its descendants, without those that end meanwhile."""
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text("ascii").split():
                yield from _list_family(int(child))


def _read_peak_kb(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def _read_cpu_s(pid: int) -> float:
    with suppress(OSError):
        # Fields after the name, which may contain anything: state is the first, user and system time are 12th and 13th.
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S
    return 0.0
