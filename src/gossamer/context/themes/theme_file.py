"""The file that holds the themes of a web: what people see of them, and what a refresh needs.

It is one file, so that a refresh replaces all of it or nothing. It begins with what people see; the arrays behind that are mapped
into memory when a refresh or a search needs them.
"""

import mmap
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.atomic_file import write_atomically
from gossamer.context.themes.term_space import TermSpace
from gossamer.context.themes.theme_records import Themes
from gossamer.errors import StoreFailed
from gossamer.full_disk import is_full_disk

FOLDER, FILE = "themes", "themes.bin"
PAGE_ROW = np.dtype(
    [
        *(("id", "<i8"), ("stamp", "<i8"), ("simhash", "<i8"), ("words", "<i4"), ("site", "<i4")),
        *(("likeness", "<f4"), ("theme", "<i2"), ("language", "<i2"), ("linked", "u1")),
    ]
)
"""What is known of a page; its theme is the position of a middle, -1 for none."""
_MAGIC = b"gossamer themes 1\n"
_HEAD = len(_MAGIC) + 16


class ThemeState(msgspec.Struct, frozen=True, eq=False):
    """The themes of a web with everything that a refresh needs."""

    themes: Themes
    pages: NDArray[np.void]
    """A `PAGE_ROW` for each page, ascending by id."""
    vectors: NDArray[np.float16]
    """The places of the pages, by their texts alone; at most of length 1."""
    middles: NDArray[np.float32]
    numbers: NDArray[np.int64]
    """The number of the theme of each middle."""
    space: TermSpace
    sites: list[str]
    languages: list[str]
    least: float = 0.0
    """Pages with links whose place is shorter have no theme: their words and their links disagree."""


class _Part(msgspec.Struct, frozen=True):
    name: str
    kind: Any
    shape: tuple[int, ...]
    begin: int
    size: int
    check: int


class _Head(msgspec.Struct, frozen=True):
    themes: Themes
    parts: tuple[_Part, ...]
    sure: float = 0.0
    least: float = 0.0
    """Of the space and of the state; files of earlier versions lack both, and each page has a theme."""


def write_state(state: ThemeState, path: Path) -> None:
    """Write the themes of a web atomically: readers see the old ones or the new ones."""
    terms = sorted(state.space.terms, key=state.space.terms.__getitem__)
    arrays = {
        "pages": state.pages,
        "vectors": state.vectors,
        "middles": state.middles,
        "numbers": state.numbers,
        "weights": state.space.weights,
        "places": state.space.places,
        "terms": _pack(terms),
        "sites": _pack(state.sites),
        "languages": _pack(state.languages),
    }
    parts, begin = [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array)
        check = zlib.crc32(content.tobytes() if content.dtype.fields else content.data)
        kind = content.dtype.descr if content.dtype.fields else content.dtype.str
        parts.append(_Part(name, kind, content.shape, begin, content.nbytes, check))
        begin += content.nbytes
    head = msgspec.msgpack.encode(_Head(state.themes, tuple(parts), state.space.sure, state.least))
    sizes = len(head).to_bytes(8, "little") + zlib.crc32(head).to_bytes(8, "little")
    try:
        path.parent.mkdir(exist_ok=True)
        with write_atomically(path) as new, new.open("wb") as file:
            file.write(_MAGIC + sizes + head)
            for array in arrays.values():
                file.write(np.ascontiguousarray(array).tobytes())
    except OSError as error:
        raise StoreFailed(
            f"the themes could not be written: {error.strerror or error}", is_full_disk(error)
        ) from error


def read_themes(path: Path) -> Themes | None:
    """Return the themes in a file; None if there is none. Cost: a millisecond."""
    found = _read_head(path)
    return found[0].themes if found is not None else None


def read_state(path: Path) -> ThemeState | None:
    """Return the themes in a file with their arrays, mapped into memory; None if there is none."""
    found = _read_head(path)
    if found is None:
        return None
    head, first = found
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        arrays = {part.name: _map_part(content, part, first, path) for part in head.parts}
        terms = {term: number for number, term in enumerate(_unpack(arrays["terms"]))}
        return ThemeState(
            head.themes,
            arrays["pages"],
            arrays["vectors"],
            arrays["middles"],
            arrays["numbers"],
            TermSpace(terms, arrays["weights"], arrays["places"], head.sure),
            _unpack(arrays["sites"]),
            _unpack(arrays["languages"]),
            head.least,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise make_damage_error(path) from error


def make_damage_error(path: Path) -> StoreFailed:
    """Return the error for a file of themes that cannot be read."""
    return StoreFailed(f"the themes in {path} are damaged: `gossamer themes --anew` finds them again")


def _read_head(path: Path) -> tuple[_Head, int] | None:
    """Return what a file begins with, and where its arrays begin."""
    try:
        with path.open("rb") as file:
            begin = file.read(_HEAD)
            size = int.from_bytes(begin[-16:-8], "little")
            packed = file.read(size) if begin.startswith(_MAGIC) and len(begin) == _HEAD else b""
            total = file.seek(0, 2)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFailed(f"{path} could not be read: {error.strerror}") from None
    if not packed or zlib.crc32(packed) != int.from_bytes(begin[-8:], "little"):
        raise make_damage_error(path)
    try:
        head = msgspec.msgpack.decode(packed, type=_Head)
    except msgspec.MsgspecError as error:
        raise make_damage_error(path) from error
    if total != _HEAD + size + sum(part.size for part in head.parts):
        raise make_damage_error(path)
    return head, _HEAD + size


def _map_part(content: mmap.mmap, part: _Part, first: int, path: Path) -> NDArray[Any]:
    kind = np.dtype([tuple(one) for one in part.kind] if isinstance(part.kind, list) else part.kind)
    count = part.size // kind.itemsize
    raw = memoryview(content)[first + part.begin : first + part.begin + part.size]
    if zlib.crc32(raw) != part.check:
        raise make_damage_error(path)
    return np.frombuffer(raw, kind, count).reshape(part.shape) if count else np.empty(part.shape, kind)


def _pack(texts: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(msgspec.msgpack.encode(texts), np.uint8)


def _unpack(packed: NDArray[np.uint8]) -> list[str]:
    try:
        return msgspec.msgpack.decode(packed.tobytes(), type=list[str])
    except msgspec.MsgspecError as error:
        raise ValueError("not a list of texts") from error
