"""The hash table of a model: words and n-grams, and how likely each is in each language.

A feature (a word or an n-gram) is found by its hash: the low bits give its bucket, sixteen high bits its record in the
bucket. An unknown feature matches a record once in 20,000 times. A record has these two bytes, the number of its entries,
and the entries: the number of a language, and the feature's negative log-likelihood there, in tenths of a nat. The file has
the same layout, so a model is mapped into memory and need not be decoded.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

FNV_START = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3
MASK_64 = 0xFFFFFFFFFFFFFFFF
# Words and n-grams share one table: their hashes start from different values, and the highest bit of a key marks words.
WORD_START = FNV_START
GRAM_START = 0x9AE16A3B2F90404F
IS_WORD = 1 << 63

OTHERS = 255
"""The number of the entry for all languages that the record of a word does not list."""
TENTHS = 10
"""Values are in tenths of a nat, so that a byte reaches e^-25.5."""
HEAD = 3
"""Bytes of a record before its entries."""


class FeatureTable(NamedTuple):
    """A table, as it is stored and searched."""

    starts: "memoryview[int]"
    """Where the records of each bucket begin, as 32 bits, and where those of the last bucket end."""
    records: "memoryview[int]"


def make_table(starts: bytes | memoryview, records: bytes | memoryview) -> FeatureTable:
    """Return bytes as a table; raise ValueError if starts and records do not fit each other."""
    table = FeatureTable(memoryview(starts).cast("B").cast("I"), memoryview(records).cast("B"))
    buckets = len(table.starts) - 1
    if buckets < 1 or buckets & (buckets - 1) or table.starts[0] or table.starts[-1] != len(table.records):
        raise ValueError("starts and records do not fit each other")
    return table


def extend_hash(state: int, code: int) -> int:
    """Return a hash extended by one character."""
    return ((state ^ code) * FNV_PRIME) & MASK_64


def hash_codes(start: int, codes: Iterable[int]) -> int:
    """Return the hash of a sequence of characters."""
    for code in codes:
        start = extend_hash(start, code)
    return start


def hash_word(codes: Iterable[int]) -> int:
    """Return the key of a word."""
    return hash_codes(WORD_START, codes) | IS_WORD


def to_gram_key(state: int) -> int:
    """Return the key of an n-gram from the hash of its characters, last character first."""
    return state & ~IS_WORD


def split_key(key: int, buckets: int) -> tuple[int, int]:
    """Return the bucket of a feature, and the fingerprint that its record begins with."""
    return (key ^ (key >> 32)) & (buckets - 1), key >> 48


def read_records(table: FeatureTable, bucket: int) -> Iterator[tuple[int, range]]:
    """Yield the fingerprint of each record of a bucket, and the places of its entries."""
    place, end = table.starts[bucket], table.starts[bucket + 1]
    while place + HEAD <= end:
        low, high, count = table.records[place : place + HEAD]
        first, place = place + HEAD, place + HEAD + 2 * count
        if place > end:
            return  # a damaged file
        yield low | high << 8, range(first, place, 2)


def find_entries(table: FeatureTable, key: int) -> range | None:
    """Return the places of the entries of a feature, or None if it is not in the table.

    The byte at each place is the number of a language, the next byte its value.
    """
    bucket, wanted = split_key(key, len(table.starts) - 1)
    for fingerprint, places in read_records(table, bucket):
        if fingerprint == wanted:
            return places
    return None
