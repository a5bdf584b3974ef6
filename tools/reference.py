"""Write the pages of docs/reference/ from the program itself; with --check, fail when one is stale."""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer.main

from gossamer import config
from gossamer.cli.main import app
from gossamer.cli.task_options import flag_of

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"

# Typer keeps its command objects to itself, hence `Any`: a command has help, parameters and perhaps commands.


def option_row(parameter: Any, context: Any) -> str:
    """Describe one option or argument as a table row."""
    record = parameter.get_help_record(context)
    spelling, meaning = record or (parameter.human_readable_name, "")
    cells = [" ".join(cell.split()).replace("|", "\\|") for cell in (spelling, meaning)]
    return f"| `{cells[0]}` | {cells[1]} |"


def described(said: str) -> str:
    """Turn a verb's help into Markdown; what is not to be wrapped there (after a backspace) are examples."""
    paragraphs = [paragraph.strip("\n") for paragraph in said.strip().split("\n\n")]
    return "\n\n".join(f"```text{p[1:]}\n```" if p.startswith("\b") else p for p in paragraphs)


def section(command: Any, path: str) -> Iterator[str]:
    """Describe one verb, then the verbs below it."""
    context = command.context_class(command, info_name=path)
    yield f"## `{path}`\n\n{described(command.help or '')}\n"
    rows = [option_row(parameter, context) for parameter in command.params if not parameter.hidden]
    if rows:
        yield "| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"
    for verb, below in getattr(command, "commands", {}).items():
        yield from section(below, f"{path} {verb}")


def cli_page() -> str:
    """Compose the page of all verbs."""
    head = "# Command line\n\nGenerated from the program by `make docs`; do not edit.\n"
    return "\n".join([head, *section(typer.main.get_command(app), "gossamer")])


_TASK_HEAD = """# Everything that a task can be told

Generated from the program by `make docs`; do not edit.

A task is one thing in three dresses. In Python all names are flat: `Task(seeds=[…], depth=2, delay_s=0.5)`. In a task
file (TOML) each stands in its section. On the command line each is an option.
"""
_KINDS = {str: "text", int: "whole number", float: "number", bool: "yes or no"}


def kind_said(kind: Any) -> str:
    """Say what kind of value an option takes."""
    if get_origin(kind) is tuple:
        return "list of texts"
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    return _KINDS[kind]


def default_said(default: Any) -> str:
    """Say what holds when nothing is told."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if default in ("", ()):
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def task_page() -> str:
    """Compose the page of all keys of a task."""
    parts = [_TASK_HEAD]
    for name, options in groupby(config.options(), key=lambda option: option.section):
        about = " ".join((config.SECTIONS[name].__doc__ or "").split()) if name else "The task itself."
        parts.append(f"## {f'`[{name}]`' if name else 'At the top'}\n\n{about}\n")
        parts.append("| key | command line | value | default | meaning |\n|---|---|---|---|---|")
        for option in options:
            flag = "`URL…`" if option.name == "seeds" else f"`{flag_of(option.name)}`"
            cells = [
                f"`{option.name}`",
                flag,
                kind_said(option.type),
                default_said(option.default),
                option.help,
            ]
            parts.append("| " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join(parts)


PAGES = {"cli.md": cli_page, "task.md": task_page}


def main() -> int:
    """Write the pages, or compare them."""
    stale = False
    for name, compose in PAGES.items():
        path, fresh = FOLDER / name, compose()
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fresh, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != fresh:
            print(f"{name} is stale: run  make docs", file=sys.stderr)
            stale = True
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
