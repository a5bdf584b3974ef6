"""The hashed table of a model: features, which are words and n-grams, and what each says of which languages.

A feature is found by its hash: the low bits say where to look, sixteen high bits whether it is the one, and the next
places are tried until one is empty. A wrong feature passes for the right one once in 30,000 times. What a feature says
is a run of entries: a language's number, and by how many tenths of a nat it is less likely than certain.
"""

from array import array
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

FNV_START = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3
MASK_64 = 0xFFFFFFFFFFFFFFFF
# Words and n-grams live in one table: each kind starts its hash elsewhere.
WORD_START = FNV_START
GRAM_START = 0x9AE16A3B2F90404F

OTHERS = 255
"""The number of the entry that holds for all languages which a word does not name."""
TENTHS = 10
"""Values count tenths of a nat, so that a byte reaches to e^-25.5."""


class Parts(NamedTuple):
    """A table as it is kept and handed over."""

    fingerprints: bytes
    """Sixteen bits of each place's hash, two bytes each."""
    counts: bytes
    """How many entries each place has; one without is empty."""
    languages: bytes
    values: bytes


class Table(NamedTuple):
    """A table as plain Python looks things up in it."""

    fingerprints: memoryview
    offsets: "array[int]"
    """Where each place's entries begin."""
    languages: bytes
    values: bytes


def opened(parts: Parts) -> Table:
    """Return the table of these parts."""
    offsets = array("I", accumulate(parts.counts, initial=0))
    return Table(memoryview(parts.fingerprints).cast("H"), offsets, parts.languages, parts.values)


def with_code(state: int, code: int) -> int:
    """Return a hash with one more character."""
    return ((state ^ code) * FNV_PRIME) & MASK_64


def hash_of(start: int, codes: Iterable[int]) -> int:
    """Return the hash of a row of characters."""
    for code in codes:
        start = with_code(start, code)
    return start


def place_and_fingerprint(state: int) -> tuple[int, int]:
    """Return where to begin looking, before it is cut to the size of the table, and what to look for."""
    return state ^ (state >> 32), (state >> 48) & 0xFFFF


def find(table: Table, state: int) -> range | None:
    """Return the places of the entries of a feature, or None when the table does not know it."""
    place, wanted = place_and_fingerprint(state)
    mask = len(table.fingerprints) - 1
    offsets = table.offsets
    while True:
        place &= mask
        first, end = offsets[place], offsets[place + 1]
        if first == end:
            return None
        if table.fingerprints[place] == wanted:
            return range(first, end)
        place += 1
