"""Computes fingerprints of a page: the digest of its bytes, the digest of its words and the simhash."""

import hashlib

from gossamer.net.fingerprint.base32 import base32
from gossamer.net.fingerprint.word_hashes import compute_fingerprints

_BITS = 64
_MASK = (1 << _BITS) - 1


def digest(body: bytes) -> str:
    """Return the exact digest of a body as in WARC-Payload-Digest: `sha1:` and base 32.

    SHA-1, because archives, their indexes and the tools that compare crawls all use it. Different bodies with the same
    digest can be made on purpose, but only by one author of both. Cost: one second for each gigabyte.
    """
    return "sha1:" + base32(hashlib.sha1(body, usedforsecurity=False).digest())


def text_digest(text: str) -> int:
    """Return a signed 64-bit digest of a text's words that ignores case, spacing, punctuation and Unicode form.

    So a change of the markup around the same words does not change it. All texts without a word are equal.
    """
    return text_fingerprints(text)[0]


def simhash(text: str) -> int:
    """Return a signed 64-bit fingerprint in which few changed words change few bits; see `distance`.

    Each pair of neighbouring words (each four characters, in scripts without spaces) votes on every bit by its
    hash; the majority wins, a tie is 0, and so is a text without a word. One changed word among 300 changes 2 to
    3 bits; unrelated texts differ in 32. Cost: linear, see `word_hashes`. Source: Charikar 2002; Manku, Jain, Das
    Sarma 2007.
    """
    return text_fingerprints(text)[1]


def text_fingerprints(text: str) -> tuple[int, int, int]:
    """Return `text_digest`, `simhash` and the number of words, all from one pass over the text.

    In scripts without spaces, every three neighbours count as a word.
    """
    return compute_fingerprints(text)


def distance(a: int, b: int) -> int:
    """Return in how many of their 64 bits two fingerprints differ; they may be signed or not."""
    return ((a ^ b) & _MASK).bit_count()
