"""Generate docs/reference/ from the program; with --check, fail if a page is out of date."""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import typer.main

from gossamer import config
from gossamer.cli.main import app
from gossamer.field_rule import FieldRule
from gossamer.task_file import to_flag

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"

# Typer does not export the types of commands, hence `Any`: a command has help, params and perhaps commands.


def format_option(parameter: Any, context: Any) -> str:
    """Return one option or argument as a table row."""
    record = parameter.get_help_record(context)
    spelling, meaning = record or (parameter.human_readable_name, "")
    cells = [" ".join(cell.split()).replace("|", "\\|") for cell in (spelling, meaning)]
    return f"| `{cells[0]}` | {cells[1]} |"


def to_markdown(help_text: str) -> str:
    """Convert the help of a verb to Markdown; paragraphs after a backspace are examples."""
    paragraphs = [paragraph.strip("\n") for paragraph in help_text.strip().split("\n\n")]
    return "\n\n".join(f"```text{p[1:]}\n```" if p.startswith("\b") else p for p in paragraphs)


def list_sections(command: Any, path: str) -> Iterator[str]:
    """Yield the section of one verb, then those of its subverbs."""
    context = command.context_class(command, info_name=path)
    yield f"## `{path}`\n\n{to_markdown(command.help or '')}\n"
    rows = [format_option(parameter, context) for parameter in command.params if not parameter.hidden]
    if rows:
        yield "| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"
    for verb, below in getattr(command, "commands", {}).items():
        yield from list_sections(below, f"{path} {verb}")


_CLI_HEAD = """# Command line

On this page you can look up every verb and option of `gossamer`. `gossamer VERB --help` prints the same. The
[manual of crawling](../crawl.md) explains how verbs work together.

Generated from the program by `make docs`; do not edit.
"""


def make_cli_page() -> str:
    """Return the page of all verbs."""
    return "\n".join([_CLI_HEAD, *list_sections(typer.main.get_command(app), "gossamer")])


_TASK_HEAD = """# Options of a task

On this page you can look up everything that you can ask of a task, with its name in Python, in task files and on the command
line. The [manual of crawling](../crawl.md) explains the most important ones.

Generated from the program by `make docs`; do not edit.

You can write a task in three ways. In Python all names are flat: `Task(seeds=[…], depth=2, delay_s=0.5)`. In a task
file (TOML) each key is in its section. On the command line each is an option.
"""
_KINDS = {str: "string", int: "whole number", float: "number", bool: "yes or no"}


def format_type(kind: Any) -> str:
    """Return the type of an option's value in words."""
    if get_origin(kind) is tuple:
        return "list of strings"
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    return _KINDS[kind]


def format_default(default: Any) -> str:
    """Return the default of an option as text."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if default in ("", ()):
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def make_task_page() -> str:
    """Return the page of all options of a task."""
    parts = [_TASK_HEAD]
    for name, options in groupby(config.options(), key=lambda option: option.section):
        about = " ".join((config.SECTIONS[name].__doc__ or "").split()) if name else "The task itself."
        parts.append(f"## {f'`[{name}]`' if name else 'At the top'}\n\n{about}\n")
        parts.append("| key | command line | value | default | meaning |\n|---|---|---|---|---|")
        for option in options:
            flag = "`URL…`" if option.name == "seeds" else f"`{to_flag(option.name)}`"
            cells = [
                f"`{option.name}`",
                flag,
                format_type(option.type),
                format_default(option.default),
                option.help,
            ]
            parts.append("| " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join([*parts, *list_field_keys()])


def list_field_keys() -> Iterator[str]:
    """Yield the section of the keys of a field, which only task files and programs can declare."""
    about = " ".join((FieldRule.__doc__ or "").split())
    yield f"## `[[fields]]`\n\n{about} [Fields](../fields.md) explains them.\n"
    yield "| key | value | default | meaning |\n|---|---|---|---|"
    hints = get_type_hints(FieldRule, include_extras=True)
    for field in msgspec.structs.fields(FieldRule):
        kind, meta = get_args(hints[field.name])
        default = "" if field.required else format_default(field.default)
        yield f"| `{field.name}` | {format_type(kind)} | {default} | {meta.description} |"
    yield ""


PAGES = {"cli.md": make_cli_page, "task.md": make_task_page}


def main() -> int:
    """Write the pages, or check them."""
    stale = False
    for name, make_page in PAGES.items():
        path, fresh = FOLDER / name, make_page()
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fresh, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != fresh:
            print(f"{name} is out of date: run  make docs", file=sys.stderr)
            stale = True
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
