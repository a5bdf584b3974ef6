"""Set up the logs of a run, as the command line says: categories, levels, form and place."""

import logging
from collections.abc import Iterable

import msgspec

from gossamer.errors import BadInput
from gossamer.logs.format_line import JsonFormatter, TextFormatter
from gossamer.logs.log_sinks import JOURNAL, STANDARD_ERROR, open_sink
from gossamer.option_errors import suggest

ROOT = "gossamer"
CATEGORIES = ("crawl", "fetch", "store", "search", "serve", "run", "ui", "cluster")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = ("text", "json")


class LogOptions(msgspec.Struct, frozen=True):
    """What the command line says about logs."""

    verbose: bool = False
    quiet: bool = False
    file: str = ""
    format: str = ""
    levels: tuple[str, ...] = ()

    @property
    def is_wanted(self) -> bool:
        """Whether there is a log at all."""
        return bool(self.verbose or self.file or self.format or self.levels)

    @property
    def uses_stderr(self) -> bool:
        """Whether the log goes to standard error."""
        return self.is_wanted and self.file in ("", STANDARD_ERROR)


def set_up_logs(options: LogOptions) -> logging.Handler | None:
    """Set up the logs; return what writes them, or None if none are wanted."""
    if options.verbose and options.quiet:
        raise BadInput("--verbose and --quiet contradict each other: give one of them")
    if options.format and options.format not in FORMATS:
        raise BadInput(f"--log-format is text or json, not {options.format!r}")
    levels = [_parse_level(text) for text in options.levels]
    if not options.is_wanted:
        return None
    formatter = JsonFormatter() if options.format == "json" else TextFormatter()
    handler = open_sink(options.file or STANDARD_ERROR, formatter)
    root = logging.getLogger(ROOT)
    root.addHandler(handler)
    root.propagate = False
    root.setLevel(logging.DEBUG if options.verbose else logging.WARNING if options.quiet else logging.INFO)
    for name, level in levels:
        logging.getLogger(name).setLevel(level)
    return handler


def tear_down_logs(handler: logging.Handler | None) -> None:
    """End the logs: for programs that run several verbs, such as tests."""
    if handler is None:
        return
    for name in _list_loggers():
        logging.getLogger(name).setLevel(logging.NOTSET)
    root = logging.getLogger(ROOT)
    root.removeHandler(handler)
    root.propagate = True
    handler.close()


def _list_loggers() -> Iterable[str]:
    known = logging.root.manager.loggerDict
    return [name for name in known if name == ROOT or name.startswith(f"{ROOT}.")]


def _parse_level(text: str) -> tuple[str, str]:
    """Parse CATEGORY=LEVEL; a category may be given without `gossamer.`, and a level alone is for all."""
    name, equals, level = text.rpartition("=")
    level = level.strip().upper()
    if level == "WARN":
        level = "WARNING"
    if level not in LEVELS:
        raise BadInput(
            f"--log-level {text!r} has no level: write CATEGORY=LEVEL, with one of {', '.join(LEVELS)}"
        )
    plain = name.strip().removeprefix(f"{ROOT}.")
    if not equals or plain in ("", ROOT):
        return ROOT, level
    if plain.split(".")[0] not in CATEGORIES:
        raise BadInput(
            f"--log-level has no category {plain!r}{suggest(plain, CATEGORIES)}: there are {', '.join(CATEGORIES)}"
        )
    return f"{ROOT}.{plain}", level


__all__ = ["CATEGORIES", "FORMATS", "JOURNAL", "LEVELS", "LogOptions", "set_up_logs", "tear_down_logs"]
