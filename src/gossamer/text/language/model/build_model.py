"""From word lists to a model.

For words that no list has, a language is known by its letters: how likely each is after the one to four before it,
beginning and end of the word included. A word of the lists gets, for each language, a mixture of its share of all words
there and of what its letters say, so that a list with gaps does no harm.
Cost: a minute for 88 languages with 20 million n-grams and 20,000 words each, and 4 GB of memory.
Source: seed 003, sections 4.6, 4.8 and 4.9; n-grams reach into the word, and shorter ones smooth longer ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.language.model.count_ngrams import (
    Counts,
    Word,
    cleaned,
    counted,
    is_unspaced,
    scripts_of,
)
from gossamer.text.language.model.feature_table import OTHERS, TENTHS, word_key
from gossamer.text.language.model.letter_model import chosen, levels, rounded
from gossamer.text.language.model.model import Language, Model
from gossamer.text.language.model.pack_table import Entries, joined, packed
from gossamer.text.language.model.plain_scorer import Weights

ZIPF_SHARE = 0.0006  # seed 003, section 4.8: read from where the curve of English leaves the others


class Recipe(msgspec.Struct, frozen=True):
    """How a model is made of lists: what was tuned, see docs/decisions/0008-language-recogniser.md."""

    weights: Weights = Weights()
    sure_words: int = 5_000
    """The most frequent words of each language, which are all remembered."""
    words: int = 16_000
    """The most frequent words of each language that are remembered if their letters alone tell something else."""
    least_margin: int = 8
    """By how many tenths of a nat the lead of its language must differ for such a word."""
    least_gain: float = 3e-4
    """What an n-gram must say to be remembered, in tenths of a nat a letter."""
    list_weight: float = 0.7
    """How much the list counts in the mixture of list and letters."""
    letters_again: float = 0.6
    """How much the letters count beside the mixture."""
    most_entries: int = 7
    """The languages that a word names at most."""
    foreign: int = 20
    """What a word costs close relatives that do not have it, in tenths of a nat, on top of what lists and letters say."""


RECIPE = Recipe()


def built(
    lists: Mapping[str, Mapping[str, float]],
    counts: Mapping[str, Counts] | None = None,
    recipe: Recipe = RECIPE,
    handicaps: Mapping[str, int] | None = None,
    foreign: Mapping[str, Collection[str]] | None = None,
    named_only: Collection[str] = (),
) -> Model:
    """Make a model of word lists: words and their frequencies, in any unit, by language.

    `counts` are n-grams of running text, for languages where such are known: they replace those of the list. A name
    may have a script, as in sr-Latn: its list is one for that script, and the language is known by the code before it.
    `foreign` names words that tell close relatives apart, each with the lists that it is foreign to; `named_only` are
    languages that come into question only where they are named.
    """
    words = {name: cleaned(lists[name]) for name in sorted(lists)}
    empty = [name for name, list_ in words.items() if not list_]
    if empty or not words:
        raise BadInput(f"A model needs word lists; these have no words: {', '.join(empty) or 'all'}")
    given = counts or {}
    grams = [levels(given[name] if name in given else counted(words[name])) for name in words]
    letters = chosen(grams, recipe.weights, recipe.least_gain)
    known = tuple(
        Language(
            name.split("-")[0], scripts_of(words[name]), (handicaps or {}).get(name, 0), name in named_only
        )
        for name in words
    )
    by_letters = Model(known, recipe.weights, packed(letters))
    number = {name: at for at, name in enumerate(words)}
    costs = {
        tuple(map(ord, word)): [number[name] for name in names] for word, names in (foreign or {}).items()
    }
    entries = _words(list(words.values()), by_letters, recipe, costs)
    return Model(known, recipe.weights, packed(joined([letters, *entries])))


def _words(
    lists: Sequence[Mapping[Word, float]],
    by_letters: Model,
    recipe: Recipe,
    foreign: Mapping[Word, Sequence[int]],
) -> Iterator[Entries]:
    """Yield the entries of all words that are remembered, some thousands at a time."""
    sure: set[Word] = set()
    perhaps: set[Word] = set()
    for words in lists:
        ranked = [
            word for word in sorted(words, key=lambda word: (-words[word], word)) if not is_unspaced(word)
        ]
        sure.update(ranked[: recipe.sure_words])
        perhaps.update(ranked[: recipe.words])
    in_order = sorted(sure | perhaps)
    for start in range(0, len(in_order), 10_000):
        chunk = in_order[start : start + 10_000]
        shares = np.array([[words.get(word, 0.0) for words in lists] for word in chunk])
        letters = np.array(
            [by_letters.scorer.letters("".join(map(chr, word))) for word in chunk], dtype=np.float64
        )
        keys = np.array([word_key(word) for word in chunk], dtype=np.uint64)
        values = mixed(shares, letters, recipe)
        for row, word in enumerate(chunk):
            if word in foreign:
                values[row, foreign[word]] += recipe.foreign
        values = np.minimum(values, 255)
        kept = np.array([word in sure for word in chunk]) | (
            _margin_moved(values, letters) >= recipe.least_margin
        )
        yield entries_of(keys[kept], values[kept], recipe)


def _margin_moved(values: NDArray[np.int64], letters: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much the lead of the best language of each word differs from what its letters alone give it."""
    if values.shape[1] == 1:
        return np.zeros(len(values))
    rows = np.arange(len(values))
    best = values.argmin(axis=1)
    second = np.partition(values, 1, axis=1)[:, 1]
    others = letters.copy()
    others[rows, best] = np.inf
    moved: NDArray[np.float64] = np.abs(
        second - values[rows, best] - (others.min(axis=1) - letters[rows, best])
    )
    return moved


def mixed(shares: NDArray[np.float64], letters: NDArray[np.float64], recipe: Recipe) -> NDArray[np.int64]:
    """Return the value of each word in each language."""
    weight, again = recipe.list_weight, recipe.letters_again
    has_list = shares.any(axis=0)
    by_letters = np.exp(-letters / TENTHS)
    mixture = np.where(has_list, weight * shares + (1 - weight) * by_letters, by_letters)
    mixed = (-TENTHS * np.log(np.maximum(mixture, 1e-300)) + again * letters) / (1 + again)
    values = rounded(mixed)
    # The value tells Zipf words from others, whatever the letters say.
    zipf_value = recipe.weights.zipf_value
    is_zipf = shares >= ZIPF_SHARE
    result: NDArray[np.int64] = np.where(
        is_zipf, np.minimum(values, zipf_value), np.maximum(values, zipf_value + 1)
    )
    return result


def entries_of(keys: NDArray[np.uint64], values: NDArray[np.int64], recipe: Recipe) -> Entries:
    """Return the entries of words: the best languages, and one for all others."""
    ranked = np.sort(values, axis=1)
    most = min(recipe.most_entries, values.shape[1] - 1)
    others = np.minimum(ranked[:, 0] + recipe.weights.farthest, ranked[:, most])
    others = np.minimum(np.maximum(others, ranked[:, 0] + 1), 255)
    rows, languages = np.nonzero(values < others[:, None])
    return Entries(
        np.concatenate([keys[rows], keys]),
        np.concatenate([languages.astype(np.uint8), np.full(len(keys), OTHERS, dtype=np.uint8)]),
        np.concatenate([values[rows, languages], others]).astype(np.uint8),
    )
