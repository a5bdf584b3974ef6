"""Make a report in a process of its own: `python -m gossamer.reports.make_report KIND FOLDER` prints its progress as lines of JSON."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gossamer.errors import GossamerError
from gossamer.reports.report_file import KeptReport, read_state, write_report
from gossamer.reports.report_kinds import KINDS
from gossamer.web import open_to_read

_EVERY_S = 0.2


class ProgressLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that the process prints."""

    part: float = 0.0
    """How much of the work is done, from 0 to 1."""
    error: str = ""
    """Why it failed, as a sentence."""


def make_report(kind: str, folder: Path, on_progress: Callable[[float], None], now_s: float) -> KeptReport:
    """Make a report of a web, and keep it there."""
    began_s = time.monotonic()
    with open_to_read(folder) as web:
        state = read_state(web.store)
    content = KINDS[kind].make(folder, on_progress)
    took_s = time.monotonic() - began_s
    report = KeptReport(kind, now_s, took_s, state, content.key_figure, content.findings, content.sections)
    write_report(report, folder)
    return report


def main(kind: str, folder: str) -> int:
    """Make a report, and print its progress; return the exit code."""
    printed_s = 0.0

    def print_progress(part: float) -> None:
        nonlocal printed_s
        if time.monotonic() - printed_s >= _EVERY_S:
            printed_s = time.monotonic()
            _print(ProgressLine(part))

    try:
        make_report(kind, Path(folder), print_progress, time.time())
    except GossamerError as error:
        _print(ProgressLine(error=str(error)))
        return 1
    except OSError as error:
        _print(ProgressLine(error=f"the report cannot be kept in {folder}: {error.strerror}"))
        return 1
    _print(ProgressLine(1.0))
    return 0


def _print(line: ProgressLine) -> None:
    print(msgspec.json.encode(line).decode(), flush=True)  # noqa: T201 - output of the program


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:3]))
