"""A table that can be written into: what `packing` makes once of all features, with single ones changed or added."""

from collections.abc import Sequence

import numpy as np

from gossamer.text.language.model.feature_table import Parts, bucket_and_fingerprint, parts_of, records_of
from gossamer.text.language.model.pack_table import starts_of

Entry = tuple[int, int]
"""A language's number, or that of all others, and its value."""


class Overwritten:
    """The features of a table by their hashes, as they will be."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._buckets = len(parts.starts) - 1
        self._changed: dict[int, dict[int, list[Entry]]] = {}
        """The records of buckets that were written into, by their fingerprints."""

    def find(self, key: int) -> list[Entry] | None:
        """Return the entries of a feature; None if the table does not have it."""
        bucket, fingerprint = bucket_and_fingerprint(key, self._buckets)
        return self._records(bucket).get(fingerprint)

    def put(self, key: int, entries: Sequence[Entry]) -> None:
        """Give a feature these entries."""
        bucket, fingerprint = bucket_and_fingerprint(key, self._buckets)
        if bucket not in self._changed:
            self._changed[bucket] = self._records(bucket)
        self._changed[bucket][fingerprint] = list(entries)

    def parts(self) -> Parts:
        """Return the table as it is now."""
        starts = self._parts.starts
        bounds = np.frombuffer(starts, dtype=np.uint32).astype(np.int64)
        sizes = bounds[1:] - bounds[:-1]
        pieces: list[bytes | memoryview] = []
        done = 0
        for bucket, records in sorted(self._changed.items()):
            written = b"".join(_written(fingerprint, entries) for fingerprint, entries in records.items())
            pieces += [self._parts.records[starts[done] : starts[bucket]], written]
            sizes[bucket] = len(written)
            done = bucket + 1
        pieces.append(self._parts.records[starts[done] :])
        return parts_of(starts_of(sizes), b"".join(pieces))

    def _records(self, bucket: int) -> dict[int, list[Entry]]:
        if bucket in self._changed:
            return self._changed[bucket]
        records = self._parts.records
        return {
            fingerprint: [(records[at], records[at + 1]) for at in places]
            for fingerprint, places in records_of(self._parts, bucket)
        }


def _written(fingerprint: int, entries: Sequence[Entry]) -> bytes:
    head = (fingerprint & 0xFF, fingerprint >> 8, len(entries))
    return bytes([*head, *(number for entry in entries for number in entry)])
