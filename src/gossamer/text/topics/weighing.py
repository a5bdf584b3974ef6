"""From counts to scores: how much each word of a page counts, and what it says."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features import FIELDS, Table, field_of

# What each field counts beside the text; see docs/topics.md for how they were chosen.
_FIELD_WEIGHTS = np.array([1.0, 0.5, 0.25, 0.25, 0.25])


def rarity(table: Table) -> NDArray[np.float64]:
    """Return how much each column counts by how few pages have it: 1 + ln((pages + 1) / (pages with it + 1))."""
    pages_with = np.bincount(table.columns, minlength=len(table.ids))
    return np.asarray(1.0 + np.log((table.rows + 1) / (pages_with + 1)))


def weighed(table: Table, scales: NDArray[np.floating]) -> Table:
    """Weigh counts: (1 + ln count) · scale, each field of a page brought to the length that it has.

    So a word that stands ten times on a page counts for three, and a long page no more than a short one.
    """
    values = (1.0 + np.log(table.values)) * scales[table.columns]
    field = field_of(table.ids)[table.columns]
    block = table.row_of() * len(FIELDS) + field
    lengths = np.sqrt(np.bincount(block, values * values, minlength=table.rows * len(FIELDS)))
    return table._replace(values=values / lengths[block] * _FIELD_WEIGHTS[field])


def scores_of(
    kind: Literal["linear", "bayes", "cosine"],
    table: Table,
    scales: NDArray[np.floating],
    weights: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Return the score of each page."""
    values = table if kind == "bayes" else weighed(table, scales)
    rows = table.row_of()
    told = values.values * weights[table.columns]
    scores: NDArray[np.float64] = np.bincount(rows, told, table.rows).astype(np.float64)
    if kind != "cosine":
        return scores
    lengths = np.sqrt(np.bincount(rows, values.values**2, minlength=table.rows))
    return np.asarray(scores / np.maximum(lengths, 1e-12))
