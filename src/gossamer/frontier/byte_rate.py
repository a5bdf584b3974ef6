"""Rates of bytes as people write them: 2MB/s, 500kB/s, 1.5MiB/s, 8Mbit/s."""

import re

_UNITS = {
    "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30,
    "kbit": 125.0, "Mbit": 125e3, "Gbit": 125e6,
}  # fmt: skip
_NAMES = {name.lower(): factor for name, factor in _UNITS.items()}
_RATE = re.compile(r"(\d+(?:\.\d+)?)([a-z]+)/s\Z")
LEAST = 1_000.0
"""A slower reception would run into the time limits of servers."""


def parse_rate(text: str) -> float | None:
    """Return bytes a second; None if this is no rate, or too small a one."""
    found = _RATE.match(text.lower())
    if found is None or found[2] not in _NAMES:
        return None
    rate = float(found[1]) * _NAMES[found[2]]
    return rate if rate >= LEAST else None


def format_rate(rate: float) -> str:
    """Return a rate with the unit that makes it short: 2 MB/s."""
    for unit in ("GB", "MB", "kB"):
        if rate >= _UNITS[unit]:
            return f"{rate / _UNITS[unit]:.3g} {unit}/s"
    return f"{rate:.3g} B/s"
