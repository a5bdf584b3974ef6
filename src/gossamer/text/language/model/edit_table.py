"""Changing single features of a table that `pack_table` made, or adding some."""

from collections.abc import Sequence

import numpy as np

from gossamer.text.language.model.feature_table import FeatureTable, make_table, read_records, split_key
from gossamer.text.language.model.pack_table import compute_starts

Entry = tuple[int, int]
"""The number of a language, or OTHERS, and its value."""


class TableEditor:
    """Collects changed features, and writes a new table."""

    def __init__(self, table: FeatureTable) -> None:
        self._table = table
        self._buckets = len(table.starts) - 1
        self._changed: dict[int, dict[int, list[Entry]]] = {}
        """The records of changed buckets, by fingerprint."""

    def find(self, key: int) -> list[Entry] | None:
        """Return the entries of a feature; None if it is not in the table."""
        bucket, fingerprint = split_key(key, self._buckets)
        return self._read_bucket(bucket).get(fingerprint)

    def set_entries(self, key: int, entries: Sequence[Entry]) -> None:
        """Set the entries of a feature."""
        bucket, fingerprint = split_key(key, self._buckets)
        if bucket not in self._changed:
            self._changed[bucket] = self._read_bucket(bucket)
        self._changed[bucket][fingerprint] = list(entries)

    def to_table(self) -> FeatureTable:
        """Return the table with all changes."""
        starts = self._table.starts
        bounds = np.frombuffer(starts, dtype=np.uint32).astype(np.int64)
        sizes = bounds[1:] - bounds[:-1]
        pieces: list[bytes | memoryview] = []
        done = 0
        for bucket, records in sorted(self._changed.items()):
            written = b"".join(
                _encode_record(fingerprint, entries) for fingerprint, entries in records.items()
            )
            pieces += [self._table.records[starts[done] : starts[bucket]], written]
            sizes[bucket] = len(written)
            done = bucket + 1
        pieces.append(self._table.records[starts[done] :])
        return make_table(compute_starts(sizes), b"".join(pieces))

    def _read_bucket(self, bucket: int) -> dict[int, list[Entry]]:
        if bucket in self._changed:
            return self._changed[bucket]
        records = self._table.records
        return {
            fingerprint: [(records[at], records[at + 1]) for at in places]
            for fingerprint, places in read_records(self._table, bucket)
        }


def _encode_record(fingerprint: int, entries: Sequence[Entry]) -> bytes:
    head = (fingerprint & 0xFF, fingerprint >> 8, len(entries))
    return bytes([*head, *(number for entry in entries for number in entry)])
