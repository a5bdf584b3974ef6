"""Records sorted into drawers on disk: more of them than memory holds, a drawer at a time.

Drawers stand in the order of what their records are of, so that those of one page lie together, and what is made of drawer
after drawer is in order altogether.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A drawer of four million links takes 120 MB, and 300 while it is sorted.
_MOST_IN_A_DRAWER = 4_000_000
_MOST_BITS = 10
_ID_BITS = 64

Records = NDArray[np.void]


class Drawers:
    """Drawers for records of one kind, which have a 64-bit `target`; ids of pages fill them evenly."""

    def __init__(self, folder: Path, name: str, kind: "np.dtype[Any]", expected: int) -> None:
        self._folder = folder
        self._expected = expected
        self._kind = kind
        bits = min(_MOST_BITS, (expected // _MOST_IN_A_DRAWER).bit_length())
        self._shift = np.int64(_ID_BITS - bits) if bits else None
        self._paths = [folder / f"{name}-{number}" for number in range(1 << bits)]
        self.records = 0
        """How many were put in."""

    def like(self, name: str, kind: "np.dtype[Any]") -> "Drawers":
        """Return as many drawers for records of another kind."""
        return Drawers(self._folder, name, kind, self._expected)

    def __len__(self) -> int:
        return len(self._paths)

    def put(self, records: Records) -> None:
        """Put each record into its drawer."""
        if self._shift is None:
            self.add(0, records)
            return
        # Of 16 bits: numpy sorts these in one pass over them.
        of = ((records["target"] >> self._shift) + len(self) // 2).astype(np.uint16)
        order = np.argsort(of, kind="stable")
        ends = np.cumsum(np.bincount(of, minlength=len(self)))
        for drawer, part in enumerate(np.split(records.take(order), ends[:-1])):
            if len(part):
                self.add(drawer, part)

    def add(self, drawer: int, records: Records) -> None:
        """Put records into one drawer, which is known to be theirs."""
        self.records += len(records)
        with self._paths[drawer].open("ab") as file:
            records.tofile(file)

    def taken(self, drawer: int) -> Records:
        """Return what is in a drawer, and empty it."""
        path = self._paths[drawer]
        if not path.exists():
            return np.empty(0, self._kind)
        found = np.fromfile(path, self._kind)
        path.unlink()
        return found
