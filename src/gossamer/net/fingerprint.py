"""Fingerprints of what a page holds: exact, by its words, and near."""

import base64
import functools
import hashlib
import re
import unicodedata
from itertools import pairwise

import xxhash

_BITS = 64
_LANE_MASK = (1 << _BITS) - 1

# Scripts that put no space between words: Thai and its neighbours, kana, Han with its extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_INVISIBLE = re.compile("[\xad\u200b-\u200f\u2060\ufeff]")


def digest(body: bytes) -> str:
    """Return the exact digest of a body as WARC-Payload-Digest spells it: `sha1:` and base 32.

    SHA-1 because archives, their indexes and the tools that compare crawls all key on it; equal digests of
    different bodies can be made on purpose, but only by somebody who wrote both. Cost: a second a gigabyte.
    """
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode("ascii")


def text_digest(text: str) -> int:
    """Return a signed 64-bit digest of a text's words, blind to case, spacing, punctuation and Unicode form.

    So markup can change around the same words without moving it. All texts without a word are equal.
    """
    return _signed(xxhash.xxh3_64_intdigest(b" ".join(_words(text))))


def simhash(text: str) -> int:
    """Return a signed 64-bit fingerprint that few changed words move by few bits; see `distance`.

    Each pair of neighbouring words (each four characters, in scripts without spaces) votes on every bit by its
    xxh3 hash; the majority wins, a tie is 0, and so is a text without a word. One word changed among 300 moves
    2 to 3 bits, unrelated texts differ in 32. Cost: linear, 0.2 ms a thousand English words, twice that for Russian.
    Source: Charikar 2002; Manku, Jain, Das Sarma 2007.
    """
    words = _words(text)
    votes = b"".join(map(xxhash.xxh3_64_digest, map(b" ".join, pairwise([b"", *words]))))
    return _signed(_majority(int.from_bytes(votes, "big"), len(words)))


def distance(a: int, b: int) -> int:
    """Return in how many of their 64 bits two fingerprints differ; signed or not does not matter."""
    return ((a ^ b) & _LANE_MASK).bit_count()


def _majority(votes: int, rows: int) -> int:
    """Return the bits that are set in more than half of the 64-bit rows of one long integer.

    The rows are added bit by bit, all 64 columns and half of the rows at once: plane k holds bit k of every
    column's count so far, and folding the rows adds the upper half to the lower as a ripple-carry adder does.
    Cost: about ten passes over the votes, in machine words.
    """
    planes, threshold = [votes], rows // 2
    while rows > 1:
        rows = (rows + 1) // 2
        width = rows * _BITS
        mask, carry, sums = (1 << width) - 1, 0, []
        for plane in planes:
            low, high = plane & mask, plane >> width
            either = low ^ high
            sums.append(either ^ carry)
            carry = (low & high) | (either & carry)
        planes = [*sums, carry]
    return _above(planes, threshold)


def _above(planes: list[int], threshold: int) -> int:
    """Return the columns whose count, spread over the planes, is above the threshold."""
    above, equal = 0, _LANE_MASK
    for bit in reversed(range(len(planes))):
        if threshold >> bit & 1:
            equal &= planes[bit]
        else:
            above |= equal & planes[bit]
            equal &= ~planes[bit]
    return above


def _words(text: str) -> list[bytes]:
    """Return the words of a text in one spelling, as UTF-8.

    ASCII is spelled by one table; what else there is, once for each different word.
    """
    words = text.encode("utf-8", "surrogatepass").translate(_ascii_spelling()).split()
    others = list({word for word in words if not word.isascii()})
    if not others:
        return words
    spelled = dict(zip(others, _spell(others), strict=True))
    return [part for word in words for part in spelled.get(word, (word,))]


def _spell(words: list[bytes]) -> list[list[bytes]]:
    """Return for each word the words that it is made of, in one spelling: normal form, no case, no separators."""
    text = b"\n".join(words).decode("utf-8", "surrogatepass")
    text = _separators().sub(" ", _INVISIBLE.sub("", text))
    # Most texts hold nothing to normalise once punctuation is gone, and asking is far faster than doing.
    if not unicodedata.is_normalized("NFKC", text):
        text = "\n".join(map(_normal, text.split("\n")))
    text = text.casefold()
    if _UNSPACED_RUN.search(text) is not None:
        text = _UNSPACED_RUN.sub(_overlaps, text)
    return [line.split() for line in text.encode("utf-8", "surrogatepass").split(b"\n")]


def _normal(line: str) -> str:
    """Return a line in normal form; the form of a sign such as ㈱ may hold separators."""
    if unicodedata.is_normalized("NFKC", line):
        return line
    return _separators().sub(" ", unicodedata.normalize("NFKC", line))


def _overlaps(run: re.Match[str]) -> str:
    """Return every three characters of a run in a script without spaces, as its words.

    Two neighbours make four characters. With fewer, unrelated Japanese texts of 1,000 characters come too close:
    22.9 bits apart for pairs of characters, 31.2 for three, 32.7 for four; more characters gain nothing.
    """
    characters = run[0]
    starts = range(max(1, len(characters) - 2))
    return f" {' '.join([characters[start : start + 3] for start in starts])} "


@functools.cache
def _ascii_spelling() -> bytes:
    """Return the table that turns ASCII capitals small and ASCII separators into spaces."""
    spelled = "".join(" " if _separates(chr(code)) else chr(code).lower() for code in range(128))
    return spelled.encode("ascii") + bytes(range(128, 256))


@functools.cache
def _separators() -> re.Pattern[str]:
    """Return the pattern of a run of separators, except for the newline, which keeps the words apart."""
    characters = "".join(filter(_separates, map(chr, range(0x10000)))).replace("\n", "")
    return re.compile(f"[{re.escape(characters)}]+")


def _separates(character: str) -> bool:
    """Tell whether a character is punctuation, space or control. Signs such as + and € belong to words."""
    category = unicodedata.category(character)
    return category[0] in "PZ" or category in ("Cc", "Cf", "Cs")


def _signed(number: int) -> int:
    return number - (1 << _BITS) if number >> (_BITS - 1) else number
