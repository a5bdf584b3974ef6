"""The scorer in plain Python: what `scorer.pyx` does, readable, and used where that is not compiled.

It takes about a hundred times as long; a test keeps both equal.
"""

from collections.abc import Iterator, Sequence

import msgspec

from gossamer.text.language.scripts import (
    NONE,
    SCRIPTS,
    SKIPPED,
    UNSPACED,
    WEIGHT,
    is_junk,
    lower,
    script_number,
)
from gossamer.text.language.tables import GRAM_START, OTHERS, WORD_START, Table, find, hash_of, with_code

START_OF_WORD = 1
END_OF_WORD = 2
LONGEST_GRAM = 5
LONGEST_WORD = 40
"""Characters of a word that are looked at: what is longer is no word."""


class Weights(msgspec.Struct, frozen=True):
    """What the scorer is told beside the table; values are tenths of a nat."""

    unseen_letter: int = 120
    """What a letter costs a language that never has it."""
    unseen_gram: tuple[int, ...] = (0, 0, 12, 12, 12, 12)
    """What an n-gram costs a language that has not seen it, by its length, on top of the shorter one."""
    gram_eighths: int = 8
    """How much a word counts that is judged by its n-grams, in eighths."""
    zipf_eighths: int = 10
    """How much a Zipf word counts, in eighths."""
    farthest: int = 80
    """How far behind the best language one word can put another."""
    zipf_value: int = 74
    """The value of a word at 0.06 %."""


class Score(msgspec.Struct):
    """What the scorer found: the leading script and, in it, words and penalties by language."""

    script: int
    letters: int
    words: int
    junk: int
    penalties: list[int]
    """How unlikely the text is in each language, in tenths of a nat and eighths: eight for one."""
    zipf_words: list[int]
    """How many of the words are Zipf words of each language."""


def score(table: Table, weights: Weights, language_count: int, text: str) -> Score:
    """Score a text for every language, by the words of the script that leads in it."""
    codes = [ord(character) for character in text]
    script, letters = leading_script(codes)
    found = Score(script, letters, 0, sum(map(is_junk, codes)), [0] * language_count, [0] * language_count)
    if script != NONE:
        take = _take_unspaced if script in UNSPACED else _take_word
        for word in words_of(codes, script):
            take(table, weights, word, found)
    return found


def leading_script(codes: Sequence[int]) -> tuple[int, int]:
    """Return the number of the script that most of the text is in, and how many letters all scripts have."""
    counts = [0] * len(SCRIPTS)
    for code in codes:
        number = script_number(code)
        if number != SKIPPED:
            counts[number] += 1
    counts[NONE] = 0
    weighed = [count * weight for count, weight in zip(counts, WEIGHT, strict=True)]
    best = max(range(len(SCRIPTS)), key=lambda number: (weighed[number], -number))
    return (best if counts[best] else NONE), sum(counts)


def words_of(codes: Sequence[int], script: int) -> Iterator[list[int]]:
    """Yield the words of one script, in small letters, none longer than what is looked at."""
    word: list[int] = []
    for code in codes:
        number = script_number(code)
        if number == script:
            if len(word) < LONGEST_WORD:
                word.append(lower(code))
        elif number != SKIPPED and word:
            yield word
            word = []
    if word:
        yield word


def _take_word(table: Table, weights: Weights, word: list[int], found: Score) -> None:
    found.words += 1
    entries = find(table, hash_of(WORD_START, word))
    if entries is None:
        _take_grams(table, weights, [START_OF_WORD, *word, END_OF_WORD], 1, found)
        return
    values = dict(
        zip((table.languages[at] for at in entries), (table.values[at] for at in entries), strict=True)
    )
    others = values.pop(OTHERS)
    is_zipf = min(values.values()) <= weights.zipf_value
    eighths = weights.zipf_eighths if is_zipf else 8
    for language in range(len(found.penalties)):
        value = values.get(language, others)
        found.penalties[language] += value * eighths
        found.zipf_words[language] += language in values and value <= weights.zipf_value


def _take_unspaced(table: Table, weights: Weights, run: list[int], found: Score) -> None:
    """Take a run of characters without spaces; each counts as a word."""
    found.words += len(run)
    _take_grams(table, weights, run, 0, found)
    for code in run:
        for at in find(table, with_code(GRAM_START, code)) or ():
            found.zipf_words[table.languages[at]] += table.values[at] <= weights.zipf_value


def _take_grams(table: Table, weights: Weights, codes: list[int], first: int, found: Score) -> None:
    """Judge a row of characters by its n-grams, from the place `first` on."""
    total = [0] * len(found.penalties)
    for end in range(first, len(codes)):
        for language, value in enumerate(_next_letter(table, weights, codes, end, len(total))):
            total[language] += value
    farthest = min(total) + weights.farthest
    for language, value in enumerate(total):
        found.penalties[language] += min(value, farthest) * weights.gram_eighths


def _next_letter(
    table: Table, weights: Weights, codes: list[int], end: int, language_count: int
) -> list[int]:
    """Return how unlikely the letter at `end` is after those before it: by the longest n-gram that a language has."""
    values = [0] * language_count
    state = GRAM_START
    for length in range(1, min(LONGEST_GRAM, end + 1) + 1):
        state = with_code(state, codes[end - length + 1])
        entries = find(table, state)
        if entries is None:
            break
        unseen = weights.unseen_gram[length]
        values = (
            [weights.unseen_letter] * language_count if length == 1 else [value + unseen for value in values]
        )
        for at in entries:
            values[table.languages[at]] = table.values[at]
    return values
