"""The options of a task as options of the command line: made from the task's own fields, so they cannot differ."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from gossamer import config

WebPath = Annotated[Path, typer.Option("--web", help="Directory of the collection.", envvar="GOSSAMER_WEB")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, for machines.")]

_NOT_HERE = {"seeds"}


def flag_of(name: str) -> str:
    """Return the name of an option on the command line: units are for code, people read help."""
    return "--" + name.removesuffix("_s").replace("_", "-")


def with_task_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb all options of a task; what was told arrives as `told`, the rest stays as it is."""

    def verb(**given: Any) -> Any:
        told = {name: given.pop(name) for name in _PARAMETERS if name in given}
        return function(
            told={name: value for name, value in told.items() if value not in (None, [], ())}, **given
        )

    own = [p for p in inspect.signature(function).parameters.values() if p.name != "told"]
    verb.__signature__ = inspect.Signature([*own, *_PARAMETERS.values()])  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in [*own, *_PARAMETERS.values()]}
    verb.__doc__ = function.__doc__
    verb.__name__ = function.__name__
    return verb


def _parameter(option: config.Option) -> inspect.Parameter:
    kind: Any = option.type
    flag = flag_of(option.name)
    if kind is bool:
        declared = typer.Option(
            f"{flag}/--no-{flag[2:]}", help=f"{option.help} [default: {'yes' if option.default else 'no'}]"
        )
    else:
        shown = "" if option.default in ("", (), None) else f" [default: {option.default}]"
        declared = typer.Option(flag, help=f"{option.help}{shown}")
    if get_origin(kind) is tuple:
        kind = list[str]
    elif get_origin(kind) is Literal:
        kind = Literal[get_args(kind)]
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declared]
    )


_PARAMETERS = {option.name: _parameter(option) for option in config.options() if option.name not in _NOT_HERE}


def to_canonical_url(url: str) -> str:
    """Return a URL in canonical form, or say what is wrong with it."""
    from gossamer.config import TaskSpec
    from gossamer.crawl.control.start_tasks import list_start_pages

    return list_start_pages(TaskSpec(seeds=(url,)))[0]
