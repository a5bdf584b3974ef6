"""Counts of the n-grams of a language, over word lists."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gossamer.text.language.model.feature_table import FNV_PRIME, GRAM_START, IS_WORD, MASK_64
from gossamer.text.language.model.plain_scorer import (
    END_OF_WORD,
    LONGEST_GRAM,
    START_OF_WORD,
    find_leading_script,
    split_words,
)
from gossamer.text.language.model.scripts import NONE, SCRIPTS, SKIPPED, UNSPACED, find_script

Codes = NDArray[np.uint32]
Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Word = tuple[int, ...]

# A language is written in a script if this share of its words is; foreign names stay below.
_SCRIPT_SHARE = 0.05
# The power of a word's frequency that weighs its letters: rare words resemble unknown ones more.
_FLATTENED = 0.5


class Grams(NamedTuple):
    """N-grams of one length, each a row of characters, and their counts."""

    codes: Codes
    counts: Floats


Counts = Mapping[int, Grams]
"""N-grams by length. The edges of words are characters too: START_OF_WORD and END_OF_WORD."""


def hash_grams(codes: Codes) -> Keys:
    """Return the key of each n-gram as the scorer computes it, from the last character to the first."""
    state = np.full(len(codes), GRAM_START, dtype=np.uint64)
    for place in range(codes.shape[1] - 1, -1, -1):
        state = (state ^ codes[:, place].astype(np.uint64)) * np.uint64(FNV_PRIME)
    return state & np.uint64(~IS_WORD & MASK_64)


def normalise_words(words: Mapping[str, float]) -> dict[Word, float]:
    """Return the words as the scorer splits them, with their shares of all words."""
    shares: dict[Word, float] = {}
    for word, frequency in words.items():
        codes = [ord(character) for character in word]
        numbers = {find_script(code) for code in codes}
        # Most words have a single script, which needs no counting.
        script = numbers.pop() if len(numbers) == 1 else find_leading_script(codes)[0]
        for part in split_words(codes, script) if script not in (NONE, SKIPPED) else ():
            shares[tuple(part)] = shares.get(tuple(part), 0.0) + frequency
    total = sum(shares.values()) or 1.0
    return {word: share / total for word, share in shares.items() if share > 0}


def find_scripts(words: Mapping[Word, float]) -> tuple[str, ...]:
    """Return the scripts of a language, from its words."""
    shares = dict.fromkeys(SCRIPTS, 0.0)
    for word, share in words.items():
        shares[SCRIPTS[find_script(word[0])]] += share
    return tuple(script for script, share in shares.items() if share >= _SCRIPT_SHARE and script)


def is_unspaced(word: Word) -> bool:
    """Say whether a word is of a script without spaces, and so has no edges."""
    return find_script(word[0]) in UNSPACED


def count_ngrams(words: Mapping[Word, float]) -> Counts:
    """Count the n-grams of words, each word weighted by the square root of its frequency."""
    codes, weights = _lay_out_words(words)
    counts = {}
    for length in range(1, LONGEST_GRAM + 1):
        windows = sliding_window_view(codes, length)
        inside = (windows > 0).all(axis=1) & (windows[:, -1] != START_OF_WORD)
        counts[length] = sum_grams(Grams(windows[inside], weights[length - 1 :][inside]))
    return counts


def sum_grams(grams: Grams) -> Grams:
    """Return each n-gram once, with the sum of its counts."""
    _, first, at = np.unique(hash_grams(grams.codes), return_index=True, return_inverse=True)
    return Grams(
        np.ascontiguousarray(grams.codes[first]), np.bincount(at, grams.counts, len(first)).astype(np.float64)
    )


def _lay_out_words(words: Mapping[Word, float]) -> tuple[Codes, Floats]:
    """Return the characters of all words in one array, with a 0 before each word, and their weights."""
    least = min(words.values(), default=1.0)
    codes: list[int] = [0] * LONGEST_GRAM
    weights: list[float] = [0.0] * LONGEST_GRAM
    for word, share in words.items():
        edged = [0, *word] if is_unspaced(word) else [0, START_OF_WORD, *word, END_OF_WORD]
        codes += edged
        weights += [(share / least) ** _FLATTENED] * len(edged)
    return np.array(codes, dtype=np.uint32), np.array(weights, dtype=np.float64)
