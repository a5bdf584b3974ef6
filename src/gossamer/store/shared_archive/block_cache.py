"""A local cache of parts of objects, bounded in bytes, for several processes of one machine.

Objects never change, so a block is valid for ever. Each is a file with a checksum in front: after a power failure it may
hold anything. The folder may be deleted at any time. Cost: a file system operation or two for each block.
"""

import fcntl
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import xxhash

BLOCK_BYTES = 1 << 19
MOST_BYTES = 2_000_000_000
_CHECKSUM_BYTES = 8
# A process sweeps when it has added this share. Sweeping to three quarters leaves room for four processes.
_ADDED_SHARE = 16
_KEPT_SHARE = 0.75


class BlockCache:
    """Blocks of objects by name and number; the least recently used ones are deleted."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._added_bytes = most_bytes
        """Since the last sweep; what earlier processes left is counted with the first block."""

    def get(self, name: str, number: int) -> bytes | None:
        """Return a block; None if it is not there."""
        path = self._locate(name, number)
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        block = content[_CHECKSUM_BYTES:]
        if xxhash.xxh3_64_digest(block) != content[:_CHECKSUM_BYTES]:
            path.unlink(missing_ok=True)
            return None
        return block

    def put(self, name: str, number: int, block: bytes) -> None:
        """Keep a block. A full disk is no error: then it is read from its store again."""
        path = self._locate(name, number)
        part = path.with_name(f".{os.urandom(8).hex()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(xxhash.xxh3_64_digest(block) + block)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            return
        self._added_bytes += len(block)
        if self._added_bytes >= self._most_bytes // _ADDED_SHARE:
            self._added_bytes = 0
            with suppress(OSError):
                self._sweep()

    def _sweep(self) -> None:
        """Delete the least recently used blocks, unless another process does."""
        with (self._folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = []
            for path in self._folder.glob("??/*"):
                with suppress(FileNotFoundError):
                    facts = path.stat()
                    found.append((facts.st_mtime_ns, facts.st_size, path))
            total = sum(size for _, size, _ in found)
            if total <= self._most_bytes * (1 - 1 / _ADDED_SHARE):
                return
            for _, size, path in sorted(found):
                if total <= self._most_bytes * _KEPT_SHARE:
                    break
                path.unlink(missing_ok=True)
                total -= size

    def _locate(self, name: str, number: int) -> Path:
        key = blake2b(f"{name}#{number}".encode(), digest_size=16).hexdigest()
        return self._folder / key[:2] / key[2:]
