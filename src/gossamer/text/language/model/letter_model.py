"""From counts of n-grams to how likely each letter is after those before it, and which n-grams are worth keeping."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.count_ngrams import Counts, Floats, Keys, keys_of
from gossamer.text.language.model.feature_table import TENTHS
from gossamer.text.language.model.pack_table import Entries, joined
from gossamer.text.language.model.plain_scorer import LONGEST_GRAM, Weights

# How many letters seen elsewhere a context is worth: shorter n-grams smooth longer ones by as much.
_SMOOTHING = 5.0
_RAREST = 1e-5
# A character that is rarer than this among the letters of every language is none of its letters; in tenths of a nat.
_LEAST_SHARE = 1e-4
# An entry within so many tenths of a nat of what the scorer takes without it is left out.
_IDLE = 8


class Level(NamedTuple):
    """The n-grams of one length and one language, in the order of their keys."""

    keys: Keys
    below: Keys
    """The keys of the n-grams without their first letters."""
    likely: Floats
    """How likely the last letter is after the others."""
    shares: Floats
    """How often the n-gram is seen, as a share of all letters."""


def levels(counts: Counts) -> list[Level]:
    """Return the n-grams of a language by length, from one letter up; a shorter n-gram smooths a longer one.

    Source: Markov chains of letters with Dirichlet smoothing, as MacKay and Peto 1995.
    """
    result: list[Level] = []
    total = float(counts[1].counts.sum()) if 1 in counts else 1.0
    for length in range(1, LONGEST_GRAM + 1):
        if length not in counts:
            break
        codes, seen = counts[length]
        keys = keys_of(codes)
        order = np.argsort(keys)
        codes, seen, keys = codes[order], seen[order], keys[order]
        below = keys_of(codes[:, 1:])
        _, context = np.unique(keys_of(codes[:, :-1]), return_inverse=True)
        after = np.bincount(context, seen)[context]
        smooth = looked_up(result[-1].keys, result[-1].likely, below) if result else np.full(len(keys), 1e-3)
        likely = (seen + _SMOOTHING * smooth) / (after + _SMOOTHING)
        result.append(Level(keys, below, likely, seen / total))
    return result


def looked_up(keys: Keys, likely: Floats, wanted: Keys) -> Floats:
    """Return the values of wanted keys among sorted ones; what is not there is rare."""
    if not len(keys):
        return np.full(len(wanted), _RAREST)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: Floats = np.where(keys[at] == wanted, likely[at], _RAREST)
    return found


def tenths(likely: Floats) -> NDArray[np.uint8]:
    """Return probabilities as the table keeps them."""
    return rounded(-TENTHS * np.log(likely)).astype(np.uint8)


def rounded(values: Floats) -> NDArray[np.int64]:
    """Return tenths of a nat as bytes can hold them, in steps of two: finer ones would only cost space."""
    steps: NDArray[np.int64] = 2 * np.clip(np.rint(values / 2), 0, 127).astype(np.int64)
    return steps


class _Gathered(NamedTuple):
    """The n-grams of one length in all languages."""

    keys: Keys
    below: Keys
    languages: NDArray[np.uint8]
    values: NDArray[np.uint8]
    shares: Floats


class _Kept(NamedTuple):
    """The n-grams that were kept, in the order of their keys, and what the scorer takes for each language."""

    keys: Keys
    values: NDArray[np.int16]


def chosen(languages: Sequence[list[Level]], weights: Weights, least_gain: float) -> Entries:
    """Keep the n-grams that say more than the shorter ones do, for all languages at once.

    What an n-gram says is how far its likelihoods lie from what the scorer would take without it, weighed by how often
    it is seen (Stolcke 1998). An n-gram is kept only when the shorter one is, so the scorer can stop at the first it
    does not find. Cost: linear in the n-grams of all languages; two bytes of memory for each kept n-gram and language.
    """
    entries: list[Entries] = []
    # One letter follows nothing: the empty n-gram, which every language has.
    below = _Kept(keys_of(np.zeros((1, 0), dtype=np.uint32)), np.zeros((1, len(languages)), dtype=np.int16))
    for length in range(1, LONGEST_GRAM + 1):
        grams = _gathered(languages, length)
        unseen = weights.unseen_letter if length == 1 else weights.unseen_gram[length]
        stays = _worth_keeping(grams, below, _LEAST_SHARE if length == 1 else least_gain)
        if not stays.any():
            break
        below, kept = _kept(_only(grams, stays), below, unseen)
        entries.append(kept)
    return joined(entries)


def _gathered(languages: Sequence[list[Level]], length: int) -> _Gathered:
    here = [(at, each[length - 1]) for at, each in enumerate(languages) if len(each) >= length]
    sizes = [len(level.keys) for _, level in here]
    return _Gathered(
        np.concatenate([level.keys for _, level in here] or [np.zeros(0, dtype=np.uint64)]),
        np.concatenate([level.below for _, level in here] or [np.zeros(0, dtype=np.uint64)]),
        np.repeat(np.array([at for at, _ in here], dtype=np.uint8), sizes),
        np.concatenate([tenths(level.likely) for _, level in here] or [np.zeros(0, dtype=np.uint8)]),
        np.concatenate([level.shares for _, level in here] or [np.zeros(0)]),
    )


def _only(grams: _Gathered, stays: NDArray[np.bool_]) -> _Gathered:
    keys, below, languages, values, shares = grams
    return _Gathered(keys[stays], below[stays], languages[stays], values[stays], shares[stays])


def _rows(grams: _Gathered, below: _Kept) -> NDArray[np.int64]:
    """Return where the shorter n-gram of each is among the kept ones."""
    return np.minimum(np.searchsorted(below.keys, grams.below), len(below.keys) - 1)


def _worth_keeping(grams: _Gathered, below: _Kept, least_gain: float) -> NDArray[np.bool_]:
    """Say which n-grams tell something that their shorter ones, all kept, do not."""
    rows = _rows(grams, below)
    possible = below.keys[rows] == grams.below
    distance = np.abs(grams.values.astype(np.int16) - below.values[rows, grams.languages])
    _, at = np.unique(grams.keys, return_inverse=True)
    gains = np.bincount(at, grams.shares * distance * possible)
    worth: NDArray[np.bool_] = possible & (gains[at] >= least_gain)
    return worth


def _kept(grams: _Gathered, below: _Kept, unseen: int) -> tuple[_Kept, Entries]:
    """Return the kept n-grams and their entries, without those that say what the scorer takes anyhow."""
    rows = _rows(grams, below)
    unique, first, at = np.unique(grams.keys, return_index=True, return_inverse=True)
    values = below.values[rows[first]] + np.int16(unseen)
    idle = np.abs(grams.values.astype(np.int16) - values[at, grams.languages]) < _IDLE
    best = np.full(len(unique), 256, dtype=np.int16)
    np.minimum.at(best, at, grams.values)
    stays = ~idle | (grams.values == best[at])
    values[at[stays], grams.languages[stays]] = grams.values[stays]
    return _Kept(unique, values), Entries(grams.keys[stays], grams.languages[stays], grams.values[stays])
