"""A model with more words, and perhaps more languages, than another: what a crawl adds to the shipped lists.

The table of a model keeps no words, only their hashes, so lists cannot be got out of it and mixed. But any word can
be asked for, and a table can be written into: words of the crawl get their old share mixed with their new one,
words it does not know find a place of their own, and all that the crawl does not speak of stays as it is.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.build_model import ZIPF_SHARE, Recipe, entries_of, mixed
from gossamer.text.language.model.count_ngrams import cleaned, counted, scripts_of
from gossamer.text.language.model.edit_table import Entry, Overwritten
from gossamer.text.language.model.feature_table import GRAM_START, OTHERS, TENTHS, gram_key, word_key
from gossamer.text.language.model.letter_model import levels, tenths
from gossamer.text.language.model.model import Language, Model
from gossamer.text.language.model.scripts import SCRIPTS, script_number
from gossamer.text.language.training.word_lists import WordList, is_unspaced

Floats = NDArray[np.float64]

# The shipped lists count as if so many words had been read for them; see docs/language-training.md for what else was tried.
_SHIPPED_WORDS = 100_000
# What was used less often is a slip or a name as likely as a word.
FEWEST_TIMES = 2
_AT_ONCE = 5_000
# The n-gram without letters, which all languages have.
_NOTHING = gram_key(GRAM_START)
_BELOW_ZIPF = 0.999 * ZIPF_SHARE


def extended(base: Model, lists: Mapping[str, WordList]) -> Model:
    """Return a model that knows the words of these lists as well, and the languages that the base does not know.

    A word that no list of the base has extends a language only if no other list here has it (seed 003, section 4.7);
    frequent ones come first, as long as the table has room.
    Cost: some 20 microseconds for each word and language.
    """
    with_languages = _with_languages(
        base, {code: lists[code] for code in lists if code not in base.languages}
    )
    return _with_words(with_languages, lists, frozenset(base.languages))


def new_words(base: Model, trained: Model, lists: Mapping[str, WordList]) -> dict[str, list[str]]:
    """Return the words by which each language was extended: those that the trained model has and its base has not."""
    before, after = Overwritten(base.parts), Overwritten(trained.parts)
    found: dict[str, list[str]] = {code: [] for code in lists}
    for word, codes in _users(lists).items():
        if len(codes) == 1 and before.find(_key(word)) is None and after.find(_key(word)) is not None:
            found[next(iter(codes))].append(word)
    return found


def _users(lists: Mapping[str, WordList]) -> dict[str, dict[str, int]]:
    """Return who uses each word, and how often, frequent ones first; without rare ones and words without spaces."""
    users: dict[str, dict[str, int]] = {}
    for code, words in lists.items():
        for word, times in words.items():
            users.setdefault(word, {})[code] = times
    kept = [
        word for word, codes in users.items() if max(codes.values()) >= FEWEST_TIMES and not is_unspaced(word)
    ]
    return {word: users[word] for word in sorted(kept, key=lambda word: (-max(users[word].values()), word))}


def _with_languages(base: Model, lists: Mapping[str, WordList]) -> Model:
    """Add languages by the letters of their words."""
    if not lists:
        return base
    known = list(base.known)
    table = Overwritten(base.parts)
    for code, words in lists.items():
        shares = cleaned(words)
        own: set[int] = set()
        for level in levels(counted(shares)):
            values = tenths(level.likely)
            for key, below, value in zip(
                level.keys.tolist(), level.below.tolist(), values.tolist(), strict=True
            ):
                _add_gram(table, key, below, (len(known), value), own)
        known.append(Language(code, scripts_of(shares)))
    return Model(tuple(known), base.weights, table.parts())


def _add_gram(table: Overwritten, key: int, below: int, entry: tuple[int, int], own: set[int]) -> None:
    """Give a language its value of an n-gram, if that is in the table or ends with a letter that no other has.

    Others would be taken not to have an n-gram that is put into the table for one of them.
    """
    entries = table.find(key)
    if entries is not None:
        table.put(key, [*entries, entry])
    elif below in own or below == _NOTHING:
        table.put(key, [entry])
        own.add(key)


def _with_words(model: Model, lists: Mapping[str, WordList], of_base: frozenset[str]) -> Model:
    """Write the words of lists into the table of a model that knows their languages."""
    table = Overwritten(model.parts)
    totals = {code: sum(words.values()) for code, words in lists.items()}
    users = iter(_users(lists).items())
    while chunk := dict(islice(users, _AT_ONCE)):
        entries = {word: table.find(_key(word)) for word in chunk}
        wanted = [word for word, codes in chunk.items() if entries[word] is not None or len(codes) == 1]
        if not wanted:
            continue
        letters = np.array([model.scorer.letters(word) for word in wanted], dtype=np.float64)
        shares = np.array(
            [_shares(entries[word] or (), row, model) for word, row in zip(wanted, letters, strict=True)]
        )
        for word, row in zip(wanted, shares, strict=True):
            for code, times in chunk[word].items():
                number = _number(model.known, code, word)
                prior = _SHIPPED_WORDS if code in of_base else 0
                row[number] = (times + prior * row[number]) / (totals[code] + prior)
        for key, written in _written(wanted, shares, letters, Recipe(weights=model.weights)):
            table.put(key, written)
    # Whoever trains a language wants it to be recognised.
    known = [
        msgspec.structs.replace(one, named_only=one.named_only and one.code not in lists)
        for one in model.known
    ]
    return Model(tuple(known), model.weights, table.parts())


def _shares(entries: Sequence[Entry], letters: Floats, model: Model) -> Floats:
    """Return which shares a word has in each language, by what the table says: what `building` does, undone."""
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


def _written(
    words: Sequence[str], shares: Floats, letters: Floats, recipe: Recipe
) -> Iterator[tuple[int, list[Entry]]]:
    """Yield the hash of each word and its entries."""
    keys = np.array([_key(word) for word in words], dtype=np.uint64)
    # A last row that is not written says that all languages have lists, also those without any of these words.
    values = mixed(np.vstack([shares, np.ones(shares.shape[1])]), np.vstack([letters, letters[-1:]]), recipe)[
        :-1
    ]
    found = entries_of(keys, values, recipe)
    by_key: dict[int, list[Entry]] = {}
    for key, language, value in zip(*(column.tolist() for column in found), strict=True):
        by_key.setdefault(key, []).append((language, value))
    yield from by_key.items()


def _number(known: Sequence[Language], code: str, word: str) -> int:
    """Return the number of a language; of one with several scripts, in that of the word."""
    script = SCRIPTS[script_number(ord(word[0]))]
    numbers = [number for number, language in enumerate(known) if language.code == code]
    return next((number for number in numbers if script in known[number].scripts), numbers[0])


def _key(word: str) -> int:
    return word_key(map(ord, word))
