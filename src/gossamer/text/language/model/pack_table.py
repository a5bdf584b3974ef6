"""Packing the features of all languages into a hash table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.feature_table import HEAD, FeatureTable, make_table

Keys = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
# With more, a look-up passes many records; with fewer, the starts of buckets take much space.
_FEATURES_OF_BUCKET = 2


class Entries(NamedTuple):
    """Features of all languages: one row for each feature and language, with its value."""

    keys: Keys
    languages: Bytes
    values: Bytes


def join_entries(entries: Sequence[Entries]) -> Entries:
    """Concatenate entries."""
    return Entries(
        np.concatenate([each.keys for each in entries] or [np.zeros(0, dtype=np.uint64)]),
        np.concatenate([each.languages for each in entries] or [np.zeros(0, dtype=np.uint8)]),
        np.concatenate([each.values for each in entries] or [np.zeros(0, dtype=np.uint8)]),
    )


def pack_table(entries: Entries) -> FeatureTable:
    """Write a record for each feature. Cost: a sort of the entries."""
    order = np.argsort(entries.keys, kind="stable")
    keys, first, counts = np.unique(entries.keys[order], return_index=True, return_counts=True)
    buckets = 1 << max(0, int(len(keys) / _FEATURES_OF_BUCKET)).bit_length()
    bucket_of = ((keys ^ (keys >> np.uint64(32))) & np.uint64(buckets - 1)).astype(np.int64)
    by_bucket = np.argsort(bucket_of, kind="stable")
    keys, first, counts = keys[by_bucket], first[by_bucket], counts[by_bucket]
    ends = np.cumsum(HEAD + 2 * counts)
    begins = ends - (HEAD + 2 * counts)
    records = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    fingerprints = keys >> np.uint64(48)
    records[begins] = fingerprints & np.uint64(0xFF)
    records[begins + 1] = fingerprints >> np.uint64(8)
    records[begins + 2] = counts
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(begins + HEAD, counts) + 2 * number
    source = order[np.repeat(first, counts) + number]
    records[places], records[places + 1] = entries.languages[source], entries.values[source]
    return make_table(
        compute_starts(np.bincount(bucket_of[by_bucket], ends - begins, buckets)), records.tobytes()
    )


def compute_starts(sizes: NDArray[np.integer] | NDArray[np.floating]) -> bytes:
    """Return where buckets of these sizes begin, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes))).astype("<u4").tobytes()
