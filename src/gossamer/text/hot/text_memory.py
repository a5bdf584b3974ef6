"""A memory of texts: which sentences are new, and which texts are near copies of earlier ones."""

import re
from collections.abc import Sequence
from typing import Protocol

from gossamer.net.fingerprint import distance, text_digest, text_fingerprints

_BOUNDARY = re.compile(r"\n+|(?<=[.!?]) +(?=[^\W\d_a-z\"'(<])|(?<=[。！？])")
_DIGITS = re.compile(r"\d+(?:[.,/]\d+)*")
# Three bits of 64 are about one changed word in 300, see `simhash`.
NEAR_BITS = 3
BANDS = NEAR_BITS + 1
BAND_BITS = 64 // BANDS
# The simhashes of shorter texts differ by chance in few bits.
_MIN_WORDS = 30


class KnownTexts(Protocol):
    """The sentences and texts that were read in earlier runs, wherever they are kept."""

    def find_sentences(self, digests: Sequence[int]) -> set[int]:
        """Return which of these sentences were read before."""
        ...

    def has_near_copy(self, simhash: int) -> bool:
        """Say whether a text with nearly this simhash was read before."""
        ...


class TextMemory:
    """The digests of all sentences and texts that were read; each counts once.

    A recrawl of the same text has no new sentence. Boilerplate and templates are sentences that come back on other
    pages, and numbers do not make them new: "Dividend 5 cts" and "Dividend 6 cts" are one. Eight bytes a sentence.
    """

    def __init__(self, known: KnownTexts | None = None) -> None:
        """Start empty, or with what earlier runs have read."""
        self._known = known
        self.sentences: set[int] = set()
        """The digests of the sentences of this run."""
        self.simhashes: list[int] = []
        """Of the texts of this run that are near copies of none."""
        self._bands: dict[tuple[int, int], list[int]] = {}

    def take_new_sentences(self, text: str) -> list[str]:
        """Return the sentences of a text that were not read before, and remember them; none of a near copy."""
        near_copy = self._is_near_copy(text)
        sentences = {digest_sentence(sentence): sentence for sentence in split_sentences(text)}
        if self._known is not None:
            for digest in self._known.find_sentences(list(sentences)):
                del sentences[digest]
        new = {digest: one for digest, one in sentences.items() if digest not in self.sentences}
        self.sentences.update(new)
        return [] if near_copy else list(new.values())

    def _is_near_copy(self, text: str) -> bool:
        """Say whether a text differs in few words from one that was read before, and remember it."""
        _, simhash, words = text_fingerprints(text)
        if words < _MIN_WORDS:
            return False
        if self._known is not None and self._known.has_near_copy(simhash):
            return True
        keys = list(enumerate(split_bands(simhash)))
        if any(distance(simhash, other) <= NEAR_BITS for key in keys for other in self._bands.get(key, ())):
            return True
        self.simhashes.append(simhash)
        for key in keys:
            self._bands.setdefault(key, []).append(simhash)
        return False


def digest_sentence(sentence: str) -> int:
    """Return the digest of a sentence, in which all numbers are alike."""
    return text_digest(_DIGITS.sub("0", sentence))


def split_sentences(text: str) -> list[str]:
    """Split a text at line ends and after the full stops of sentences."""
    return [sentence for part in _BOUNDARY.split(text) if (sentence := part.strip())]


def split_bands(simhash: int) -> list[int]:
    """Return the quarters of a simhash: two simhashes that differ in three bits share at least one."""
    return [simhash >> (band * BAND_BITS) & ((1 << BAND_BITS) - 1) for band in range(BANDS)]
