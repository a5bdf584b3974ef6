"""Fingerprints of what a page holds: exact, by its words, and near."""

import hashlib

from gossamer.net.fingerprint.base32 import base32
from gossamer.net.fingerprint.word_hashes import fingerprints_of

_BITS = 64
_MASK = (1 << _BITS) - 1


def digest(body: bytes) -> str:
    """Return the exact digest of a body as WARC-Payload-Digest spells it: `sha1:` and base 32.

    SHA-1 because archives, their indexes and the tools that compare crawls all key on it; equal digests of
    different bodies can be made on purpose, but only by somebody who wrote both. Cost: a second a gigabyte.
    """
    return "sha1:" + base32(hashlib.sha1(body, usedforsecurity=False).digest())


def text_digest(text: str) -> int:
    """Return a signed 64-bit digest of a text's words, blind to case, spacing, punctuation and Unicode form.

    So markup can change around the same words without moving it. All texts without a word are equal.
    """
    return text_fingerprints(text)[0]


def simhash(text: str) -> int:
    """Return a signed 64-bit fingerprint that few changed words move by few bits; see `distance`.

    Each pair of neighbouring words (each four characters, in scripts without spaces) votes on every bit by its
    hash; the majority wins, a tie is 0, and so is a text without a word. One word changed among 300 moves 2 to 3
    bits, unrelated texts differ in 32. Cost: linear, see `word_hashes`. Source: Charikar 2002; Manku, Jain, Das
    Sarma 2007.
    """
    return text_fingerprints(text)[1]


def text_fingerprints(text: str) -> tuple[int, int, int]:
    """Return `text_digest`, `simhash` and the number of words: one walk over them gives all three.

    In scripts without spaces every three neighbours count as a word.
    """
    return fingerprints_of(text)


def distance(a: int, b: int) -> int:
    """Return in how many of their 64 bits two fingerprints differ; signed or not does not matter."""
    return ((a ^ b) & _MASK).bit_count()
