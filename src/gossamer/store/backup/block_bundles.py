"""Blocks of bytes, named by their SHA-256 and kept in bundles, which are files that never change.

A bundle is the blocks one after the other, then a table of their digests and lengths. It gets its name when it is whole and
on the disk, so that a bundle is never half there: what a killed back-up had stored, the next one finds and does not store again.
"""

import hashlib
import os
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gossamer.atomic_file import write_atomically
from gossamer.errors import StoreFailed
from gossamer.full_disk import is_full_disk

BUNDLE_BYTES = 64 << 20
"""A larger bundle is ended: some thousand files for a web of a terabyte, and none takes long to write anew."""
DIGEST_BYTES = 32
_SUFFIX, _PART = ".bundle", ".part"
_DAMAGE = "damaged"
_ENTRY = struct.Struct("<32sI")
_END = struct.Struct("<I32s8s")
_MAGIC = b"GossBndl"
_MOST_OPEN = 16
Digest = bytes
_Place = tuple[str, int, int]
"""The name of a bundle, and where in it a block begins and how long it is."""


class BlockLost(Exception):  # noqa: N818 - callers decide which file it belongs to, and raise an error that says so
    """A block is missing or damaged."""


class BlockBundles:
    """The blocks in a folder. Cost: about 300 bytes of memory for each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written_bytes = 0
        """How many bytes of blocks were added."""
        self.damaged: list[str] = []
        """Bundles without a whole table; their blocks count as missing, and are stored again when they are needed."""
        self._places: dict[Digest, _Place] = {}
        self._open: dict[str, BinaryIO] = {}
        self._new: BinaryIO | None = None
        self._table: list[tuple[Digest, int]] = []
        self._size = 0
        self._known_damage = _read_damage(folder)
        for path in sorted(folder.glob(f"*{_SUFFIX}")):
            self._read_table(path)

    # Writing; the caller holds the lock of the back-up

    def remove_parts(self) -> None:
        """Remove what killed back-ups left of bundles that were not whole."""
        for path in self.folder.glob(f"*{_PART}"):
            path.unlink()

    def add(self, data: bytes) -> Digest:
        """Store a block unless it is there; return its digest."""
        digest = hashlib.sha256(data).digest()
        if digest not in self._places:
            if self._new is None:
                self._new = (self.folder / f"{os.urandom(8).hex()}{_PART}").open("xb")
            self._new.write(data)
            self._places[digest] = (self._new.name, self._size, len(data))
            self._table.append((digest, len(data)))
            self._size += len(data)
            self.written_bytes += len(data)
            if self._size >= BUNDLE_BYTES:
                self.flush()
        return digest

    def flush(self) -> None:
        """Have all added blocks on the disk."""
        if self._new is None:
            return
        file, self._new = self._new, None
        table = b"".join(_ENTRY.pack(digest, length) for digest, length in self._table)
        with file:
            file.write(table + _END.pack(len(self._table), hashlib.sha256(table).digest(), _MAGIC))
            file.flush()
            os.fsync(file.fileno())
        path = Path(file.name).with_suffix(_SUFFIX)
        Path(file.name).rename(path)
        sync_folder(self.folder)
        for digest, _ in self._table:
            self._places[digest] = (path.name, *self._places[digest][1:])
        self._table, self._size = [], 0

    def remove_others(self, needed: Collection[Digest]) -> int:
        """Delete the blocks that are not needed where that frees half a bundle; return how many bytes were freed.

        What is needed of a bundle is written into a new one first, so that a kill at any moment loses nothing.
        """
        bundles: dict[str, list[tuple[Digest, int]]] = {}
        for digest, (name, _, length) in self._places.items():
            bundles.setdefault(name, []).append((digest, length))
        freed = 0
        for name, blocks in bundles.items():
            kept = [digest for digest, _ in blocks if digest in needed]
            size = sum(length for digest, length in blocks if digest in needed)
            whole = (self.folder / name).stat().st_size
            if 2 * size <= whole:
                self._move_out([digest for digest, _ in blocks], kept)
                (self.folder / name).unlink()
                freed += whole - size
        for name in self.damaged:
            (self.folder / name).unlink(missing_ok=True)
        return freed

    def _move_out(self, blocks: list[Digest], kept: list[Digest]) -> None:
        held: list[bytes] = []
        for digest in kept:
            with suppress(BlockLost):  # lost already, and verifying says so
                held.append(self.read(digest))
        for digest in blocks:
            del self._places[digest]
        before = self.written_bytes
        for data in held:
            self.add(data)
        self.flush()
        self.written_bytes = before

    # Reading

    def __contains__(self, digest: Digest) -> bool:
        return digest in self._places

    def __len__(self) -> int:
        return len(self._places)

    def measure(self, digest: Digest) -> int:
        """Return the length of a block; 0 if it is missing."""
        return self._places.get(digest, ("", 0, 0))[2]

    def read(self, digest: Digest) -> bytes:
        """Return a block, checked by its digest; raise BlockLost if it is missing or damaged."""
        if digest not in self._places:
            raise BlockLost(digest.hex())
        name, offset, length = self._places[digest]
        try:
            data = os.pread(self._open_bundle(name).fileno(), length, offset)
        except OSError as error:
            raise BlockLost(f"{name}: {error.strerror}") from None
        if hashlib.sha256(data).digest() != digest:
            raise BlockLost(f"{name} at {offset}")
        return data

    def list_blocks(self) -> Mapping[Digest, _Place]:
        """Return all blocks and where they are."""
        return self._places

    def note_damage(self, digests: Iterable[Digest]) -> None:
        """Remember that blocks are damaged where they are, so that the next back-up stores them again."""
        found = {self._places.pop(digest)[:2] for digest in digests if digest in self._places}
        if found:
            self._known_damage |= found
            lines = "".join(f"{name} {offset}\n" for name, offset in sorted(self._known_damage))
            with write_atomically(self.folder / _DAMAGE) as new:
                new.write_text(lines, "utf-8")

    def close(self) -> None:
        """Close the files; blocks that were not flushed are lost."""
        for file in self._open.values():
            file.close()
        self._open.clear()
        if self._new is not None:
            self._new.close()

    def _open_bundle(self, name: str) -> BinaryIO:
        if name not in self._open:
            if self._new is not None:
                self._new.flush()
            while len(self._open) >= _MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            self._open[name] = (self.folder / name).open("rb")
        return self._open[name]

    def _read_table(self, path: Path) -> None:
        table = _read_end(path)
        if table is None:
            self.damaged.append(path.name)
            return
        offset = 0
        for digest, length in _ENTRY.iter_unpack(table):
            if (path.name, offset) not in self._known_damage:
                self._places[digest] = (path.name, offset, length)
            offset += length


def _read_damage(folder: Path) -> set[tuple[str, int]]:
    """Return the places of blocks that were found damaged."""
    try:
        lines = (folder / _DAMAGE).read_text("utf-8").split("\n")
    except FileNotFoundError:
        return set()
    pairs = (line.partition(" ") for line in lines)
    return {(name, int(offset)) for name, _, offset in pairs if offset.isdecimal()}


def _read_end(path: Path) -> bytes | None:
    """Return the table of a bundle; None if it is not whole."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < _END.size:
            return None
        end = os.pread(file.fileno(), _END.size, size - _END.size)
        number, digest, magic = _END.unpack(end)
        begin = size - _END.size - number * _ENTRY.size
        if magic != _MAGIC or begin < 0:
            return None
        table = os.pread(file.fileno(), number * _ENTRY.size, begin)
    return table if hashlib.sha256(table).digest() == digest else None


def split_digests(digests: bytes) -> Iterator[Digest]:
    """Yield the digests of a file, which are stored one after the other."""
    for at in range(0, len(digests), DIGEST_BYTES):
        yield digests[at : at + DIGEST_BYTES]


def sync_folder(folder: Path) -> None:
    """Have the names of files on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def explain_failure(folder: Path, error: OSError) -> StoreFailed:
    """Return an exception that says why a folder could not be written."""
    why = "the disk is full" if is_full_disk(error) else error.strerror or str(error)
    return StoreFailed(f"{folder} could not be written: {why}", is_full_disk(error))
