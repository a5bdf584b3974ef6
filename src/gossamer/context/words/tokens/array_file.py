"""A file of named arrays and texts, mapped into memory: one file descriptor, and only what is read is loaded.

Layout: eight bytes that name the format, eight bytes with the length of a JSON header, the header, then the arrays, each at
a multiple of 64 bytes.
"""

import mmap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput

_MAGIC = b"gosswrd1"
_ALIGNMENT = 64
_HEAD_BYTES = 16


class _ArrayPlace(msgspec.Struct, frozen=True):
    """Where an array is in a file, and of which type it is."""

    type: str
    start: int
    length: int


class _Header(msgspec.Struct, frozen=True):
    """What a file holds."""

    arrays: dict[str, _ArrayPlace]
    facts: dict[str, Any]


class ArrayFile:
    """An open file of arrays; it stays readable after it was removed."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            if self._map[: len(_MAGIC)] != _MAGIC:
                raise ValueError("another format")
            end = _HEAD_BYTES + int.from_bytes(self._map[len(_MAGIC) : _HEAD_BYTES], "little")
            self._header = msgspec.json.decode(self._map[_HEAD_BYTES:end], type=_Header)
            for place in self._header.arrays.values():
                if place.start + place.length * np.dtype(place.type).itemsize > len(self._map):
                    raise ValueError("its end is missing")
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise BadInput(
                f"{path} cannot be read ({error}); remove its folder, and the words are read again"
            ) from None

    @property
    def facts(self) -> dict[str, Any]:
        """What was written beside the arrays."""
        return self._header.facts

    def release(self) -> None:
        """Give back the memory of what was read: a pass over many files would otherwise keep all of them."""
        self._map.madvise(mmap.MADV_DONTNEED)

    def get(self, name: str) -> NDArray[Any]:
        """Return an array, without reading it yet."""
        place = self._header.arrays[name]
        return np.frombuffer(self._map, np.dtype(place.type), place.length, place.start)

    def get_texts(self, name: str) -> "TextTable":
        """Return a table of texts."""
        return TextTable(self.get(f"{name}_bytes"), self.get(f"{name}_ends"))


class TextTable(Sequence[str]):
    """Texts by number, decoded when they are read."""

    def __init__(self, content: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self._content = content
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, at: Any) -> Any:
        start = int(self._ends[at - 1]) if at else 0
        return self._content[start : int(self._ends[at])].tobytes().decode()

    def read_all(self) -> list[str]:
        """Return all texts."""
        content, ends = self._content.tobytes(), self._ends.tolist()
        return [content[start:end].decode() for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return texts as the two arrays of a `TextTable`."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    return {f"{name}_bytes": np.frombuffer(b"".join(encoded), np.uint8), f"{name}_ends": ends}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write arrays and facts into a new file, atomically."""
    places, offset = {}, 0
    for name, array in arrays.items():
        places[name] = _ArrayPlace(array.dtype.str, offset, len(array))
        offset += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    header = b""
    for _ in range(3):  # places depend on the length of the header, which depends on the digits of the places
        base = -(-(_HEAD_BYTES + len(header)) // _ALIGNMENT) * _ALIGNMENT + _ALIGNMENT
        moved = {
            name: _ArrayPlace(place.type, place.start + base, place.length) for name, place in places.items()
        }
        header = msgspec.json.encode(_Header(moved, dict(facts)))
    with write_atomically(path) as new, new.open("wb") as file:
        file.write(_MAGIC + len(header).to_bytes(8, "little") + header)
        for name, array in arrays.items():
            file.seek(moved[name].start)
            file.write(np.ascontiguousarray(array).data)
        file.truncate(max(file.tell(), base + offset))
