"""Rows of numbers that are mostly zero, and their products with dense matrices."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

Dense = NDArray[np.float32]
Vectors = NDArray[np.float32] | NDArray[np.float16]
"""Places of pages; those of all pages are kept with half the precision."""

_AT_ONCE = 200_000
"""How many numbers of the rows are multiplied at once: 50 MB for products with 64 columns."""


class SparseRows(msgspec.Struct, frozen=True, eq=False):
    """Rows of numbers, of which only those that are not zero are stored."""

    starts: NDArray[np.int64]
    """Where each row begins, and where the last ends."""
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    width: int

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    def multiply(self, matrix: Vectors) -> Dense:
        """Return the product with a dense matrix. Cost: O(stored numbers · its columns)."""
        result = np.zeros((self.height, matrix.shape[1]), np.float32)
        for first, last in self._split():
            begin, end = self.starts[first], self.starts[last]
            terms = matrix[self.columns[begin:end]] * self.values[begin:end, None]
            filled = np.flatnonzero(np.diff(self.starts[first : last + 1])) + first
            if len(filled):
                result[filled] = np.add.reduceat(terms, self.starts[filled] - begin, axis=0)
        return result

    def turn(self) -> "SparseRows":
        """Return the transposed rows."""
        order = np.argsort(self.columns, kind="stable")
        rows = np.repeat(np.arange(self.height, dtype=np.int32), np.diff(self.starts))
        counts = np.bincount(self.columns, minlength=self.width)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return SparseRows(starts, rows[order], self.values[order], self.height)

    def scale_to_length_1(self) -> "SparseRows":
        """Return rows of length 1; empty rows stay empty."""
        sizes = np.diff(self.starts)
        rows = np.repeat(np.arange(self.height), sizes)
        lengths = np.sqrt(np.bincount(rows, self.values.astype(np.float64) ** 2, self.height))
        values = self.values / np.where(lengths > 0, lengths, 1)[rows]
        return SparseRows(self.starts, self.columns, values.astype(np.float32), self.width)

    def _split(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of rows with few enough numbers."""
        first = 0
        while first < self.height:
            limit = self.starts[first] + _AT_ONCE
            last = max(first + 1, int(np.searchsorted(self.starts, limit, "right")) - 1)
            yield first, min(last, self.height)
            first = last


def join_rows(rows: Sequence[tuple[list[int], list[float]]], width: int) -> SparseRows:
    """Return rows, each given by its columns and their values."""
    starts = np.concatenate([[0], np.cumsum([len(columns) for columns, _ in rows])]).astype(np.int64)
    columns = np.array([column for one, _ in rows for column in one], np.int32)
    values = np.array([value for _, one in rows for value in one], np.float32)
    return SparseRows(starts, columns, values, width)


def normalise(matrix: Dense) -> Dense:
    """Return rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: Dense = (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
