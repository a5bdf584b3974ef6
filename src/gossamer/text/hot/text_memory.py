"""A memory of texts: which sentences are new, and which texts are near copies of earlier ones."""

import re
from collections.abc import Iterator

from gossamer.net.fingerprint import distance, text_digest, text_fingerprints

_BOUNDARY = re.compile(r"\n+|(?<=[.!?]) +(?=[^\W\d_a-z\"'(<])|(?<=[。！？])")
_DIGITS = re.compile(r"\d+(?:[.,/]\d+)*")
# Three bits of 64 are about one changed word in 300, see `simhash`.
_NEAR_BITS = 3
_BANDS = _NEAR_BITS + 1
_BAND_BITS = 64 // _BANDS
# The simhashes of shorter texts differ by chance in few bits.
_MIN_WORDS = 30


class TextMemory:
    """The digests of all sentences and texts that were read; each counts once.

    A recrawl of the same text has no new sentence. Boilerplate and templates are sentences that come back on other
    pages, and numbers do not make them new: "Dividend 5 cts" and "Dividend 6 cts" are one. Eight bytes a sentence.
    """

    def __init__(self) -> None:
        self._sentences: set[int] = set()
        self._bands: dict[tuple[int, int], list[int]] = {}

    def take_new_sentences(self, text: str) -> list[str]:
        """Return the sentences of a text that were not read before, and remember them; none of a near copy."""
        near_copy = self._is_near_copy(text)
        new = []
        for sentence in split_sentences(text):
            digest = text_digest(_DIGITS.sub("0", sentence))
            if digest not in self._sentences:
                self._sentences.add(digest)
                new.append(sentence)
        return [] if near_copy else new

    def _is_near_copy(self, text: str) -> bool:
        """Say whether a text differs in few words from one that was read before, and remember it."""
        _, simhash, words = text_fingerprints(text)
        if words < _MIN_WORDS:
            return False
        keys = list(_list_bands(simhash))
        if any(distance(simhash, other) <= _NEAR_BITS for key in keys for other in self._bands.get(key, ())):
            return True
        for key in keys:
            self._bands.setdefault(key, []).append(simhash)
        return False


def split_sentences(text: str) -> list[str]:
    """Split a text at line ends and after the full stops of sentences."""
    return [sentence for part in _BOUNDARY.split(text) if (sentence := part.strip())]


def _list_bands(simhash: int) -> Iterator[tuple[int, int]]:
    """Yield quarters of a simhash: two simhashes that differ in three bits share at least one."""
    for band in range(_BANDS):
        yield band, simhash >> (band * _BAND_BITS) & ((1 << _BAND_BITS) - 1)
