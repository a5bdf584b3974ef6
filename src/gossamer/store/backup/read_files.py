"""Read the files of a web into blocks; what did not change since the last back-up is neither read nor stored again."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from gossamer.errors import StoreFailed
from gossamer.store.backup.block_bundles import BlockBundles, split_digests
from gossamer.store.backup.byte_rate import ByteRate
from gossamer.store.backup.snapshot import KeptFile

STATE_BLOCK_BYTES = 32 << 10
"""Four pages of SQLite: with larger blocks a second back-up stores more, with smaller ones the lists grow."""
FILE_BLOCK_BYTES = 4 << 20


class FileReader:
    """Stores files as blocks, and knows those of the last back-up."""

    def __init__(
        self,
        bundles: BlockBundles,
        before: Mapping[str, KeptFile],
        rate: ByteRate,
        on_bytes: Callable[[int], None],
    ) -> None:
        self._bundles = bundles
        self._before = before
        self._rate = rate
        self._on_bytes = on_bytes
        self.read_bytes = 0
        """How many bytes of files were read."""

    def reuse(self, name: str, size: int, stamp: tuple[int, ...]) -> KeptFile | None:
        """Return the file as the last back-up has it, if the system says that it is the same and all blocks are there."""
        before = self._before.get(name)
        if before is None or not stamp or before.stamp != stamp or before.size != size:
            return None
        if not all(one in self._bundles for one in split_digests(before.digests)):
            return None
        self._on_bytes(size)
        return before

    def store_file(
        self,
        name: str,
        path: Path,
        size: int,
        stamp: tuple[int, ...] = (),
        block_bytes: int = FILE_BLOCK_BYTES,
    ) -> KeptFile:
        """Store the first bytes of a file; the result is smaller where bytes are missing.

        Where the last back-up has the same bytes, its blocks are used, wherever it ended: a WARC file grows at its end.
        """
        digests, done = [], 0
        sizes = self._list_sizes(name) if block_bytes == FILE_BLOCK_BYTES else []
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return KeptFile(name, 0, b"")
        except OSError as error:
            raise _explain(path, error) from None
        with file:
            while done < size:
                wanted = min(sizes.pop(0) if sizes else block_bytes, size - done)
                if not (data := _read_piece(file, wanted, path)):
                    break
                digests.append(self._bundles.add(data))
                done += len(data)
                self.read_bytes += len(data)
                self._rate.spend(len(data))
                self._on_bytes(len(data))
            status = os.fstat(file.fileno())
        return KeptFile(name, done, b"".join(digests), stamp, status.st_mode & 0o777, status.st_mtime_ns)

    def store_blocks(self, name: str, blocks: Iterable[bytes], stamp: tuple[int, ...] = ()) -> KeptFile:
        """Store blocks that were cut already."""
        digests, size = [], 0
        for data in blocks:
            digests.append(self._bundles.add(data))
            size += len(data)
            self.read_bytes += len(data)
            self._rate.spend(len(data))
            self._on_bytes(len(data))
        return KeptFile(name, size, b"".join(digests), stamp)

    def _list_sizes(self, name: str) -> list[int]:
        """Return the lengths of the blocks that the last back-up has of a file."""
        before = self._before.get(name)
        found = map(self._bundles.measure, split_digests(before.digests)) if before is not None else ()
        return [size for size in found if size]


def _read_piece(file: BinaryIO, size: int, path: Path) -> bytes:
    try:
        return file.read(size)
    except OSError as error:
        raise _explain(path, error) from None


def _explain(path: Path, error: OSError) -> StoreFailed:
    return StoreFailed(f"{path} could not be read: {error.strerror}")


def take_stamp(path: Path) -> tuple[int, ...]:
    """Return what the system says of a file: another file, or other bytes, would have another stamp; () if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
