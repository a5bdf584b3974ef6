"""Find texts that are equal or nearly equal to an earlier one, by sorting on disk, so that memory stays bounded.

Two texts are nearly equal if four fifths of their words are equal. Candidates are found by minimal hashes of their words
(Broder 1997), three to a band, eight bands: texts that have 0.8 of their words in common share a band 997 times in 1,000.
Candidates are then compared. A dropped text does not count as an earlier one. Memory: one bucket of keys, a byte
for each text, and eight for each pair of near duplicates.
"""

import struct
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from gossamer.store.export.compare_words import compare_candidates, hash_words, make_band_keys

Keys = NDArray[np.uint64]
Number = TypeVar("Number", bound=np.generic)

LEAST_IN_COMMON = 0.8
"""The share of the words of two texts together that both must have."""
_BANDS = 8
_ROWS = 3
_BUCKETS = 64
"""Keys are sorted in this many buckets, one in memory at a time: 20 MB each for ten million texts."""
_BUFFERED = 4_096
_MOST_TEXTS = 1 << 32
# In a large group of candidates only the first few are compared: frequent words make large groups of different texts.
_MOST_COMPARED = 16
# Repetitions of this many recent texts, mostly boilerplate, are found in memory.
_RECENT = 100_000
_HASH_BYTES = 4

# A key and the number of a text.
_PAIR = struct.Struct("=QQ")
_FACTORS = np.random.default_rng(4_8).integers(1, 1 << 63, size=(_BANDS, _ROWS), dtype=np.uint64) * 2 + 1


class NearDuplicates:
    """Takes texts one by one, and finds in the end which of them are new."""

    def __init__(self, folder: Path) -> None:
        self._exact = _KeyBuckets(folder, "exact")
        self._near = _KeyBuckets(folder, "near")
        self._words_path = folder / "words"
        self._words = self._words_path.open("wb")
        self._ends_path = folder / "ends"
        self._ends = self._ends_path.open("wb")
        self._end = 0
        self._count = 0
        self._recent: set[int] = set()

    def add(self, digest: int, text: str) -> bool:
        """Add a text and its digest; return whether it may be new, in which case it gets the next number."""
        if digest in self._recent:
            return False
        if len(self._recent) >= _RECENT:
            self._recent.clear()
        self._recent.add(digest)
        words = hash_words(text)
        self._exact.add(_PAIR.pack(digest & 0xFFFFFFFFFFFFFFFF, self._count))
        self._near.add(make_band_keys(words, _FACTORS, self._count))
        self._words.write(words)
        self._end += len(words) // _HASH_BYTES
        self._ends.write(self._end.to_bytes(8, "little"))
        self._count += 1
        return True

    def find_new(self) -> NDArray[np.bool_]:
        """Return for each number whether no earlier text is equal or nearly equal."""
        self._words.close()
        self._ends.close()
        new = np.ones(self._count, np.bool_)
        for pairs in self._exact.read_buckets():
            is_repeated = pairs[1:, 0] == pairs[:-1, 0]
            new[pairs[1:, 1][is_repeated]] = False
        for pair in self._find_alike(new).tolist():
            later, earlier = divmod(pair, _MOST_TEXTS)
            new[later] &= not new[earlier]
        return new

    def close(self) -> None:
        """Close all files, whether or not everything was written."""
        for file in (self._words, self._ends, *self._exact.files, *self._near.files):
            with suppress(OSError):  # the disk is full
                file.close()

    def _find_alike(self, new: NDArray[np.bool_]) -> Keys:
        """Return sorted pairs of nearly equal texts: the later number times `_MOST_TEXTS` plus the earlier."""
        words, ends = _map_file(self._words_path, np.uint32), _map_file(self._ends_path, np.uint64)
        alike = array("Q")
        for pairs in self._near.read_buckets():
            alike += compare_candidates(
                pairs, words, ends, new.view(np.uint8), LEAST_IN_COMMON, _MOST_COMPARED
            )
        return np.unique(np.array(alike, np.uint64))


class _KeyBuckets:
    """Keys and text numbers on disk, in buckets by key, so that equal keys are in the same bucket."""

    def __init__(self, folder: Path, name: str) -> None:
        self._paths = [folder / f"{name}-{bucket}" for bucket in range(_BUCKETS)]
        self.files: list[BinaryIO] = [path.open("wb") for path in self._paths]
        self._waiting = bytearray()

    def add(self, pairs: bytes) -> None:
        """Add pairs of a key and the number of a text; numbers ascend."""
        self._waiting += pairs
        if len(self._waiting) >= _BUFFERED * _PAIR.size:
            self._write()

    def _write(self) -> None:
        pairs = np.frombuffer(bytes(self._waiting), np.uint64).reshape(-1, 2)
        self._waiting.clear()
        buckets = (pairs[:, 0] % _BUCKETS).astype(np.uint8)
        pairs = pairs[np.argsort(buckets, kind="stable")]
        ends = np.cumsum(np.bincount(buckets, minlength=_BUCKETS))
        for file, in_bucket in zip(self.files, np.split(pairs, ends[:-1]), strict=True):
            file.write(in_bucket.tobytes())

    def read_buckets(self) -> Iterator[Keys]:
        """Yield the pairs of each bucket, sorted by key, and by number where keys are equal."""
        self._write()
        for file, path in zip(self.files, self._paths, strict=True):
            file.close()
            pairs = np.fromfile(path, np.uint64).reshape(-1, 2)
            path.unlink()
            yield pairs[np.argsort(pairs[:, 0], kind="stable")]  # numbers were written in order


def _map_file(path: Path, kind: type[Number]) -> NDArray[Number]:
    """Map a file of numbers into memory; an empty file, which cannot be mapped, becomes an empty array."""
    return np.memmap(path, kind, "r") if path.stat().st_size else np.empty(0, kind)
