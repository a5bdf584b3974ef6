"""Command-line options made from the fields of `TaskSpec`, so that the two cannot differ."""

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from gossamer import config
from gossamer.task_file import to_flag


def parse_web(given: str | Path) -> Path:
    """Return the folder of a web; for one in a database, its working folder on this machine."""
    if isinstance(given, Path) or not given.startswith(("postgresql://", "postgres://")):
        return Path(given)
    from gossamer.store.opening.web_location import resolve_web

    return resolve_web(given)


def is_server(given: str) -> bool:
    """Say whether a web is given as the address of another server."""
    return given.startswith(("http://", "https://"))


def list_webs(given: list[str] | None) -> list[str]:
    """Return the webs to search: those that were given, or the one of the environment, whose name may have spaces."""
    return given or [os.environ.get(_WEB_VARIABLE) or _WEB]


_WEB, _WEB_VARIABLE = "web", "GOSSAMER_WEB"
WebPath = Annotated[
    Path,
    typer.Option(
        "--web", parser=parse_web, metavar="WEB", help="Folder or database of the web.", envvar=_WEB_VARIABLE
    ),
]
WebPaths = Annotated[
    list[str] | None,
    typer.Option(
        "--web",
        metavar="WEB",
        help="Folder or database of a web, or the address of another `gossamer serve`; several are searched as one."
        f"  [env var: {_WEB_VARIABLE}; default: {_WEB}]",
    ),
]
UsersPath = Annotated[
    Path | None,
    typer.Option(
        "--users",
        metavar="FILE",
        help="File with the users; by default users.toml in the configuration folder.",
        envvar="GOSSAMER_USERS",
        show_envvar=True,
    ),
]
Wait = Annotated[
    float,
    typer.Option("--wait", help="Seconds to wait for each answer of another server.", min=0.1, max=600),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]

_NOT_OPTIONS = {"seeds"}


def with_task_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb all options of a task; it receives those that the user gave as `options`."""
    return _add_parameters(function, _PARAMETERS)


def _add_parameters(
    function: Callable[..., Any], parameters: dict[str, inspect.Parameter]
) -> Callable[..., Any]:
    def verb(**given: Any) -> Any:
        options = {name: given.pop(name) for name in parameters if name in given}
        used = {name: value for name, value in options.items() if value not in (None, [], ())}
        return function(options={name: _clear_list(value) for name, value in used.items()}, **given)

    own = [p for p in inspect.signature(function).parameters.values() if p.name != "options"]
    verb.__signature__ = inspect.Signature([*own, *parameters.values()])  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in [*own, *parameters.values()]}
    verb.__doc__ = function.__doc__
    verb.__name__ = function.__name__
    return verb


def _clear_list(value: Any) -> Any:
    """Return an empty list for `--exclude ''`, which removes all values of an option that can be repeated."""
    return [] if value == [""] else value


def with_some_task_options(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a verb some options of a task, by their flat names; it receives those that the user gave as `options`."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        return _add_parameters(function, {name: _PARAMETERS[name] for name in names})

    return decorate


def _make_parameter(option: config.Option) -> inspect.Parameter:
    kind: Any = option.type
    flag = to_flag(option.name)
    if kind is bool:
        declared = typer.Option(
            f"{flag}/--no-{flag[2:]}", help=f"{option.help} [default: {'yes' if option.default else 'no'}]"
        )
    else:
        default = "" if option.default in ("", (), None) else f" [default: {option.default}]"
        declared = typer.Option(flag, help=f"{option.help}{default}")
    if option.name == "connections":
        declared = typer.Option(
            flag,
            help=f"{option.help} [default: {config.AUTO}]",
            parser=_parse_connections,
            metavar="NUMBER|auto",
        )
    if get_origin(kind) is tuple:
        kind = list[str]
    elif get_origin(kind) is Literal:
        kind = Literal[get_args(kind)]
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declared]
    )


def _parse_connections(given: str | int) -> int:
    if given == config.AUTO:
        return 0
    try:
        return int(given)
    except ValueError:
        raise typer.BadParameter(f"{given!r} is neither a number nor {config.AUTO}") from None


_PARAMETERS = {
    option.name: _make_parameter(option) for option in config.options() if option.name not in _NOT_OPTIONS
}


def to_canonical_url(url: str, schemes: tuple[str, ...] = ()) -> str:
    """Return a URL in canonical form; raise `BadInput` that says what is wrong with it. `schemes` are those of plug-ins."""
    from gossamer.config import Fetching, TaskSpec
    from gossamer.crawl.control.start_tasks import list_start_pages

    return list_start_pages(TaskSpec(seeds=(url,), fetching=Fetching(schemes=schemes)))[0]
