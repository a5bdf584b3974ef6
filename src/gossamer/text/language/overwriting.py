"""A table that can be written into: what `packing` makes once of all features, with single ones changed or added."""

from collections.abc import Sequence

import numpy as np

from gossamer.text.language.tables import Parts, place_and_fingerprint

Entry = tuple[int, int]
"""A language's number, or that of all others, and its value."""

# Fuller, and looking for what is not there would take long. Packed tables have at most 0.7. They cannot grow, as whole
# hashes are not known any more; a table of a million places has room for 150,000 words and more.
_FULL = 0.85


class Overwritten:
    """The features of a table by their hashes, as they will be."""

    def __init__(self, parts: Parts) -> None:
        self._fingerprints = np.frombuffer(parts.fingerprints, dtype=np.uint16).copy()
        self._counts = np.frombuffer(parts.counts, dtype=np.uint8).copy()
        self._offsets = np.concatenate(([0], np.cumsum(self._counts, dtype=np.int64)))
        self._languages = np.frombuffer(parts.languages, dtype=np.uint8)
        self._values = np.frombuffer(parts.values, dtype=np.uint8)
        self._changed: dict[int, list[Entry]] = {}
        self._filled = int(np.count_nonzero(self._counts))

    def find(self, key: int) -> list[Entry] | None:
        """Return the entries of a feature; None if the table does not have it."""
        place, is_there = self._place(key)
        if not is_there:
            return None
        if place in self._changed:
            return self._changed[place]
        own = slice(self._offsets[place], self._offsets[place + 1])
        return list(zip(self._languages[own].tolist(), self._values[own].tolist(), strict=True))

    def put(self, key: int, entries: Sequence[Entry]) -> None:
        """Give a feature these entries, and a place if it has none; once the table is full, new ones are left out."""
        place, is_there = self._place(key)
        if not is_there:
            if self._filled >= _FULL * len(self._counts):
                return
            self._fingerprints[place] = place_and_fingerprint(key)[1]
            self._filled += 1
        self._counts[place] = len(entries)
        self._changed[place] = list(entries)

    def parts(self) -> Parts:
        """Return the table as it is now."""
        counts = self._counts.astype(np.int64)
        offsets = np.concatenate(([0], np.cumsum(counts)))
        languages = np.zeros(offsets[-1], dtype=np.uint8)
        values = np.zeros(offsets[-1], dtype=np.uint8)
        before = np.diff(self._offsets)
        stays = np.ones(len(before), dtype=bool)
        stays[list(self._changed)] = False
        kept = np.repeat(stays, before)
        moved = np.repeat(offsets[:-1] - self._offsets[:-1], before) + np.arange(len(kept))
        languages[moved[kept]], values[moved[kept]] = self._languages[kept], self._values[kept]
        for place, entries in self._changed.items():
            own = slice(offsets[place], offsets[place + 1])
            languages[own], values[own] = zip(*entries, strict=True)
        return Parts(
            self._fingerprints.tobytes(), self._counts.tobytes(), languages.tobytes(), values.tobytes()
        )

    def _place(self, key: int) -> tuple[int, bool]:
        """Return where a feature is or could be put, and whether it is there."""
        place, wanted = place_and_fingerprint(key)
        mask = len(self._counts) - 1
        place &= mask
        while self._counts[place]:
            if self._fingerprints[place] == wanted:
                return place, True
            place = (place + 1) & mask
        return place, False
