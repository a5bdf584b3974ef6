"""Filter the nodes of a picture: by depth, language, status, host, community, region, or the mark of a classifier."""

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

    def __bool__(self) -> bool:
        return any(msgspec.structs.astuple(self))


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
    if wanted.least:
        column = _get_column(view, wanted.mark or "mark:relevance")
        if column.is_category:
            raise BadInput(f"{column.label} is not a number: choose another mark, or leave “at least” empty")
        shown &= column.values >= _read_number("at least", wanted.least)
    return shown


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
