"""Write docs/reference/cli.md from the program itself; with --check, fail when it is stale."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from gossamer.cli.main import app

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"

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


def page() -> str:
    """Compose the whole page."""
    head = "# Command line\n\nGenerated from the program by `make docs`; do not edit.\n"
    return "\n".join([head, *section(typer.main.get_command(app), "gossamer")])


def main() -> int:
    """Write the page, or compare it."""
    fresh = page()
    if "--check" in sys.argv:
        if PAGE.exists() and PAGE.read_text("utf-8") == fresh:
            return 0
        print(f"{PAGE.name} is stale: run  make docs", file=sys.stderr)
        return 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
