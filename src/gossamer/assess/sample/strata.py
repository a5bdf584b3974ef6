"""What a sample can be drawn by, and how results are grouped: kinds of pages that are looked at apart."""

import difflib
from bisect import bisect_right
from collections.abc import Callable

from gossamer.assess.records import Item
from gossamer.assess.sample.page_facts import Facts
from gossamer.errors import BadInput

# Nearly all relevance lies at the ends (seed 002, table 3.2), and 0.9 is where the seed takes a page for relevant.
_BAND_ENDS = (0.1, 0.5, 0.9)
BANDS = ("[0, 0.1)", "[0.1, 0.5)", "[0.5, 0.9)", "[0.9, 1]")
UNKNOWN = "unknown"


def band(relevance: float | None) -> str:
    """Return the band that a relevance lies in."""
    return UNKNOWN if relevance is None else BANDS[bisect_right(_BAND_ENDS, relevance)]


_VALUES: dict[str, Callable[[Facts | Item], str]] = {
    "depth": lambda one: str(one.depth),
    "host": lambda one: one.host,
    "language": lambda one: one.language or UNKNOWN,
    "task": lambda one: one.task or UNKNOWN,
    "order": lambda one: one.order or UNKNOWN,
    "relevance": lambda one: band(one.relevance),
}
GROUPINGS = tuple(_VALUES)


def groupings(told: str) -> tuple[str, ...]:
    """Read names of groupings, such as `depth,order`, or say which there are."""
    names = tuple(dict.fromkeys(told.replace(",", " ").split()))
    for name in names:
        if name not in _VALUES:
            near = difflib.get_close_matches(name, GROUPINGS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GROUPINGS)}"
            raise BadInput(f"--by {name!r} is not known; {hint}")
    return names


def values_of(one: Facts | Item, by: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a page is like, in these ways."""
    return tuple(_VALUES[name](one) for name in by)


def place(values: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts groups as people would: depths as numbers, what is not known last."""
    return tuple(
        (int(value), "") if value.isdecimal() else (1 << 62, value) if value == UNKNOWN else (1 << 61, value)
        for value in values
    )
