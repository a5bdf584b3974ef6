"""The colours of nodes, the same in the browser and in pictures that the server draws."""

import numpy as np
from numpy.typing import NDArray

from gossamer.ui.workbench.views.node_columns import NodeColumn

# Okabe and Ito, "Color Universal Design", 2008, and others between them; all stand out on white and on black.
_HUES = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8a7f1c", "#7f6bc4", "#3f8f3f", "#b0563f",
    "#4f8f9f", "#c2608a",
)  # fmt: skip


def _mix(colour: str, other: int, share: float) -> str:
    """Mix a colour with grey of this brightness."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * channel + share * other):02x}" for channel in channels)


CATEGORIES = (*_HUES, *(_mix(hue, 235, 0.45) for hue in _HUES), *(_mix(hue, 20, 0.35) for hue in _HUES))
"""The most frequent categories, then lighter and darker ones of the same hues: a legend names the first dozen."""
OTHER, NONE = "#8b9692", "#a9b2ae"
"""Categories after the first three dozen, and nodes without a value."""
_RAMP = ((68, 60, 140), (33, 120, 150), (40, 165, 125), (190, 180, 40), (240, 130, 30))
_RAMP_STEPS = 251


def make_ramp() -> list[str]:
    """Return the colours of numbers, from the least to the greatest."""
    at = np.linspace(0, len(_RAMP) - 1, _RAMP_STEPS)
    channels = [np.interp(at, range(len(_RAMP)), [stop[axis] for stop in _RAMP]) for axis in range(3)]
    rows = np.rint(np.column_stack(channels)).astype(int).tolist()
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in rows]


RAMP = tuple(make_ramp())


def colour_nodes(column: NodeColumn | None, nodes: int) -> list[str]:
    """Return the colour of each node by a column."""
    if column is None:
        return [CATEGORIES[0]] * nodes
    table = make_table(column.is_category)
    return [table[code] for code in column.encode().tolist()]


def make_table(is_category: bool) -> list[str]:
    """Return the colour of each byte of an encoded column."""
    known = [*CATEGORIES, *[OTHER] * (255 - len(CATEGORIES))] if is_category else [*RAMP, *[OTHER] * 4]
    return [*known, NONE]


def size_nodes(column: NodeColumn | None, nodes: int) -> NDArray[np.float64]:
    """Return the size of each node by a column, from 0 to 1."""
    return np.zeros(nodes) if column is None or column.is_category else column.scale()
