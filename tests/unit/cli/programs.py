"""Helpers that run the real program in a process of its own."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = [sys.executable, "-m", "gossamer.cli.main"]
Program = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def crawling(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Start a crawl with --json, and wait until its first page is there."""
    command = [*PROGRAM, "crawl", *map(str, arguments), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline()
            yield process
        finally:
            process.kill()
