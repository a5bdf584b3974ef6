"""Term weights: how much each word of a page counts, and the scores of many pages at once."""

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.field_weights import FIELD_WEIGHTS, FIELDS
from gossamer.text.topics.features.page_features import CountTable, get_field
from gossamer.text.topics.model_file import Kind


def compute_rarity(table: CountTable) -> NDArray[np.float64]:
    """Return the inverse document frequency of each column: 1 + ln((pages + 1) / (pages with it + 1))."""
    pages_with = np.bincount(table.columns, minlength=len(table.ids))
    return np.asarray(1.0 + np.log((table.rows + 1) / (pages_with + 1)))


def weigh_terms(kind: Kind, table: CountTable, scales: NDArray[np.floating]) -> CountTable:
    """Weigh the terms of pages, with each field scaled to a fixed length, so that long pages count no more.

    For the separating plane and in a dictionary a word is present or absent. For the cosine it counts (1 + ln count) · scale, so that a
    word that occurs ten times on a page counts as three.
    """
    present = np.ones_like(table.values)
    values = (
        present if kind in ("linear", "dictionary") else (1.0 + np.log(table.values)) * scales[table.columns]
    )
    field = get_field(table.ids)[table.columns]
    block = table.list_rows() * len(FIELDS) + field
    lengths = np.sqrt(np.bincount(block, values * values, minlength=table.rows * len(FIELDS)))
    return table._replace(values=values / lengths[block] * np.array(FIELD_WEIGHTS)[field])


def score_pages(
    kind: Kind, table: CountTable, scales: NDArray[np.floating], weights: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Return the score of each page: `score_page` does the same for a single page."""
    values = (table if kind == "bayes" else weigh_terms(kind, table, scales)).values
    rows = table.list_rows()
    scores: NDArray[np.float64] = np.bincount(rows, values * weights[table.columns], table.rows).astype(
        np.float64
    )
    if kind != "cosine":
        return scores
    lengths = np.sqrt(np.bincount(rows, values**2, minlength=table.rows))
    return np.asarray(scores / np.maximum(lengths, 1e-12))
