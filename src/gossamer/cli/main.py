"""The program: finds the verb, and turns what went wrong into one sentence and an exit code.

Exit codes: 0 done, 1 something asked for failed, 2 wrong use. Only typer is imported here; a verb is loaded when it
is asked for and imports what it needs when it runs, so that help answers at once.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
import typer.main

import gossamer
from gossamer.errors import GossamerError, StoreFailed

# Where each verb is written down: a module of this folder, and a function or a group of verbs in it.
_VERBS = {
    "crawl": ("crawl.crawl", "crawl"),
    "resume": ("crawl.crawl", "resume"),
    "tasks": ("crawl.tasks", "tasks"),
    "stop": ("crawl.change_task", "stop"),
    "change": ("crawl.change_task", "change"),
    "submit": ("crawl.change_task", "submit"),
    "recrawl": ("crawl.recrawl", "recrawl"),
    "explain": ("crawl.explain", "explain"),
    "index": ("search.index", "index"),
    "search": ("search.search", "search"),
    "serve": ("search.serve", "serve"),
    "assess": ("assess.assess", "assess"),
    "export": ("transfer.export_import", "export"),
    "import": ("transfer.export_import", "import_"),
    "demo": ("demo.demo", "demo"),
    "lab": ("lab.verbs", "app"),
    "graph": ("graph.verbs", "app"),
    "language": ("language.verbs", "app"),
    "topics": ("topics.verbs", "app"),
}


class _Verbs(Mapping[str, Any]):
    """The verbs by name. Each is made when it is asked for: all of them took a tenth of the start of a crawl."""

    def __getitem__(self, name: str) -> Any:
        module, called = _VERBS[name]
        verb = getattr(import_module(f"gossamer.cli.{module}"), called)
        if isinstance(verb, typer.Typer):
            return typer.main.get_group(verb)
        alone = typer.Typer(rich_markup_mode=None, add_completion=False)
        alone.command(name)(verb)
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(_VERBS)

    def __len__(self) -> int:
        return len(_VERBS)


class _Program(typer.core.TyperGroup):
    """The group of all verbs; what typer asks of its commands (help, completion, near names), `_Verbs` answers."""

    def __init__(self, **told: Any) -> None:
        super().__init__(**told)
        self.commands = _Verbs()  # type: ignore[assignment]  # nobody adds to them


# Plain help: with rich, help would take twice the time.
app = typer.Typer(name="gossamer", cls=_Program, rich_markup_mode=None, pretty_exceptions_enable=False)

_FAILED = 1
_WRONG_USE = 2
_INTERRUPTED = 130


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gossamer {gossamer.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version and end."),
    ] = False,
) -> None:
    """Collect a piece of the web, politely, and turn it into what people use."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> None:
    """Run the program with the arguments of the command line."""
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(arguments: list[str]) -> int:
    try:
        ended: Any = app(arguments, prog_name="gossamer", standalone_mode=False)
    except StoreFailed as error:
        return _tell(str(error), _FAILED)
    except GossamerError as error:
        return _tell(str(error))
    except typer.TyperException as error:
        return _tell(error.format_message().rstrip(".") + _hint(error))
    except BrokenPipeError:
        # Whoever read our words has heard enough; there is nobody left to tell, not even at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    return ended if isinstance(ended, int) else 0


def _tell(sentence: str, code: int = _WRONG_USE) -> int:
    one_line = " ".join(sentence.split())
    print(f"gossamer: {one_line}", file=sys.stderr)  # noqa: T201 - this is the program's voice
    return code


def _hint(error: typer.TyperException) -> str:
    """Name the help of the verb that was used wrongly."""
    context = getattr(error, "ctx", None)
    return f"; see `{context.command_path} --help`." if context else "."


if __name__ == "__main__":
    run()
