"""Extending a model by the words, and perhaps the languages, of a crawl.

The table of a model stores hashes, not words, so its lists cannot be recovered and merged. But any word can be looked
up, and the table can be edited: for words of the crawl, the old share is mixed with the new one; unknown words are added;
everything else stays unchanged.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.build_model import ZIPF_SHARE, Recipe, make_entries, mix_values
from gossamer.text.language.model.count_ngrams import count_ngrams, find_scripts, normalise_words
from gossamer.text.language.model.edit_table import Entry, TableEditor
from gossamer.text.language.model.feature_table import GRAM_START, OTHERS, TENTHS, hash_word, to_gram_key
from gossamer.text.language.model.letter_model import compute_levels, to_tenths
from gossamer.text.language.model.model import Model, ModelLanguage
from gossamer.text.language.model.scripts import SCRIPTS, find_script
from gossamer.text.language.training.word_lists import WordList, is_unspaced

Floats = NDArray[np.float64]

# The shipped lists weigh as much as this many words of a crawl; docs/language-training.md has the alternatives.
_SHIPPED_WORDS = 100_000
# A rarer word is as likely a typing error or a name.
FEWEST_TIMES = 2
_AT_ONCE = 5_000
# The empty n-gram, which all languages have.
_NOTHING = to_gram_key(GRAM_START)
_BELOW_ZIPF = 0.999 * ZIPF_SHARE


def extend_model(base: Model, lists: Mapping[str, WordList]) -> Model:
    """Return a model that also knows the words of these lists, and their languages if the base lacks them.

    A word that is in no list of the base extends a language only if no other list here has it (Stein 1997,
    section 4.7). Cost: about 20 microseconds for each word and language.
    """
    with_languages = _add_languages(base, {code: lists[code] for code in lists if code not in base.languages})
    return _add_words(with_languages, lists, frozenset(base.languages))


def find_new_words(base: Model, trained: Model, lists: Mapping[str, WordList]) -> dict[str, list[str]]:
    """Return the new words of each language: those that the trained model has and its base lacks."""
    before, after = TableEditor(base.table), TableEditor(trained.table)
    found: dict[str, list[str]] = {code: [] for code in lists}
    for word, codes in _count_users(lists).items():
        if (
            len(codes) == 1
            and before.find(_hash_text(word)) is None
            and after.find(_hash_text(word)) is not None
        ):
            found[next(iter(codes))].append(word)
    return found


def _count_users(lists: Mapping[str, WordList]) -> dict[str, dict[str, int]]:
    """Return each word with its languages and counts, frequent ones first, without rare and unspaced words."""
    users: dict[str, dict[str, int]] = {}
    for code, words in lists.items():
        for word, times in words.items():
            users.setdefault(word, {})[code] = times
    kept = [
        word for word, codes in users.items() if max(codes.values()) >= FEWEST_TIMES and not is_unspaced(word)
    ]
    return {word: users[word] for word in sorted(kept, key=lambda word: (-max(users[word].values()), word))}


def _add_languages(base: Model, lists: Mapping[str, WordList]) -> Model:
    """Add languages, by the letters of their words."""
    if not lists:
        return base
    known = list(base.known)
    table = TableEditor(base.table)
    for code, words in lists.items():
        shares = normalise_words(words)
        own: set[int] = set()
        for level in compute_levels(count_ngrams(shares)):
            values = to_tenths(level.likely)
            for key, below, value in zip(
                level.keys.tolist(), level.below.tolist(), values.tolist(), strict=True
            ):
                _add_gram(table, key, below, (len(known), value), own)
        known.append(ModelLanguage(code, find_scripts(shares)))
    return Model(tuple(known), base.weights, table.to_table())


def _add_gram(table: TableEditor, key: int, below: int, entry: tuple[int, int], own: set[int]) -> None:
    """Set the value of an n-gram for a language, if the table has it or its letters are new to all languages.

    Adding another n-gram for one language would penalise all other languages, as if they did not have it.
    """
    entries = table.find(key)
    if entries is not None:
        table.set_entries(key, [*entries, entry])
    elif below in own or below == _NOTHING:
        table.set_entries(key, [entry])
        own.add(key)


def _add_words(model: Model, lists: Mapping[str, WordList], of_base: frozenset[str]) -> Model:
    """Add the words of lists to the table of a model that knows their languages."""
    table = TableEditor(model.table)
    totals = {code: sum(words.values()) for code, words in lists.items()}
    users = iter(_count_users(lists).items())
    while chunk := dict(islice(users, _AT_ONCE)):
        entries = {word: table.find(_hash_text(word)) for word in chunk}
        wanted = [word for word, codes in chunk.items() if entries[word] is not None or len(codes) == 1]
        if not wanted:
            continue
        letters = np.array([model.scorer.score_letters(word) for word in wanted], dtype=np.float64)
        shares = np.array(
            [
                _recover_shares(entries[word] or (), row, model)
                for word, row in zip(wanted, letters, strict=True)
            ]
        )
        for word, row in zip(wanted, shares, strict=True):
            for code, times in chunk[word].items():
                number = _find_number(model.known, code, word)
                prior = _SHIPPED_WORDS if code in of_base else 0
                row[number] = (times + prior * row[number]) / (totals[code] + prior)
        for key, written in _make_word_entries(wanted, shares, letters, Recipe(weights=model.weights)):
            table.set_entries(key, written)
    # A language that is trained becomes a usual candidate.
    known = [
        msgspec.structs.replace(one, named_only=one.named_only and one.code not in lists)
        for one in model.known
    ]
    return Model(tuple(known), model.weights, table.to_table())


def _recover_shares(entries: Sequence[Entry], letters: Floats, model: Model) -> Floats:
    """Return the share of a word in each language, recovered from its entries: the inverse of `mix_values`."""
    recipe, zipf_value = Recipe(), model.weights.zipf_value
    shares = np.zeros(len(letters))
    for language, value in entries:
        if language != OTHERS:
            by_letters = math.exp(-letters[language] / TENTHS)
            both = (1 + recipe.letters_again) * value - recipe.letters_again * letters[language]
            share = (math.exp(-both / TENTHS) - (1 - recipe.list_weight) * by_letters) / recipe.list_weight
            shares[language] = (
                max(share, ZIPF_SHARE) if value <= zipf_value else min(max(share, 0.0), _BELOW_ZIPF)
            )
    return shares


def _make_word_entries(
    words: Sequence[str], shares: Floats, letters: Floats, recipe: Recipe
) -> Iterator[tuple[int, list[Entry]]]:
    """Yield the hash of each word and its new entries."""
    keys = np.array([_hash_text(word) for word in words], dtype=np.uint64)
    # The last row is dropped again: it marks all languages as having lists, even without any of these words.
    values = mix_values(
        np.vstack([shares, np.ones(shares.shape[1])]), np.vstack([letters, letters[-1:]]), recipe
    )[:-1]
    found = make_entries(keys, values, recipe)
    by_key: dict[int, list[Entry]] = {}
    for key, language, value in zip(*(column.tolist() for column in found), strict=True):
        by_key.setdefault(key, []).append((language, value))
    yield from by_key.items()


def _find_number(known: Sequence[ModelLanguage], code: str, word: str) -> int:
    """Return the number of a language, in the script of the word if it has several."""
    script = SCRIPTS[find_script(ord(word[0]))]
    numbers = [number for number, language in enumerate(known) if language.code == code]
    return next((number for number in numbers if script in known[number].scripts), numbers[0])


def _hash_text(word: str) -> int:
    return hash_word(map(ord, word))
