"""Building a language model from word lists and n-gram counts.

Words that are in no list are judged by their letters: the probability of each letter after the one to four before it,
with beginning and end of the word. A word in the lists gets, for each language, a mixture of its share of all words and of
the likelihood of its letters, so that gaps in a list do no harm.
Cost: a minute for 88 languages with 20 million n-grams and 20,000 words each, and 4 GB of memory.
Source: Stein 1997, sections 4.6, 4.8 and 4.9; here n-grams reach into the word, and shorter ones smooth longer ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.language.model.count_ngrams import (
    Counts,
    Word,
    count_ngrams,
    find_scripts,
    is_unspaced,
    normalise_words,
)
from gossamer.text.language.model.feature_table import OTHERS, TENTHS, hash_word
from gossamer.text.language.model.letter_model import choose_ngrams, compute_levels, round_values
from gossamer.text.language.model.model import Model, ModelLanguage
from gossamer.text.language.model.pack_table import Entries, join_entries, pack_table
from gossamer.text.language.model.plain_scorer import ScorerWeights

ZIPF_SHARE = 0.0006  # Stein 1997, section 4.8: where the curve of English leaves the others


class Recipe(msgspec.Struct, frozen=True):
    """The tuned parameters of a model; see docs/decisions/0008-language-recogniser.md."""

    weights: ScorerWeights = ScorerWeights()
    sure_words: int = 5_000
    """The number of most frequent words of each language that are always stored."""
    words: int = 16_000
    """The number of most frequent words of each language that are stored if their letters alone would mislead."""
    least_margin: int = 8
    """The tenths of a nat by which the lead of its language must differ for such a word."""
    least_gain: float = 3e-4
    """The information an n-gram needs to be stored, in tenths of a nat for each letter of text."""
    list_weight: float = 0.7
    """The weight of the list in the mixture of list and letters."""
    letters_again: float = 0.6
    """The weight of the letters beside the mixture."""
    most_entries: int = 7
    """The most languages that the record of a word lists."""
    foreign: int = 20
    """The extra penalty of a word, in tenths of a nat, for close relatives that do not have it."""


RECIPE = Recipe()


def build_model(
    lists: Mapping[str, Mapping[str, float]],
    counts: Mapping[str, Counts] | None = None,
    recipe: Recipe = RECIPE,
    handicaps: Mapping[str, int] | None = None,
    foreign: Mapping[str, Collection[str]] | None = None,
    named_only: Collection[str] = (),
) -> Model:
    """Build a model from word lists: words and their frequencies, in any unit, by language.

    `counts` are n-grams of running text, which replace those of the list of a language. A name may have a script, as in
    sr-Latn: its list is for that script, and the language is the code before it. `foreign` has words that distinguish
    close relatives, each with the lists that lack it. `named_only` are languages that are candidates only on request.
    """
    words = {name: normalise_words(lists[name]) for name in sorted(lists)}
    empty = [name for name, list_ in words.items() if not list_]
    if empty or not words:
        raise BadInput(f"A model needs word lists; these have no words: {', '.join(empty) or 'all'}")
    given = counts or {}
    grams = [compute_levels(given[name] if name in given else count_ngrams(words[name])) for name in words]
    letters = choose_ngrams(grams, recipe.weights, recipe.least_gain)
    known = tuple(
        ModelLanguage(
            name.split("-")[0], find_scripts(words[name]), (handicaps or {}).get(name, 0), name in named_only
        )
        for name in words
    )
    by_letters = Model(known, recipe.weights, pack_table(letters))
    number = {name: at for at, name in enumerate(words)}
    costs = {
        tuple(map(ord, word)): [number[name] for name in names] for word, names in (foreign or {}).items()
    }
    entries = _make_word_entries(list(words.values()), by_letters, recipe, costs)
    return Model(known, recipe.weights, pack_table(join_entries([letters, *entries])))


def _make_word_entries(
    lists: Sequence[Mapping[Word, float]],
    by_letters: Model,
    recipe: Recipe,
    foreign: Mapping[Word, Sequence[int]],
) -> Iterator[Entries]:
    """Yield the entries of all stored words, 10,000 words at a time."""
    sure: set[Word] = set()
    possible: set[Word] = set()
    for words in lists:
        ranked = [
            word for word in sorted(words, key=lambda word: (-words[word], word)) if not is_unspaced(word)
        ]
        sure.update(ranked[: recipe.sure_words])
        possible.update(ranked[: recipe.words])
    in_order = sorted(sure | possible)
    for start in range(0, len(in_order), 10_000):
        chunk = in_order[start : start + 10_000]
        shares = np.array([[words.get(word, 0.0) for words in lists] for word in chunk])
        letters = np.array(
            [by_letters.scorer.score_letters("".join(map(chr, word))) for word in chunk], dtype=np.float64
        )
        keys = np.array([hash_word(word) for word in chunk], dtype=np.uint64)
        values = mix_values(shares, letters, recipe)
        for row, word in enumerate(chunk):
            if word in foreign:
                values[row, foreign[word]] += recipe.foreign
        values = np.minimum(values, 255)
        kept = np.array([word in sure for word in chunk]) | (
            _measure_margin_change(values, letters) >= recipe.least_margin
        )
        yield make_entries(keys[kept], values[kept], recipe)


def _measure_margin_change(values: NDArray[np.int64], letters: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much the lead of each word's best language differs from its lead by letters alone."""
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


def mix_values(
    shares: NDArray[np.float64], letters: NDArray[np.float64], recipe: Recipe
) -> NDArray[np.int64]:
    """Return the value of each word in each language."""
    weight, again = recipe.list_weight, recipe.letters_again
    has_list = shares.any(axis=0)
    by_letters = np.exp(-letters / TENTHS)
    mixture = np.where(has_list, weight * shares + (1 - weight) * by_letters, by_letters)
    tenths = (-TENTHS * np.log(np.maximum(mixture, 1e-300)) + again * letters) / (1 + again)
    values = round_values(tenths)
    # The value marks Zipf words, regardless of the letters.
    zipf_value = recipe.weights.zipf_value
    is_zipf = shares >= ZIPF_SHARE
    result: NDArray[np.int64] = np.where(
        is_zipf, np.minimum(values, zipf_value), np.maximum(values, zipf_value + 1)
    )
    return result


def make_entries(keys: NDArray[np.uint64], values: NDArray[np.int64], recipe: Recipe) -> Entries:
    """Return the entries of words: the best languages, and one entry for all others."""
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
