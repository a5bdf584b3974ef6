"""What is known about each node of a picture, as columns by which nodes are coloured, sized and filtered."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Merge = Literal["mean", "least", "sum"]

_MOST_NAMES = 65_000
_STEPS, _OTHER, _NONE = 250, 254, 255
"""Numbers are sent as 0 to 250; 254 is a category after the first 254, and 255 is no value."""
_NUMERIC_SHARE = 0.9
MARK = "mark:"
"""How the names of columns begin that come from classifiers."""


class NodeColumn(msgspec.Struct, frozen=True, eq=False):
    """One value for each node: a number, or the number of a category."""

    label: str
    """What people call it."""
    values: Floats
    """NaN where there is none."""
    names: Sequence[str] = ()
    """What the categories are called, the most frequent first; () for a column of numbers."""
    is_logarithmic: bool = False
    merge: Merge = "mean"
    """How the numbers of pages become the number of their host."""

    @property
    def is_category(self) -> bool:
        return len(self.names) > 0

    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest number."""
        found = self.values[np.isfinite(self.values)]
        return (float(found.min()), float(found.max())) if len(found) else (0.0, 0.0)

    def encode(self) -> NDArray[np.uint8]:
        """Return each value as a byte."""
        if self.is_category:
            codes = np.where(np.isnan(self.values), _NONE, np.minimum(self.values, _OTHER))
            return codes.astype(np.uint8)
        return np.where(np.isnan(self.values), _NONE, np.rint(_STEPS * self.scale())).astype(np.uint8)

    def scale(self) -> Floats:
        """Return each number as its place between the least and the greatest, from 0 to 1; 0 where there is none."""
        least, most = self.bounds()
        values = np.nan_to_num(self.values, nan=least)
        if most <= least:
            return np.zeros(len(values))
        if not self.is_logarithmic:
            return np.asarray((values - least) / (most - least))
        return np.asarray(np.log1p(99 * (values - least) / (most - least)) / np.log(100))

    def part(self, nodes: NDArray[np.integer]) -> "NodeColumn":
        """Return the column of some nodes."""
        return msgspec.structs.replace(self, values=self.values[nodes])

    def group(self, group_of: NDArray[np.integer], groups: int) -> "NodeColumn":
        """Return the column of groups of nodes: of numbers their mean, least or sum, of categories the most frequent."""
        grouped = self._find_most_frequent if self.is_category else self._merge_numbers
        return msgspec.structs.replace(self, values=grouped(group_of, groups))

    def _find_most_frequent(self, group_of: NDArray[np.integer], groups: int) -> Floats:
        known = ~np.isnan(self.values)
        pairs = group_of[known].astype(np.int64) * len(self.names) + self.values[known].astype(np.int64)
        found, counts = np.unique(pairs, return_counts=True)
        group, code = np.divmod(found, len(self.names))
        order = np.lexsort((-code, counts, group))  # the last one of each group is its most frequent
        values = np.full(groups, np.nan)
        values[group[order]] = code[order]
        return values

    def _merge_numbers(self, group_of: NDArray[np.integer], groups: int) -> Floats:
        known = ~np.isnan(self.values)
        of, values = group_of[known], self.values[known]
        counts = np.bincount(of, minlength=groups)
        if self.merge == "least":
            merged = np.full(groups, np.inf)
            np.minimum.at(merged, of, values)
        else:
            merged = np.bincount(of, values, groups) / (np.maximum(counts, 1) if self.merge == "mean" else 1)
        return np.where(counts > 0, merged, np.nan)


def make_category(label: str, texts: Sequence[str]) -> NodeColumn:
    """Return a column of categories, numbered by how frequent they are; "" is no value."""
    counts = Counter(texts)
    counts.pop("", None)
    names = sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_NAMES]
    code_of = {name: float(code) for code, name in enumerate(names)}
    values = np.array([code_of.get(text, np.nan) for text in texts], np.float64)
    return NodeColumn(label, values, names or ("",))


def make_numbered_category(label: str, codes: NDArray[np.integer], names: Sequence[str]) -> NodeColumn:
    """Return a column of categories that have numbers already."""
    return NodeColumn(label, np.where(codes < 0, np.nan, codes), names or ("",))


def make_mark(name: str, texts: Sequence[str]) -> NodeColumn:
    """Return the column of a classifier's mark: of numbers if nearly all values are, else of categories."""
    numbers = np.array([_read_number(text) for text in texts], np.float64)
    given = sum(map(bool, texts))
    if np.count_nonzero(np.isfinite(numbers)) >= _NUMERIC_SHARE * given:
        return NodeColumn(name, numbers)
    return make_category(name, [text[:200] for text in texts])


def _read_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return np.nan
    return number if np.isfinite(number) else np.nan
