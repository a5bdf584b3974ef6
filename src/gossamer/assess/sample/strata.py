"""Groupings of pages, by which samples are drawn and results are shown: depth, host, language and others."""

import difflib
from bisect import bisect_right
from collections.abc import Callable

from gossamer.assess.records import Item
from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.errors import BadInput

# Nearly all relevance is at the ends, and from 0.9 on a page counts as relevant (Schmitz 2001, table 3.2).
_BAND_ENDS = (0.1, 0.5, 0.9)
BANDS = ("[0, 0.1)", "[0.1, 0.5)", "[0.5, 0.9)", "[0.9, 1]")
UNKNOWN = "unknown"


def find_band(relevance: float | None) -> str:
    """Return the band of a relevance."""
    return UNKNOWN if relevance is None else BANDS[bisect_right(_BAND_ENDS, relevance)]


_VALUES: dict[str, Callable[[CrawledPage | Item], str]] = {
    "depth": lambda one: str(one.depth),
    "host": lambda one: one.host,
    "language": lambda one: one.language or UNKNOWN,
    "task": lambda one: one.task or UNKNOWN,
    "order": lambda one: one.order or UNKNOWN,
    "relevance": lambda one: find_band(one.relevance),
}
GROUPINGS = tuple(_VALUES)


def parse_groupings(text: str) -> tuple[str, ...]:
    """Parse names of groupings, such as `depth,order`; raise BadInput with the names there are."""
    names = tuple(dict.fromkeys(text.replace(",", " ").split()))
    for name in names:
        if name not in _VALUES:
            near = difflib.get_close_matches(name, GROUPINGS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GROUPINGS)}"
            raise BadInput(f"--by {name!r} is not known; {hint}")
    return names


def get_values(one: CrawledPage | Item, by: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of a page for these groupings."""
    return tuple(_VALUES[name](one) for name in by)


def sort_key(values: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts groups naturally: depths as numbers, unknown values last."""
    return tuple(
        (int(value), "") if value.isdecimal() else (1 << 62, value) if value == UNKNOWN else (1 << 61, value)
        for value in values
    )
