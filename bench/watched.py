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

LOOK_SECONDS = 0.1


class Cost(msgspec.Struct, frozen=True):
    """What one run of a program took."""

    exit_code: int
    wall_s: float
    cpu_s: float
    """User and system, of the program and of all processes that it waited for."""
    peak_mb: float
    """Sum of the peaks of all its processes. Asked while it runs: `ru_maxrss` would count what the parent had."""


def run_watched(command: list[str], output: Path, environment: dict[str, str], most_s: float) -> Cost:
    """Run a command with its output in a file; end it, and all that it started, if it takes too long."""
    peaks_kb: dict[int, int] = {}
    with output.open("wb") as sink:
        began_s = time.perf_counter()
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
        _look_until_ended(child.pid, peaks_kb, began_s + most_s)
    finally:
        wall_s = time.perf_counter() - began_s
        # However it came to its end, nobody is left behind. The number is still the child's: nobody waited yet.
        os.killpg(child.pid, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(child.returncode, wall_s, usage.ru_utime + usage.ru_stime, sum(peaks_kb.values()) / 1024)


def _look_until_ended(pid: int, peaks_kb: dict[int, int], until_s: float) -> None:
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    try:
        while not poll.poll(LOOK_SECONDS * 1000):
            for member in _family(pid):
                peaks_kb[member] = max(peaks_kb.get(member, 0), _peak_kb(member))
            if time.perf_counter() > until_s:
                raise TimeoutError(f"process {pid} did not end in time")
    finally:
        os.close(ended)


def _family(pid: int) -> Iterator[int]:
    """List a process and its descendants; those that end meanwhile are left out."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in thread.read_text("ascii").split():
                yield from _family(int(child))


def _peak_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
