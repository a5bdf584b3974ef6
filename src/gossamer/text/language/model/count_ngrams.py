"""How often the n-grams of a language are seen: counted over word lists, or handed in."""

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
    leading_script,
    words_of,
)
from gossamer.text.language.model.scripts import NONE, SCRIPTS, SKIPPED, UNSPACED, script_number

Codes = NDArray[np.uint32]
Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Word = tuple[int, ...]

# A script counts as a language's own when this share of its words is in it: foreign names stay below.
_SCRIPT_SHARE = 0.05
# How much a word's frequency counts for its letters: rare words are more like unknown ones.
_FLATTENED = 0.5


class Grams(NamedTuple):
    """N-grams of one length, each a row of characters, and how often each is seen."""

    codes: Codes
    counts: Floats


Counts = Mapping[int, Grams]
"""N-grams by their length. The edges of words are characters too: START_OF_WORD and END_OF_WORD."""


def keys_of(codes: Codes) -> Keys:
    """Return the key of each n-gram, as the scorer makes it: from the last character to the first."""
    state = np.full(len(codes), GRAM_START, dtype=np.uint64)
    for place in range(codes.shape[1] - 1, -1, -1):
        state = (state ^ codes[:, place].astype(np.uint64)) * np.uint64(FNV_PRIME)
    return state & np.uint64(~IS_WORD & MASK_64)


def cleaned(words: Mapping[str, float]) -> dict[Word, float]:
    """Return the words as the scorer will see them, as shares of all."""
    shares: dict[Word, float] = {}
    for word, frequency in words.items():
        codes = [ord(character) for character in word]
        numbers = {script_number(code) for code in codes}
        # Most words are of one script, which needs no counting.
        script = numbers.pop() if len(numbers) == 1 else leading_script(codes)[0]
        for part in words_of(codes, script) if script not in (NONE, SKIPPED) else ():
            shares[tuple(part)] = shares.get(tuple(part), 0.0) + frequency
    total = sum(shares.values()) or 1.0
    return {word: share / total for word, share in shares.items() if share > 0}


def scripts_of(words: Mapping[Word, float]) -> tuple[str, ...]:
    """Return the scripts that a language is written in, by its words."""
    shares = dict.fromkeys(SCRIPTS, 0.0)
    for word, share in words.items():
        shares[SCRIPTS[script_number(word[0])]] += share
    return tuple(script for script, share in shares.items() if share >= _SCRIPT_SHARE and script)


def is_unspaced(word: Word) -> bool:
    """Say whether a word is of a script without spaces, and so has no edges."""
    return script_number(word[0]) in UNSPACED


def counted(words: Mapping[Word, float]) -> Counts:
    """Count the n-grams of words; frequent words count more, but not by as much as they are more frequent."""
    codes, weights = _row(words)
    counts = {}
    for length in range(1, LONGEST_GRAM + 1):
        windows = sliding_window_view(codes, length)
        inside = (windows > 0).all(axis=1) & (windows[:, -1] != START_OF_WORD)
        counts[length] = summed(Grams(windows[inside], weights[length - 1 :][inside]))
    return counts


def summed(grams: Grams) -> Grams:
    """Return each n-gram once, with the sum of its counts."""
    _, first, at = np.unique(keys_of(grams.codes), return_index=True, return_inverse=True)
    return Grams(
        np.ascontiguousarray(grams.codes[first]), np.bincount(at, grams.counts, len(first)).astype(np.float64)
    )


def _row(words: Mapping[Word, float]) -> tuple[Codes, Floats]:
    """Return the characters of all words in a row, a 0 before each, and how much each counts."""
    least = min(words.values(), default=1.0)
    codes: list[int] = [0] * LONGEST_GRAM
    weights: list[float] = [0.0] * LONGEST_GRAM
    for word, share in words.items():
        edged = [0, *word] if is_unspaced(word) else [0, START_OF_WORD, *word, END_OF_WORD]
        codes += edged
        weights += [(share / least) ** _FLATTENED] * len(edged)
    return np.array(codes, dtype=np.uint32), np.array(weights, dtype=np.float64)
