"""Run a program and measure it from outside: time, CPU of the whole family, peak memory."""

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


class Look(msgspec.Struct, frozen=True):
    """How much CPU a program had used at a moment."""

    when_s: float
    """Unix time."""
    cpu_s: float


class Cost(msgspec.Struct, frozen=True):
    """What one run of a program took."""

    exit_code: int
    began_s: float
    """Unix time."""
    wall_s: float
    cpu_s: float
    """User and system, of the program and of all processes that it waited for."""
    peak_mb: float
    """Sum of the peaks of all its processes. Asked while it runs: `ru_maxrss` would count what the parent had."""
    looks: list[Look]


def run_watched(command: list[str], output: Path, environment: dict[str, str], most_s: float) -> Cost:
    """Run a command with its output in a file; end it, and all that it started, if it takes too long."""
    peaks_kb: dict[int, int] = {}
    looks: list[Look] = []
    with output.open("wb") as sink:
        began_s = time.time()
        # A session of its own, so that the whole family can be ended together.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            env=environment,
            start_new_session=True,
        )
    try:
        _look_until_ended(child.pid, peaks_kb, looks, began_s + most_s)
    finally:
        wall_s = time.time() - began_s
        # However it came to its end, nobody is left behind. The number is still the child's: nobody waited yet.
        os.killpg(child.pid, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    cpu_s, peak_mb = usage.ru_utime + usage.ru_stime, sum(peaks_kb.values()) / 1024
    return Cost(child.returncode, began_s, wall_s, cpu_s, peak_mb, looks)


def _look_until_ended(pid: int, peaks_kb: dict[int, int], looks: list[Look], until_s: float) -> None:
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    try:
        while not poll.poll(LOOK_SECONDS * 1000):
            family = list(_family(pid))
            looks.append(Look(time.time(), sum(map(_cpu_s, family))))
            for member in family:
                peaks_kb[member] = max(peaks_kb.get(member, 0), _peak_kb(member))
            if looks[-1].when_s > until_s:
                raise BadInput("a program that is measured did not end in time")
    finally:
        os.close(ended)


def _family(pid: int) -> Iterator[int]:
    """List a process and its descendants; those that end meanwhile are left out."""
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text("ascii").split():
                yield from _family(int(child))


def _peak_kb(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def _cpu_s(pid: int) -> float:
    with suppress(OSError):
        # After the name, which may hold anything: state is the first field, user and system time 12th and 13th.
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S
    return 0.0
