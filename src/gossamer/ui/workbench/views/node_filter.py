"""Filter the nodes of a picture: by depth, language, status, host, community, region, any number, or any other mark."""

import re
from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.node_columns import NodeColumn

Mask = NDArray[np.bool_]
CATEGORIES = ("language", "status", "region")
_MOST_CHARACTERS = 200
_COLUMN_NAMES = ("mark", "category")
"""They name a column, and filter nothing alone."""
_MOST_NAMED = 8


class NodeFilter(msgspec.Struct, frozen=True):
    """Which nodes are shown; an empty field lets all through."""

    depth_from: str = ""
    depth_to: str = ""
    language: str = ""
    status: str = ""
    region: str = ""
    host: str = ""
    """A name with * for any characters, such as *.example.org."""
    community: str = ""
    """Its number, as the legend has it."""
    mark: str = ""
    """The name of a column of numbers, such as mark:relevance or pagerank."""
    least: str = ""
    """The least number of that column."""
    greatest: str = ""
    """The greatest number of that column."""
    category: str = ""
    """The name of a column of categories, such as mark:kind or language."""
    values: str = ""
    """The categories of that column that are shown, separated by commas."""

    def __bool__(self) -> bool:
        return any(value for name, value in msgspec.structs.asdict(self).items() if name not in _COLUMN_NAMES)


def read_filter(given: Mapping[str, str]) -> NodeFilter:
    """Return the filter of a request."""
    names = NodeFilter.__struct_fields__
    return NodeFilter(**{name: given.get(name, "").strip()[:_MOST_CHARACTERS] for name in names})


def filter_nodes(view: GraphView, wanted: NodeFilter) -> Mask:
    """Return for each node whether it is shown; raise BadInput if the filter cannot be read."""
    shown = np.ones(view.nodes, np.bool_)
    if wanted.depth_from or wanted.depth_to:
        depths = _get_column(view, "depth").values
        least = _read_number("depth", wanted.depth_from or "0")
        shown &= (depths >= least) & (depths <= _read_number("depth", wanted.depth_to or "inf"))
    for name in CATEGORIES:
        if text := getattr(wanted, name):
            shown &= _match_names(_get_column(view, name), re.compile(re.escape(text), re.IGNORECASE))
    if wanted.host:
        shown &= _match_hosts(view, wanted.host)
    if wanted.community:
        number = _read_number("community", wanted.community.partition(":")[0])
        shown &= _get_column(view, "community").values == number - 1
    if wanted.least or wanted.greatest:
        shown &= _match_numbers(_get_column(view, wanted.mark or "mark:relevance"), wanted)
    if wanted.values:
        shown &= _match_values(view, wanted)
    return shown


def _match_numbers(column: NodeColumn, wanted: NodeFilter) -> Mask:
    """Match the numbers in a range; nodes without a number are not shown."""
    if column.is_category:
        raise BadInput(
            f"{column.label} is not a number: choose another mark, or leave “at least” and “at most” empty"
        )
    least = _read_number("at least", wanted.least or "-inf")
    greatest = _read_number("at most", wanted.greatest or "inf")
    return np.asarray((column.values >= least) & (column.values <= greatest))


def _match_values(view: GraphView, wanted: NodeFilter) -> Mask:
    """Match nodes whose category is one of those that were typed, in upper or lower case."""
    if not wanted.category:
        raise BadInput("choose the mark that these values are of, or leave “is one of” empty")
    column = _get_column(view, wanted.category)
    if not column.is_category:
        raise BadInput(f"{column.label} is a number: use “at least” and “at most” for it")
    known = {name.lower() for name in column.names if name}
    whole = wanted.values.lower()  # a value may have a comma itself
    asked = {whole} if whole in known else {part.strip() for part in whole.split(",") if part.strip()}
    if unknown := sorted(asked - known):
        named = ", ".join(name[:40] for name in column.names[:_MOST_NAMED] if name) or "no values"
        more = ", …" if len(column.names) > _MOST_NAMED else ""
        raise BadInput(f"no node has {unknown[0][:50]!r} as {column.label}; there are {named}{more}")
    return _match_names(column, re.compile("|".join(map(re.escape, asked)), re.IGNORECASE))


def _match_hosts(view: GraphView, pattern: str) -> Mask:
    """Match the hosts of pages, or the names of groups; a name without * is matched anywhere."""
    wild = pattern if "*" in pattern else f"*{pattern}*"
    first, *middle, last = map(re.escape, wild.split("*"))
    # Each part is found once, as early as possible: going back could take years with many parts.
    parts = "".join(f"(?>.*?{part})" for part in middle)
    wanted = re.compile(f"{first}{parts}.*{last}", re.IGNORECASE)
    if view.names:
        return np.array([wanted.fullmatch(name) is not None for name in view.names], np.bool_)
    return _match_names(_get_column(view, "host"), wanted)


def _match_names(column: NodeColumn, wanted: re.Pattern[str]) -> Mask:
    fits = np.array([wanted.fullmatch(name) is not None for name in column.names] + [False], np.bool_)
    codes = np.nan_to_num(column.values, nan=len(column.names)).astype(np.int64)
    return np.asarray(fits[np.minimum(codes, len(column.names))])


def _get_column(view: GraphView, name: str) -> NodeColumn:
    if name not in view.columns:
        raise BadInput(f"these nodes have no {name.removeprefix('mark:')!r}; leave this filter empty")
    return view.columns[name]


def _read_number(what: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if np.isnan(number):
        raise BadInput(f"{what} must be a number, not {text!r}")
    return number
