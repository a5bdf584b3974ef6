"""Node and edge files as lines of text: the format of Schmitz 2001 (section 6.1.2), CSV, edge lists."""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.files import parse_lines
from gossamer.graph.node_names import PackedNames

Ids = NDArray[np.int32] | NDArray[np.int64]

_AT_ONCE_BYTES = 1 << 22
# The shortest lines, `1,2` and `1,`, with a newline.
_SHORTEST_EDGE_BYTES, _SHORTEST_NODE_BYTES = 4, 3
_LONGEST_HEADING_BYTES = 1 << 12
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_EMPTY_OR_COMMENT = re.compile(rb"[ \t]*(?:[#%].*)?\r?\n?", re.DOTALL)
_COLUMN = re.compile(rb"[ \t]*([\"']?)([A-Za-z_][\w .:-]*)\1[ \t\r\n]*", re.ASCII)
_NO_VALUES = {b"nan", b"null", b"none", b"na", b"inf", b"infinity"}
_SHOWN_BYTES = 80


class EdgeLines:
    """Reads the edges of a file of lines `from,to`; the first line may name the columns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Untouched parts of an array take no memory, so it can be sized for the worst case.
        self._room = path.stat().st_size // _SHORTEST_EDGE_BYTES + 1
        self._ends: list[Ids] = [np.empty(self._room, np.int32) for _ in range(2)]
        self._count = 0
        self._line = 1

    def read(self) -> tuple[Ids, Ids]:
        """Return sources and targets, with 32 bits if all ids fit."""
        with self._path.open("rb") as file:
            self._line = _skip_heading(file)
            _parse_in_pieces(file, self._parse_piece)
        sources, targets = (ids[: self._count] for ids in self._ends)
        return sources, targets

    def _parse_piece(self, piece: memoryview) -> int:
        sources, targets = self._ends
        ended, used, self._count, self._line = parse_lines.parse_edges(
            piece, sources, targets, self._count, self._line
        )
        if ended == parse_lines.BAD:
            shown = _show_line(piece[used:])
            raise BadInput(f"{self._path}, line {self._line}: {shown} is not two whole numbers of 64 bits")
        if ended == parse_lines.WIDE:
            self._ends = [self._widen(ids) for ids in self._ends]
            return used + self._parse_piece(piece[used:])
        return used

    def _widen(self, ids: Ids) -> Ids:
        wide = np.empty(self._room, np.int64)
        wide[: self._count] = ids[: self._count]
        return wide


class NodeLines:
    """Reads the nodes of a file of lines `id,"name"`; the first line may name the columns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        size = path.stat().st_size
        room = size // _SHORTEST_NODE_BYTES + 2
        self._ids = np.empty(room, np.int64)
        self._starts = np.zeros(room + 1, np.int64)
        self._text = np.empty(size + 2, np.uint8)
        self._count = 0
        self._line = 1

    def read(self) -> tuple[NDArray[np.int64], PackedNames]:
        """Return the ids and names of nodes, in the order of the file."""
        with self._path.open("rb") as file:
            self._line = _skip_heading(file)
            left = _parse_in_pieces(file, self._parse_piece)
        if left:
            raise BadInput(
                f"{self._path}, line {self._line}: {_show_line(left)} has a quote that is never closed"
            )
        starts = self._starts[: self._count + 1]
        return self._ids[: self._count], PackedNames(starts, self._text[: starts[-1]])

    def _parse_piece(self, piece: memoryview) -> int:
        into = (self._ids, self._starts, self._text)
        ended, used, self._count, self._line = parse_lines.parse_nodes(piece, *into, self._count, self._line)
        if ended == parse_lines.BAD:
            shown = _show_line(piece[used:])
            raise BadInput(f'{self._path}, line {self._line}: {shown} is not of the form id,"name"')
        return used


def find_edge_line(path: Path, at: int) -> int:
    """Return the line number of an edge, for an error message. Cost: reads all lines before it."""
    with path.open("rb") as file:
        first = _skip_heading(file)
        edge_lines = (
            number for number, line in enumerate(file, first) if not _EMPTY_OR_COMMENT.fullmatch(line)
        )
        return next(islice(edge_lines, at, None))


def _parse_in_pieces(file: BinaryIO, take: Callable[[memoryview], int]) -> bytes:
    """Parse the rest of a file in pieces of whole lines; return the text that was not consumed."""
    room = bytearray(_AT_ONCE_BYTES)
    filled = 0
    while more := file.readinto(memoryview(room)[filled:]):  # type: ignore[attr-defined]  # files have it
        filled += more
        whole = room.rfind(b"\n", 0, filled) + 1
        used = take(memoryview(room)[:whole]) if whole else 0
        room[: filled - used] = room[used:filled]
        filled -= used
        if 2 * filled > len(room):
            room += bytes(len(room))
    rest = bytes(room[:filled])
    if rest and not rest.endswith(b"\n"):
        rest += b"\n"
    return rest[take(memoryview(rest)) :] if rest else b""


def _skip_heading(file: BinaryIO) -> int:
    """Go to the first line after the column names, if any; return its number."""
    begin = file.tell()
    if file.read(len(_BYTE_ORDER_MARK)) != _BYTE_ORDER_MARK:
        file.seek(begin)
    number = 1
    while True:
        begin = file.tell()
        line = file.readline(_LONGEST_HEADING_BYTES)
        if _is_heading(line):
            return number + 1
        if not line or not _EMPTY_OR_COMMENT.fullmatch(line):
            file.seek(begin)
            return number
        number += 1


def _is_heading(line: bytes) -> bool:
    """Return whether a line holds column names, and not placeholders for missing values."""
    columns = [_COLUMN.fullmatch(field) for field in re.split(rb"[,;\t]| (?=\S)", line)]
    names = [column[2].lower() for column in columns if column]
    return len(names) == len(columns) >= 2 and _NO_VALUES.isdisjoint(names)


def _show_line(text: bytes | memoryview) -> str:
    """Return the beginning of a line, quoted for an error message."""
    line, ends, _ = bytes(text[:_SHOWN_BYTES]).partition(b"\n")
    return repr(line.rstrip(b"\r").decode("utf-8", "replace") + ("" if ends else "…"))
