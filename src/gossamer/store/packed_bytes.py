"""Texts or bytes as two arrays: all of them concatenated, and where each starts."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import make_damage_error

PackedBytes = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Concatenated texts or bytes, and the start of each; one more start marks the end of the last."""


def pack_bytes(column: Sequence[bytes | None]) -> PackedBytes:
    """Pack a column; raise `BadInput` if one of its values is something else."""
    try:
        packed = b"".join(column)  # type: ignore[arg-type]  # what is no bytes is damage
    except TypeError:
        raise make_damage_error("a table") from None
    sizes = np.fromiter(map(len, column), np.int64, len(column))  # type: ignore[arg-type]  # the same
    return np.frombuffer(packed, np.uint8), np.concatenate([[0], np.cumsum(sizes)])


def unpack_texts(packed: PackedBytes) -> list[str]:
    """Return packed texts as a list."""
    held, starts = packed[0].tobytes(), packed[1].tolist()
    return [held[start:end].decode("utf-8", "replace") for start, end in pairwise(starts)]


def pack_rows(rows: Iterable[Sequence[Any]], columns: str) -> list[Any]:
    """Turn rows into columns; `columns` has n for numbers and b for bytes or texts that came as bytes."""
    return [
        pack_bytes(column) if kind == "b" else _pack_numbers(column)
        for kind, column in zip(columns, zip(*rows, strict=True), strict=True)
    ]


def _pack_numbers(column: Sequence[Any]) -> NDArray[Any]:
    numbers = np.array(column)
    if numbers.dtype.kind not in "bif":
        raise make_damage_error("a table")
    return numbers
