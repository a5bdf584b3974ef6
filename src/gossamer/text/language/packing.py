"""From the features of languages to the parts of a table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.tables import Parts, place_and_fingerprint

Keys = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
# A table is at most so full: the fuller, the farther a feature is from where it is looked for first.
_FULL = 0.7


class Entries(NamedTuple):
    """Features of all languages: a key for each language that has something to say, with its number and value."""

    keys: Keys
    languages: Bytes
    values: Bytes


def joined(entries: Sequence[Entries]) -> Entries:
    """Put features of several kinds together."""
    return Entries(
        np.concatenate([each.keys for each in entries] or [np.zeros(0, dtype=np.uint64)]),
        np.concatenate([each.languages for each in entries] or [np.zeros(0, dtype=np.uint8)]),
        np.concatenate([each.values for each in entries] or [np.zeros(0, dtype=np.uint8)]),
    )


def packed(entries: Entries) -> Parts:
    """Give each feature its place; return the fingerprints, the entries of each place, languages and values."""
    order = np.argsort(entries.keys, kind="stable")
    unique, first, counts = np.unique(entries.keys[order], return_index=True, return_counts=True)
    size = 1 << max(4, int(len(unique) / _FULL).bit_length())
    feature_at = _placed(unique.tolist(), size)
    fingerprints = np.zeros(size, dtype=np.uint16)
    filled = feature_at >= 0
    fingerprints[filled] = (unique >> np.uint64(48)).astype(np.uint16)[feature_at[filled]]
    places = np.zeros(size, dtype=np.uint8)
    places[filled] = counts[feature_at[filled]]
    taken = feature_at[filled]
    rows = np.repeat(first[taken] - np.cumsum(counts[taken]) + counts[taken], counts[taken])
    order = order[rows + np.arange(len(rows))]
    return Parts(
        fingerprints.tobytes(),
        places.tobytes(),
        entries.languages[order].tobytes(),
        entries.values[order].tobytes(),
    )


def _placed(keys: list[int], size: int) -> NDArray[np.int64]:
    """Return which feature stands at each place of the table, -1 for none."""
    feature_at = [-1] * size
    for feature, key in enumerate(keys):
        place = place_and_fingerprint(key)[0] & (size - 1)
        while feature_at[place] >= 0:
            place = (place + 1) & (size - 1)
        feature_at[place] = feature
    return np.array(feature_at, dtype=np.int64)
