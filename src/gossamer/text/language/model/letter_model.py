"""A Markov model of letters from n-gram counts, pruned to the informative n-grams."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.count_ngrams import Counts, Floats, Keys, hash_grams
from gossamer.text.language.model.feature_table import TENTHS
from gossamer.text.language.model.pack_table import Entries, join_entries
from gossamer.text.language.model.plain_scorer import LONGEST_GRAM, ScorerWeights

# The pseudo-count by which shorter n-grams smooth longer ones.
_SMOOTHING = 5.0
_RAREST = 1e-5
# A character with less gain than this in every language is no letter of any; in tenths of a nat.
_LEAST_SHARE = 1e-4
# An entry is left out if the scorer comes within this many tenths of a nat without it.
_IDLE = 8


class Level(NamedTuple):
    """The n-grams of one length and one language, sorted by key."""

    keys: Keys
    below: Keys
    """The keys of the n-grams without their first letter."""
    likely: Floats
    """The probability of the last letter after the others."""
    shares: Floats
    """The count of the n-gram, as a share of all letters."""


def compute_levels(counts: Counts) -> list[Level]:
    """Return the n-grams of a language by length, from one letter up; shorter n-grams smooth longer ones.

    Source: Markov chains of letters with Dirichlet smoothing, as MacKay and Peto 1995.
    """
    result: list[Level] = []
    total = float(counts[1].counts.sum()) if 1 in counts else 1.0
    for length in range(1, LONGEST_GRAM + 1):
        if length not in counts:
            break
        codes, seen = counts[length]
        keys = hash_grams(codes)
        order = np.argsort(keys)
        codes, seen, keys = codes[order], seen[order], keys[order]
        below = hash_grams(codes[:, 1:])
        _, context = np.unique(hash_grams(codes[:, :-1]), return_inverse=True)
        after = np.bincount(context, seen)[context]
        smooth = look_up(result[-1].keys, result[-1].likely, below) if result else np.full(len(keys), 1e-3)
        likely = (seen + _SMOOTHING * smooth) / (after + _SMOOTHING)
        result.append(Level(keys, below, likely, seen / total))
    return result


def look_up(keys: Keys, likely: Floats, wanted: Keys) -> Floats:
    """Return the probabilities of keys in a sorted array; a missing key gets the lowest probability."""
    if not len(keys):
        return np.full(len(wanted), _RAREST)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: Floats = np.where(keys[at] == wanted, likely[at], _RAREST)
    return found


def to_tenths(likely: Floats) -> NDArray[np.uint8]:
    """Return probabilities as the table stores them."""
    return round_values(-TENTHS * np.log(likely)).astype(np.uint8)


def round_values(values: Floats) -> NDArray[np.int64]:
    """Round tenths of a nat to bytes, in steps of two: finer steps would only cost space."""
    steps: NDArray[np.int64] = 2 * np.clip(np.rint(values / 2), 0, 127).astype(np.int64)
    return steps


class _GramTable(NamedTuple):
    """The n-grams of one length in all languages, one row for each n-gram and language."""

    keys: Keys
    below: Keys
    languages: NDArray[np.uint8]
    values: NDArray[np.uint8]
    shares: Floats


class _KeptGrams(NamedTuple):
    """The n-grams that were kept, sorted by key, and the value that the scorer uses for each language."""

    keys: Keys
    values: NDArray[np.int16]


def choose_ngrams(languages: Sequence[list[Level]], weights: ScorerWeights, least_gain: float) -> Entries:
    """Keep the n-grams that add information to the shorter ones, for all languages at once.

    The information of an n-gram is the distance of its likelihoods from those that the scorer would use without it,
    weighted by its frequency (Stolcke 1998). An n-gram is kept only if the shorter one is, so the scorer can stop at
    the first one that is missing. Cost: linear in the n-grams of all languages; two bytes of memory for each kept
    n-gram and language.
    """
    entries: list[Entries] = []
    # Single letters extend the empty n-gram, which every language has.
    below = _KeptGrams(
        hash_grams(np.zeros((1, 0), dtype=np.uint32)), np.zeros((1, len(languages)), dtype=np.int16)
    )
    for length in range(1, LONGEST_GRAM + 1):
        grams = _gather_grams(languages, length)
        unseen = weights.unseen_letter if length == 1 else weights.unseen_gram[length]
        informative = _find_informative(grams, below, _LEAST_SHARE if length == 1 else least_gain)
        if not informative.any():
            break
        below, kept = _keep_grams(_select_rows(grams, informative), below, unseen)
        entries.append(kept)
    return join_entries(entries)


def _gather_grams(languages: Sequence[list[Level]], length: int) -> _GramTable:
    here = [(at, each[length - 1]) for at, each in enumerate(languages) if len(each) >= length]
    sizes = [len(level.keys) for _, level in here]
    return _GramTable(
        np.concatenate([level.keys for _, level in here] or [np.zeros(0, dtype=np.uint64)]),
        np.concatenate([level.below for _, level in here] or [np.zeros(0, dtype=np.uint64)]),
        np.repeat(np.array([at for at, _ in here], dtype=np.uint8), sizes),
        np.concatenate([to_tenths(level.likely) for _, level in here] or [np.zeros(0, dtype=np.uint8)]),
        np.concatenate([level.shares for _, level in here] or [np.zeros(0)]),
    )


def _select_rows(grams: _GramTable, stays: NDArray[np.bool_]) -> _GramTable:
    keys, below, languages, values, shares = grams
    return _GramTable(keys[stays], below[stays], languages[stays], values[stays], shares[stays])


def _find_shorter(grams: _GramTable, below: _KeptGrams) -> NDArray[np.int64]:
    """Return the row of the shorter n-gram of each among the kept ones."""
    return np.minimum(np.searchsorted(below.keys, grams.below), len(below.keys) - 1)


def _find_informative(grams: _GramTable, below: _KeptGrams, least_gain: float) -> NDArray[np.bool_]:
    """Return which n-grams have a kept shorter n-gram and add enough information to it."""
    rows = _find_shorter(grams, below)
    possible = below.keys[rows] == grams.below
    distance = np.abs(grams.values.astype(np.int16) - below.values[rows, grams.languages])
    _, at = np.unique(grams.keys, return_inverse=True)
    gains = np.bincount(at, grams.shares * distance * possible)
    worth: NDArray[np.bool_] = possible & (gains[at] >= least_gain)
    return worth


def _keep_grams(grams: _GramTable, below: _KeptGrams, unseen: int) -> tuple[_KeptGrams, Entries]:
    """Return the kept n-grams and their entries, without entries that the scorer approximates anyway."""
    rows = _find_shorter(grams, below)
    unique, first, at = np.unique(grams.keys, return_index=True, return_inverse=True)
    values = below.values[rows[first]] + np.int16(unseen)
    idle = np.abs(grams.values.astype(np.int16) - values[at, grams.languages]) < _IDLE
    best = np.full(len(unique), 256, dtype=np.int16)
    np.minimum.at(best, at, grams.values)
    stays = ~idle | (grams.values == best[at])
    values[at[stays], grams.languages[stays]] = grams.values[stays]
    return _KeptGrams(unique, values), Entries(grams.keys[stays], grams.languages[stays], grams.values[stays])
