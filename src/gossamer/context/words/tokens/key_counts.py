"""How often each word occurs, by its key: sorted arrays, which add up without a dictionary."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.words.tokens.segment import Keys, Numbers, Segment

# How many counts of segments wait to be added up: 16 bytes each.
_MOST_WAITING = 2_000_000


class KeyCounts(msgspec.Struct, frozen=True, eq=False):
    """Keys of words, ascending, and how often each of them occurs."""

    keys: Keys
    counts: Numbers

    @property
    def total(self) -> int:
        """How many words there are in all."""
        return int(self.counts.sum())

    def look_up(self, keys: Keys) -> Numbers:
        """Return the count of each of some keys; 0 for unknown ones."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.counts[at], 0)

    def subtract(self, other: "KeyCounts") -> "KeyCounts":
        """Return these counts less others, none of them below 0."""
        left = np.maximum(self.counts - other.look_up(self.keys), 0)
        return KeyCounts(self.keys[left > 0], left[left > 0])


EMPTY = KeyCounts(np.empty(0, np.uint64), np.empty(0, np.int64))


def add_up(parts: Iterator[KeyCounts]) -> KeyCounts:
    """Return the sum of counts. Memory: the distinct keys, and some that wait."""
    waiting, length = [EMPTY], 0
    for part in parts:
        waiting.append(part)
        length += len(part.keys)
        if length > max(_MOST_WAITING, 2 * len(waiting[0].keys)):
            waiting, length = [_sum_parts(waiting)], 0
    return _sum_parts(waiting)


def count_forms(segment: Segment, sentences: Numbers) -> NDArray[np.int32]:
    """Count each form of a segment in some of its sentences, which ascend; what is no word has 0."""
    counts = np.bincount(segment.read_forms(sentences), minlength=len(segment.forms))
    counts[~segment.get("is_word")] = 0
    return counts.astype(np.int32)


def sum_by_key(segment: Segment, counts: NDArray[np.int32], lemmas: bool) -> KeyCounts:
    """Return the counts of the forms of a segment by the keys of words, or of their lemmas."""
    used = np.flatnonzero(counts)
    keys = segment.get("lemma_keys" if lemmas else "form_keys")[used]
    return _sum_parts([KeyCounts(keys, counts[used].astype(np.int64))])


def _sum_parts(parts: list[KeyCounts]) -> KeyCounts:
    keys = np.concatenate([part.keys for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    if not len(keys):
        return EMPTY
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return KeyCounts(keys[starts], np.add.reduceat(counts, starts))
