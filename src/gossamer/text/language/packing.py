"""From the features of languages to the parts of a table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.tables import OTHERS, place_and_fingerprint

Keys = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
# A table is at most so full: the fuller, the farther a feature is from where it is looked for first.
_FULL = 0.7


class Features(NamedTuple):
    """What is known of one language: hashes of its words or n-grams, and their values."""

    keys: Keys
    values: Bytes


class Entries(NamedTuple):
    """Features of all languages: keys, in order and perhaps several times, with language and value."""

    keys: Keys
    languages: Bytes
    values: Bytes


def merged(features: Sequence[Features]) -> Entries:
    """Put the features of all languages together, those of one key beside each other."""
    keys = np.concatenate([each.keys for each in features])
    languages = np.repeat(np.arange(len(features), dtype=np.uint8), [len(each.keys) for each in features])
    values = np.concatenate([each.values for each in features])
    order = np.argsort(keys, kind="stable")
    return Entries(keys[order], languages[order], values[order])


def together(one: Entries, other: Entries) -> Entries:
    """Put features of two kinds together."""
    return Entries(
        np.concatenate([one.keys, other.keys]),
        np.concatenate([one.languages, other.languages]),
        np.concatenate([one.values, other.values]),
    )


def with_others(words: Entries, farthest: int) -> Entries:
    """Say of each word what holds for languages that do not list it; no language is farther behind the best."""
    unique, first = np.unique(words.keys, return_index=True)
    best = np.minimum.reduceat(words.values, first).astype(np.int64) if len(first) else first
    others = np.minimum(best + farthest, 255).astype(np.uint8)
    of_word = np.repeat(others, np.diff([*first, len(words.keys)]))
    keys = np.concatenate([words.keys, unique])
    languages = np.concatenate([words.languages, np.full(len(unique), OTHERS, dtype=np.uint8)])
    values = np.concatenate([np.minimum(words.values, of_word), others])
    order = np.argsort(keys, kind="stable")
    return Entries(keys[order], languages[order], values[order])


def packed(entries: Entries) -> tuple[bytes, bytes, bytes, bytes]:
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
    return (
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
