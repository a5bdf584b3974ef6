"""Let the messages of a runner reach standard error, unless the program has been told where they go."""

import logging

from gossamer.cli.run_options import Display
from gossamer.logs.format_line import TextFormatter
from gossamer.logs.log_sinks import StderrHandler


def prepare_logging() -> None:
    """Write messages to standard error, as `--log-file -` does, if nothing else takes them; with `--quiet` only what went wrong."""
    log = logging.getLogger("gossamer")
    if log.handlers or logging.getLogger().handlers:
        return
    handler = StderrHandler()
    handler.setFormatter(TextFormatter())
    log.addHandler(handler)
    log.setLevel(logging.WARNING if Display.hidden else logging.INFO)
