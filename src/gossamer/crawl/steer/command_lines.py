"""The command line that does the same as a button of the console, quoted for a shell."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gossamer.store.opening.web_name import name_web
from gossamer.task_file import make_arguments


def make_command(folder: Path, verb: str, *arguments: str) -> str:
    """Return a command of Gossamer for a web."""
    return shlex.join(["gossamer", verb, *arguments, "--web", name_web(folder)])


def make_stop_command(folder: Path, task: int, pause: bool = False) -> str:
    """Return the command that stops or pauses a task."""
    return make_command(folder, "stop", str(task), *(["--pause"] if pause else []))


def make_change_command(folder: Path, task: int, options: Mapping[str, Any], preview: bool = False) -> str:
    """Return the command that changes options of a task, or that shows what they would change."""
    only = ["--preview"] if preview else []
    return make_command(folder, "change", str(task), *make_arguments(options), *only)


def make_submit_command(folder: Path, task: int, pages: Sequence[str], withdraw: bool = False) -> str:
    """Return the command that submits pages to a task, or takes them back."""
    given = ["--withdraw"] if withdraw else []
    return make_command(folder, "submit", *given, *pages, "--task", str(task))


def make_crawl_command(folder: Path, options: Mapping[str, Any], preview: bool = False) -> str:
    """Return the command that starts a new task, or that counts what it would take up."""
    return make_command(folder, "crawl", *make_arguments(options), *(["--preview"] if preview else []))
