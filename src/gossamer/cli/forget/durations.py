"""Read ages and sizes as people type them: 2y, 6mo, 90d; 10GB, 500MB."""

import math
import re

from gossamer.errors import BadInput

_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*(y|mo|w|d|h)", re.ASCII)
_DAY_S = 86_400.0
_SECONDS = {"y": 365.25 * _DAY_S, "mo": 30.4375 * _DAY_S, "w": 7 * _DAY_S, "d": _DAY_S, "h": 3600.0}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", re.ASCII)
_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def parse_age(text: str) -> float:
    """Return an age in seconds.

    >>> parse_age("2w")
    1209600.0
    """
    found = _AGE.fullmatch(text.strip().lower())
    age_s = float(found[1]) * _SECONDS[found[2]] if found else math.nan
    if not math.isfinite(age_s) or age_s <= 0:
        raise BadInput(f"--older-than {text!r} is not an age: write 2y, 6mo, 8w, 90d or 12h")
    return age_s


def parse_size(text: str) -> int:
    """Return a number of bytes.

    >>> parse_size("1.5 GB")
    1500000000
    """
    found = _SIZE.fullmatch(text.strip().lower())
    size = float(found[1]) * _BYTES[found[2]] if found else math.nan
    if not math.isfinite(size) or size <= 0:
        raise BadInput(f"--keep-bytes {text!r} is not a size: write 10GB, 500MB or a number of bytes")
    return int(size)
