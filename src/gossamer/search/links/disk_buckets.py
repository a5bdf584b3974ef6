"""Sort more records than fit into memory into buckets on disk, and read them back bucket by bucket.

Buckets divide the range of targets: all records of one page are in one bucket, and results computed
bucket after bucket are in ascending order of their targets.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A bucket of four million links takes 120 MB, and 300 MB while it is sorted.
_MOST_IN_A_BUCKET = 4_000_000
_MOST_BITS = 10
_ID_BITS = 64

Records = NDArray[np.void]


class DiskBuckets:
    """Buckets for records of one type with a 64-bit `target`; page ids fill them evenly."""

    def __init__(self, folder: Path, name: str, kind: "np.dtype[Any]", expected: int) -> None:
        self._folder = folder
        self._expected = expected
        self._kind = kind
        bits = min(_MOST_BITS, (expected // _MOST_IN_A_BUCKET).bit_length())
        self._shift = np.int64(_ID_BITS - bits) if bits else None
        self._paths = [folder / f"{name}-{number}" for number in range(1 << bits)]
        self.records = 0
        """How many records were added."""

    def make_like(self, name: str, kind: "np.dtype[Any]") -> "DiskBuckets":
        """Return the same number of buckets for records of another type."""
        return DiskBuckets(self._folder, name, kind, self._expected)

    def __len__(self) -> int:
        return len(self._paths)

    def distribute(self, records: Records) -> None:
        """Add each record to its bucket."""
        if self._shift is None:
            self.add(0, records)
            return
        # 16 bits, since numpy sorts these in one pass.
        of = ((records["target"] >> self._shift) + len(self) // 2).astype(np.uint16)
        order = np.argsort(of, kind="stable")
        ends = np.cumsum(np.bincount(of, minlength=len(self)))
        for bucket, part in enumerate(np.split(records.take(order), ends[:-1])):
            if len(part):
                self.add(bucket, part)

    def add(self, bucket: int, records: Records) -> None:
        """Add records to one bucket; the caller knows that they belong there."""
        self.records += len(records)
        with self._paths[bucket].open("ab") as file:
            records.tofile(file)

    def take(self, bucket: int) -> Records:
        """Return the records of a bucket, and empty it."""
        path = self._paths[bucket]
        if not path.exists():
            return np.empty(0, self._kind)
        found = np.fromfile(path, self._kind)
        path.unlink()
        return found
