"""From word lists to a model.

A word's value in a language is its share of all words there. For words that no list has, a language is known by its
letters: how likely each is after the one to four before it, beginning and end of the word included, counted over the
words of its list. Cost: a second for each 300,000 words, and 300 bytes of memory a word.
Source: seed 003, sections 4.6, 4.8 and 4.9; n-grams reach into the word, and lower orders smooth higher ones.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model import Language, Model
from gossamer.text.language.packing import Features, merged, packed, together, with_others
from gossamer.text.language.plain import (
    END_OF_WORD,
    LONGEST_GRAM,
    START_OF_WORD,
    Weights,
    leading_script,
    words_of,
)
from gossamer.text.language.scripts import SCRIPTS, UNSPACED
from gossamer.text.language.tables import FNV_PRIME, GRAM_START, TENTHS, WORD_START, hash_of

Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

# A script counts as a language's own when this share of its words is in it: foreign names stay below.
_SCRIPT_SHARE = 0.05
# Words to remember, and how much a word's frequency counts for the letters: rare words are more like unknown ones.
_WORDS = 40_000
_FLATTENED = 0.5
# How many letters seen elsewhere a context is worth: lower orders smooth higher ones by as much.
_SMOOTHING = 5.0


def built(lists: Mapping[str, Mapping[str, float]]) -> Model:
    """Make a model of word lists: words and their frequencies, in any unit, by language."""
    weights = Weights()
    cleaned = {code: _cleaned(words) for code, words in sorted(lists.items())}
    known = tuple(Language(code, _scripts(words)) for code, words in cleaned.items())
    words = with_others(merged([_word_features(words) for words in cleaned.values()]), weights.farthest)
    grams = merged([_gram_features(words) for words in cleaned.values()])
    return Model(known, weights, packed(together(words, grams)))


def _cleaned(words: Mapping[str, float]) -> dict[tuple[int, ...], float]:
    """Return the words as the scorer will see them, as shares of all."""
    shares: dict[tuple[int, ...], float] = {}
    for word, frequency in words.items():
        codes = [ord(character) for character in word]
        script, _ = leading_script(codes)
        for part in words_of(codes, script) if script else ():
            shares[tuple(part)] = shares.get(tuple(part), 0.0) + frequency
    total = sum(shares.values()) or 1.0
    return {word: share / total for word, share in shares.items()}


def _scripts(words: Mapping[tuple[int, ...], float]) -> tuple[str, ...]:
    shares = dict.fromkeys(SCRIPTS, 0.0)
    for word, share in words.items():
        shares[SCRIPTS[leading_script(word)[0]]] += share
    return tuple(script for script, share in shares.items() if share >= _SCRIPT_SHARE and script)


def _is_unspaced(word: tuple[int, ...]) -> bool:
    return leading_script(word)[0] in UNSPACED


def _tenths(probabilities: Floats) -> NDArray[np.uint8]:
    tenths: NDArray[np.uint8] = np.clip(np.rint(-TENTHS * np.log(probabilities)), 0, 255).astype(np.uint8)
    return tenths


def _word_features(words: Mapping[tuple[int, ...], float]) -> Features:
    ranked = sorted(words, key=lambda word: (-words[word], word))[:_WORDS]
    spaced = [word for word in ranked if not _is_unspaced(word)]
    keys = np.array([hash_of(WORD_START, word) for word in spaced], dtype=np.uint64)
    return Features(keys, _tenths(np.array([words[word] for word in spaced], dtype=np.float64)))


def _gram_features(words: Mapping[tuple[int, ...], float]) -> Features:
    """Return how likely each letter is after those before it, for every n-gram of the words."""
    codes, weights = _letters(words)
    keys, values = [], []
    below = np.full(len(codes), 1e-3)
    state = np.full(len(codes), GRAM_START, dtype=np.uint64)
    contexts = np.zeros(len(codes), dtype=np.uint64)
    valid = codes > START_OF_WORD
    for length in range(1, LONGEST_GRAM + 1):
        shifted = np.roll(codes, length - 1)
        state, before = (state ^ shifted) * np.uint64(FNV_PRIME), state
        valid = valid & (shifted > 0)
        contexts = np.roll(before, 1) if length > 1 else contexts
        below = _likelihood(state[valid], contexts[valid], weights[valid], below, valid)
        unique, first = np.unique(state[valid], return_index=True)
        keys.append(unique)
        values.append(_tenths(below[valid][first]))
        valid = valid & (shifted != START_OF_WORD)
    return Features(np.concatenate(keys), np.concatenate(values))


def _likelihood(
    grams: Keys, contexts: Keys, weights: Floats, below: Floats, valid: NDArray[np.bool_]
) -> Floats:
    """Return, for each place, how likely its letter is after its context, smoothed by the shorter context."""
    _, gram_at = np.unique(grams, return_inverse=True)
    _, context_at = np.unique(contexts, return_inverse=True)
    gram_weight = np.bincount(gram_at, weights)[gram_at]
    context_weight = np.bincount(context_at, weights)[context_at]
    result = below.copy()
    result[valid] = (gram_weight + _SMOOTHING * below[valid]) / (context_weight + _SMOOTHING)
    return result


def _letters(words: Mapping[tuple[int, ...], float]) -> tuple[Keys, Floats]:
    """Return the letters of all words in a row, a 0 before each, and how much each counts."""
    least = min(words.values(), default=1.0)
    codes: list[int] = [0] * LONGEST_GRAM
    weights: list[float] = [0.0] * LONGEST_GRAM
    for word, share in words.items():
        edged = [0, *word] if _is_unspaced(word) else [0, START_OF_WORD, *word, END_OF_WORD]
        codes += edged
        weights += [(share / least) ** _FLATTENED] * len(edged)
    return np.array(codes, dtype=np.uint64), np.array(weights, dtype=np.float64)
