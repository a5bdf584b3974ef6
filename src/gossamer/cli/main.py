"""The program: finds the verb, and turns what went wrong into one sentence and an exit code.

Exit codes: 0 done, 1 something asked for failed, 2 wrong use. Only typer is imported here; verbs import
what they need when they run, so that help answers at once.
"""

import os
import sys
from typing import Annotated, Any

import typer

import gossamer
from gossamer.cli import crawl, demo, explain, graph, lab, moving, orders, tasks
from gossamer.errors import GossamerError, StoreFailed

# Plain help: with rich, help would take twice the time.
app = typer.Typer(name="gossamer", rich_markup_mode=None, pretty_exceptions_enable=False)
app.add_typer(lab.app, name="lab")
app.add_typer(graph.app, name="graph")
app.command("crawl")(crawl.crawl)
app.command("resume")(crawl.resume)
app.command("tasks")(tasks.tasks)
app.command("stop")(orders.stop)
app.command("change")(orders.change)
app.command("submit")(orders.submit)
app.command("explain")(explain.explain)
app.command("export")(moving.export)
app.command("import")(moving.import_)
app.command("demo")(demo.demo)

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
