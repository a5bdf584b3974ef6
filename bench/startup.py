"""Measure the CPU time of `gossamer --help`, relative to a Python that does nothing.

The commands run alternately, and the best of each counts.

    python bench/startup.py [--json]
"""

import resource
import subprocess
import sys
from collections.abc import Callable

from command_line import run_benchmark

ROUNDS = 15
COMMANDS = {
    "python": [sys.executable, "-c", "pass"],
    "help": [sys.executable, "-m", "gossamer.cli.main", "--help"],
    "crawl help": [sys.executable, "-m", "gossamer.cli.main", "crawl", "--help"],
}


def measure_child_cpu_s(run: Callable[[], object]) -> float:
    """Return the CPU seconds that child processes use while `run` runs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> dict[str, float]:
    """Print the CPU time of each command; return the figures that have floors."""
    best_s = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            took_s = measure_child_cpu_s(lambda: subprocess.run(command, capture_output=True, check=True))  # noqa: B023
            best_s[name] = min(best_s[name], took_s)
    for name, took_s in best_s.items():
        print(f"{name:12} {1000 * took_s:.1f} ms", file=sys.stderr)
    return {
        "startup.help_vs_python": best_s["help"] / best_s["python"],
        "startup.crawl_help_vs_python": best_s["crawl help"] / best_s["python"],
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("startup", measure, "--json" in sys.argv[1:]))
