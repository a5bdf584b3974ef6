"""Write docs/reference/cli.md from the program itself; with --check, fail when it is stale."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import typer.main

from gossamer.cli.main import app

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"


def option_row(parameter: click.Parameter, context: click.Context) -> str:
    """Describe one option or argument as a table row."""
    record = parameter.get_help_record(context)
    spelling, meaning = record if record else (parameter.human_readable_name, "")
    return f"| `{spelling.replace('|', chr(92) + '|')}` | {' '.join(meaning.split()).replace('|', chr(92) + '|')} |"


def section(command: click.Command, path: str) -> Iterator[str]:
    """Describe one verb, then the verbs below it."""
    with click.Context(command, info_name=path) as context:
        yield f"## `{path}`\n\n{(command.help or '').split(chr(12))[0].replace(chr(8), '').strip()}\n"
        rows = [option_row(p, context) for p in command.params if not getattr(p, "hidden", False)]
        if rows:
            yield "| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"
        if isinstance(command, click.Group):
            for verb in command.list_commands(context):
                below = command.get_command(context, verb)
                if below is not None:
                    yield from section(below, f"{path} {verb}")


def page() -> str:
    """Compose the whole page."""
    head = "# Command line\n\nGenerated from the program by `make docs`; do not edit.\n"
    return "\n".join([head, *section(typer.main.get_command(app), "gossamer")])


def main() -> int:
    """Write the page, or compare it."""
    fresh = page()
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text("utf-8") != fresh:
            print(f"{PAGE.name} is stale: run  make docs", file=sys.stderr)
            return 1
        return 0
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
