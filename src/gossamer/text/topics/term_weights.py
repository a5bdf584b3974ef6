"""From counts to scores: how much each word of a page counts, and what it says."""

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.model_file import Kind
from gossamer.text.topics.page_features import FIELDS, Table, field_of

# What each of the fields counts beside the text; see docs/topics.md for how they were chosen.
FIELD_WEIGHTS = (1.0, 0.35, 0.15, 0.1, 0.15, 0.5)


def rarity(table: Table) -> NDArray[np.float64]:
    """Return how much each column counts by how few pages have it: 1 + ln((pages + 1) / (pages with it + 1))."""
    pages_with = np.bincount(table.columns, minlength=len(table.ids))
    return np.asarray(1.0 + np.log((table.rows + 1) / (pages_with + 1)))


def weighed(kind: Kind, table: Table, scales: NDArray[np.floating]) -> Table:
    """Weigh what stands on pages, each field of a page brought to the length that it has: long pages count no more.

    For the separating plane a word is there or not. For the angle it counts (1 + ln count) · scale, so that a word that
    stands ten times on a page counts for three.
    """
    present = np.ones_like(table.values)
    values = present if kind == "linear" else (1.0 + np.log(table.values)) * scales[table.columns]
    field = field_of(table.ids)[table.columns]
    block = table.row_of() * len(FIELDS) + field
    lengths = np.sqrt(np.bincount(block, values * values, minlength=table.rows * len(FIELDS)))
    return table._replace(values=values / lengths[block] * np.array(FIELD_WEIGHTS)[field])


def scores_of(
    kind: Kind, table: Table, scales: NDArray[np.floating], weights: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Return the score of each page: for many at once what `judging` does for one."""
    values = (table if kind == "bayes" else weighed(kind, table, scales)).values
    rows = table.row_of()
    scores: NDArray[np.float64] = np.bincount(rows, values * weights[table.columns], table.rows).astype(
        np.float64
    )
    if kind != "cosine":
        return scores
    lengths = np.sqrt(np.bincount(rows, values**2, minlength=table.rows))
    return np.asarray(scores / np.maximum(lengths, 1e-12))
