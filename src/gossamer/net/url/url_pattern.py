"""Regular expressions that people type to choose URLs."""

import re

from gossamer.errors import BadInput

_SHELL_CHARACTERS = re.compile(r"[*?]")


def compile_pattern(pattern: str, option: str = "") -> re.Pattern[str]:
    """Compile a regular expression; raise BadInput for what is none, with a hint if it is a pattern as in a shell.

    `option` is where it was given, for the message.
    """
    try:
        return re.compile(pattern)
    except (RecursionError, OverflowError):
        where = f"{option}: " if option else ""
        raise BadInput(f"{where}{pattern[:80]!r} has too many parts inside each other") from None
    except re.error as error:
        where = f"{option}: " if option else ""
        raise BadInput(
            f"{where}{pattern!r} is not a regular expression: {error}{_suggest(pattern)}"
        ) from None


def _suggest(pattern: str) -> str:
    """Return what to write instead of a shell pattern; "" for anything else."""
    if not _SHELL_CHARACTERS.search(pattern):
        return ""
    # It is searched for anywhere in a URL: nothing is needed for what comes before and after.
    meant = re.escape(pattern.strip("*")).replace(r"\*", ".*").replace(r"\?", ".")
    return f"; * stands for any characters in a shell only, here write {meant!r}" if meant else ""
