"""Reads durations as people type them: 1d, 12h, 30m, 45s, or a number of seconds."""

import math
import re

from gossamer.errors import BadInput

_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw]?)", re.ASCII)
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def parse_duration(text: str, option: str) -> float:
    """Return a duration in seconds; raise BadInput that says how to write one.

    >>> parse_duration("1.5h", "--age")
    5400.0
    """
    found = _FORM.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else math.nan
    if not math.isfinite(seconds):
        raise BadInput(f"{option} {text!r} is not a duration: write 45s, 30m, 12h, 1d or 0")
    return seconds
