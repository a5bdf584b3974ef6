"""Options of the verbs that run long: logs, and the bandwidth that all crawls of this machine share."""

import inspect
import os
from collections.abc import Callable
from typing import Annotated, Any

import typer

_MACHINE_VARIABLE = "GOSSAMER_BANDWIDTH"
_OPTIONS: dict[str, Any] = {
    "verbose": Annotated[
        bool, typer.Option("--verbose", help="Log each step, on standard error unless there is a --log-file.")
    ],
    "quiet": Annotated[bool, typer.Option("--quiet", help="Show no progress; log warnings and errors only.")],
    "log_file": Annotated[
        str,
        typer.Option(
            "--log-file",
            metavar="FILE",
            help="Log into a file, of which five old ones of 20 MB are kept; - for standard error, journald for systemd's "
            "journal.",
        ),
    ],
    "log_format": Annotated[
        str,
        typer.Option(
            "--log-format",
            metavar="text|json",
            help="Form of the lines: text, or a JSON object each. [default: text]",
        ),
    ],
    "log_level": Annotated[
        list[str] | None,
        typer.Option(
            "--log-level",
            metavar="CATEGORY=LEVEL",
            help="Level of a category, such as fetch=DEBUG or store=WARNING; repeat it for others. [default: INFO]",
        ),
    ],
}
_MACHINE: dict[str, Any] = {
    "machine_bandwidth": Annotated[
        str,
        typer.Option(
            "--machine-bandwidth",
            metavar="RATE",
            help="Rate at which bytes arrive for all crawls of this user on this machine together, such as 5MB/s.",
            envvar=_MACHINE_VARIABLE,
            show_envvar=True,
        ),
    ],
}


class Display:
    """Whether the verb that runs shows its progress on the terminal."""

    hidden = False


def with_run_options(crawls: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a verb the options for logs; one that crawls also gets the bandwidth of the machine."""
    added = _OPTIONS | (_MACHINE if crawls else {})

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def verb(**given: Any) -> Any:
            options = {name: given.pop(name, None) for name in added}
            if options.get("machine_bandwidth"):
                _limit_machine(options["machine_bandwidth"])
            return _run_logged(function, options, given)

        own = list(inspect.signature(function).parameters.values())
        extra = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=_get_default(name), annotation=kind
            )
            for name, kind in added.items()
        ]
        verb.__signature__ = inspect.Signature([*own, *extra])  # type: ignore[attr-defined]
        verb.__annotations__ = {p.name: p.annotation for p in (*own, *extra)}
        verb.__doc__ = function.__doc__
        verb.__name__ = function.__name__
        return verb

    return decorate


def _get_default(name: str) -> Any:
    if name in ("verbose", "quiet"):
        return False
    return None if name == "log_level" else ""


def _limit_machine(rate: str) -> None:
    """Pass the rate on to the processes of this crawl, by the environment, as if it had been there."""
    os.environ[_MACHINE_VARIABLE] = rate


def _run_logged(function: Callable[..., Any], options: dict[str, Any], given: dict[str, Any]) -> Any:
    """Run a verb with its logs; without any of the options, logs are not even loaded."""
    if not any(options[name] for name in _OPTIONS):
        return function(**given)
    import logging

    import gossamer
    from gossamer.errors import GossamerError
    from gossamer.logs.hide_secrets import add_secrets
    from gossamer.logs.set_up_logs import LogOptions, set_up_logs, tear_down_logs

    log = LogOptions(
        options["verbose"],
        options["quiet"],
        options["log_file"],
        options["log_format"],
        tuple(options["log_level"] or ()),
    )
    add_secrets(filter(None, (os.environ.get("GOSSAMER_AUTH"), given.get("token"))))
    handler = set_up_logs(log)
    Display.hidden = log.quiet or log.uses_stderr
    run, name = logging.getLogger("gossamer.run"), function.__name__
    run.info("gossamer %s begins, version %s", name, gossamer.__version__)
    try:
        code = function(**given)
        run.info("gossamer %s has ended with code %s", name, code or 0)
        return code
    except GossamerError as error:
        run.error("gossamer %s has ended: %s", name, error)
        raise
    except Exception:
        run.exception("gossamer %s has ended by a defect", name)
        raise
    finally:
        Display.hidden = False
        tear_down_logs(handler)
