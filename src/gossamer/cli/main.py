"""The program `gossamer`: find the verb, run it, and turn errors into one sentence and an exit code.

Exit codes: 0 success, 1 a requested operation failed, 2 wrong use. This module imports only typer. A verb is loaded
when you call it and imports what it needs when it runs, so that `--help` stays quick.
"""

import atexit
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

import gossamer
from gossamer.errors import GossamerError, StoreFailed

# Each verb: its module in this folder, and the name of its function or group of verbs there.
_VERBS = {
    "crawl": ("crawl.crawl", "crawl"),
    "resume": ("crawl.crawl", "resume"),
    "tasks": ("crawl.tasks", "tasks"),
    "status": ("crawl.status", "status"),
    "stop": ("crawl.change_task", "stop"),
    "change": ("crawl.change_task", "change"),
    "submit": ("crawl.change_task", "submit"),
    "recrawl": ("crawl.recrawl", "recrawl"),
    "watch": ("watch.watch", "watch"),
    "run": ("run.run", "run"),
    "explain": ("crawl.explain", "explain"),
    "picture": ("crawl.picture", "picture"),
    "fetcher": ("cluster.fetcher", "fetcher"),
    "cluster": ("cluster.cluster", "cluster"),
    "index": ("search.index", "index"),
    "search": ("search.search", "search"),
    "serve": ("search.serve", "serve"),
    "hot": ("context.hot", "hot"),
    "words": ("context.words", "words"),
    "concordance": ("context.concordance", "concordance"),
    "ask": ("context.ask", "ask"),
    "mcp": ("context.mcp", "mcp"),
    "themes": ("context.themes", "themes"),
    "card": ("navigate.card", "card"),
    "backlinks": ("navigate.backlinks", "backlinks"),
    "proxy": ("navigate.proxy", "proxy"),
    "assess": ("assess.assess", "assess"),
    "check": ("check.check", "check"),
    "fields": ("fields.fields", "fields"),
    "export": ("transfer.export_import", "export"),
    "import": ("transfer.export_import", "import_"),
    "mirror": ("mirror.mirror", "mirror"),
    "backup": ("backup.backup", "backup"),
    "restore": ("backup.backup", "restore"),
    "sql": ("query.sql", "sql"),
    "verify": ("transfer.verify", "verify"),
    "forget": ("forget.forget", "forget"),
    "demo": ("demo.demo", "demo"),
    "web": ("web.verbs", "app"),
    "users": ("users.verbs", "app"),
    "history": ("navigate.history", "app"),
    "lab": ("lab.verbs", "app"),
    "graph": ("graph.verbs", "app"),
    "language": ("language.verbs", "app"),
    "topics": ("topics.verbs", "app"),
}


@cache  # typer asks for each verb twice when it prints help
def _load_verb(name: str) -> Any:
    """Import one verb and return it as a command of typer."""
    module, attribute = _VERBS[name]
    verb = getattr(import_module(f"gossamer.cli.{module}"), attribute)
    if isinstance(verb, typer.Typer):
        return typer.main.get_group(verb)
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name)(verb)
    return typer.main.get_command(single)


class _LazyVerbs(Mapping[str, Any]):
    """The verbs by name, each loaded on first use: loading all of them took a tenth of the start of a crawl."""

    def __getitem__(self, name: str) -> Any:
        return _load_verb(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_VERBS)

    def __len__(self) -> int:
        return len(_VERBS)


class _Program(typer.core.TyperGroup):
    """The group of all verbs; help, completion and suggestions for misspelt verbs read `_LazyVerbs`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _LazyVerbs()  # type: ignore[assignment]  # nothing adds to it

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; Ctrl-C is reported here, since typer would turn it into an exit code without a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            return _print_stop(error)


# Plain help: rich would double the time that help takes.
app = typer.Typer(name="gossamer", cls=_Program, rich_markup_mode=None, pretty_exceptions_enable=False)

_FAILED = 1
_WRONG_USE = 2
_INTERRUPTED = 130


def _print_version(wanted: bool) -> None:
    if wanted:
        from gossamer.cli.web.list_formats import list_formats

        typer.echo(f"gossamer {gossamer.__version__}")
        for line in list_formats():
            typer.echo(line)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and the formats that it reads and writes, and exit.",
        ),
    ] = False,
) -> None:
    """Crawl a part of the web politely, then search, analyse and export it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> None:
    """Run the program with the arguments of the command line."""
    sys.exit(run_verb(sys.argv[1:]))


def run_program() -> NoReturn:
    """Run the program and end its process, without releasing each of its objects: that takes 30 ms after a crawl."""
    code = run_verb(sys.argv[1:])
    if threading.active_count() > 1:
        sys.exit(code)  # waits for the threads
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        sys.exit(code)  # Python reports that output is lost
    os._exit(code)


def run_verb(arguments: list[str]) -> int:
    """Run one verb and return the exit code."""
    try:
        code: Any = app(arguments, prog_name="gossamer", standalone_mode=False)
    except StoreFailed as error:
        return _print_error(str(error), _FAILED)
    except GossamerError as error:
        return _print_error(str(error))
    except typer.TyperException as error:
        return _print_error(error.format_message().rstrip(".") + _make_help_hint(error))
    except BrokenPipeError:
        # The reader of our output is gone. Without this, Python would fail again when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED
    except KeyboardInterrupt as error:
        return _print_stop(error)
    except typer.Abort:
        return _INTERRUPTED
    return code if isinstance(code, int) else 0


def _print_error(sentence: str, code: int = _WRONG_USE) -> int:
    """Print an error on one line and return the exit code."""
    from gossamer.cli.output.terminal_text import print_error

    print_error(sentence)
    return code


def _print_stop(error: KeyboardInterrupt) -> int:
    """Say that Ctrl-C ended the verb and return the exit code; a crawl has said so, and raises a class of its own."""
    if type(error) is KeyboardInterrupt:
        _print_error("stopped by Ctrl-C.")
    return _INTERRUPTED


def _make_help_hint(error: typer.TyperException) -> str:
    """Name the help of the verb that was used wrongly."""
    context = getattr(error, "ctx", None)
    return f"; see `{context.command_path} --help`." if context else "."


if __name__ == "__main__":
    run_program()
