"""The hashed table of a model: features, which are words and n-grams, and what each says of which languages.

A feature is found by its hash: the low bits say in which bucket it is, sixteen high bits which record of that is its own. A
wrong feature passes for the right one once in 20,000 times. A record has these two bytes, the number of its entries, and
the entries: a language's number, and by how many tenths of a nat it is less likely than certain. All of it lies in a file
as it is looked up, so that a model is mapped into memory and need not be read.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

FNV_START = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3
MASK_64 = 0xFFFFFFFFFFFFFFFF
# Words and n-grams live in one table: each kind starts its hash elsewhere, and the first bit of a key tells them apart.
WORD_START = FNV_START
GRAM_START = 0x9AE16A3B2F90404F
IS_WORD = 1 << 63

OTHERS = 255
"""The number of the entry that holds for all languages which a word does not name."""
TENTHS = 10
"""Values count tenths of a nat, so that a byte reaches to e^-25.5."""
HEAD = 3
"""Bytes of a record before its entries."""


class Parts(NamedTuple):
    """A table as it is kept and looked up."""

    starts: "memoryview[int]"
    """Where the records of each bucket begin, as 32 bits, and where those of the last one end."""
    records: "memoryview[int]"


def parts_of(starts: bytes | memoryview, records: bytes | memoryview) -> Parts:
    """Return bytes as the parts of a table; those that cannot be any are a ValueError."""
    parts = Parts(memoryview(starts).cast("B").cast("I"), memoryview(records).cast("B"))
    buckets = len(parts.starts) - 1
    if buckets < 1 or buckets & (buckets - 1) or parts.starts[0] or parts.starts[-1] != len(parts.records):
        raise ValueError("parts that do not fit each other")
    return parts


def with_code(state: int, code: int) -> int:
    """Return a hash with one more character."""
    return ((state ^ code) * FNV_PRIME) & MASK_64


def hash_of(start: int, codes: Iterable[int]) -> int:
    """Return the hash of a row of characters."""
    for code in codes:
        start = with_code(start, code)
    return start


def word_key(codes: Iterable[int]) -> int:
    """Return the key of a word."""
    return hash_of(WORD_START, codes) | IS_WORD


def gram_key(state: int) -> int:
    """Return the key of an n-gram, from the hash of its characters, the last first."""
    return state & ~IS_WORD


def bucket_and_fingerprint(key: int, buckets: int) -> tuple[int, int]:
    """Return the bucket that a feature is in, and what its record begins with."""
    return (key ^ (key >> 32)) & (buckets - 1), key >> 48


def records_of(parts: Parts, bucket: int) -> Iterator[tuple[int, range]]:
    """Yield the fingerprint of each record of a bucket, and the places of its entries."""
    place, end = parts.starts[bucket], parts.starts[bucket + 1]
    while place + HEAD <= end:
        low, high, count = parts.records[place : place + HEAD]
        first, place = place + HEAD, place + HEAD + 2 * count
        if place > end:
            return  # a damaged file
        yield low | high << 8, range(first, place, 2)


def find(parts: Parts, key: int) -> range | None:
    """Return the places of the entries of a feature, or None when the table does not know it.

    At each place is a language, at the next its value.
    """
    bucket, wanted = bucket_and_fingerprint(key, len(parts.starts) - 1)
    for fingerprint, places in records_of(parts, bucket):
        if fingerprint == wanted:
            return places
    return None
