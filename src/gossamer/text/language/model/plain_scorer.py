"""The scorer in plain Python: what `scorer.pyx` does, readable, and used where that is not compiled.

It takes about a hundred times as long; a test keeps both equal.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec

from gossamer.text.language.model.feature_table import (
    GRAM_START,
    OTHERS,
    Parts,
    find,
    gram_key,
    with_code,
    word_key,
)
from gossamer.text.language.model.language_evidence import (
    FARTHEST,
    INDEPENDENCE,
    LEAST_SHARE,
    MOST_CANDIDATES,
    Judgement,
)
from gossamer.text.language.model.sample_text import sample_of
from gossamer.text.language.model.scripts import (
    NONE,
    NUMBER,
    SCRIPTS,
    SKIPPED,
    UNSPACED,
    WEIGHT,
    is_junk,
    lower,
    script_number,
)

START_OF_WORD = 1
END_OF_WORD = 2
LONGEST_GRAM = 5
LONGEST_WORD = 40
"""Characters of a word that are looked at: what is longer is no word."""
WEIGHED = 120
"""About so many characters of a long text say which script leads in it."""


class Weights(msgspec.Struct, frozen=True):
    """What the scorer is told beside the table; values are tenths of a nat."""

    unseen_letter: int = 120
    """What a letter costs a language that never has it."""
    unseen_gram: tuple[int, ...] = (0, 0, 5, 5, 5, 5)
    """What an n-gram costs a language that has not seen it, by its length, on top of the shorter one."""
    gram_eighths: int = 7
    """How much a word counts that is judged by its n-grams, in eighths."""
    zipf_eighths: int = 10
    """How much a Zipf word counts, in eighths."""
    farthest: int = 80
    """How far behind the best language one word can put another."""
    zipf_value: int = 74
    """The value of a word at 0.06 %."""


class Score(msgspec.Struct):
    """What was found in a text: the leading script and, in it, words and penalties by language."""

    script: int
    letters: int
    junk: int
    penalties: list[int]
    """How unlikely the text is in each language, in tenths of a nat and eighths: eight for one."""
    zipf_words: list[int]
    """How many of the words are Zipf words of each language."""
    by_letters: bool
    """Whether words that no list has are judged by their letters, or not at all."""
    words: int = 0


class Scorer:
    """Scores texts with one model."""

    def __init__(
        self, parts: Parts, weights: Weights, scripts_of: Sequence[int], handicaps: Sequence[int]
    ) -> None:
        self._table = parts
        self._weights = weights
        self._scripts_of = scripts_of
        self._handicaps = handicaps

    def judge(
        self, text: str, allowed: bytes | None = None, script: int = NONE, by_letters: bool = True
    ) -> Judgement:
        """Say what there is in a text, and which of the allowed languages it may be in, with their shares.

        A script tells which words count; without one, that which leads in the text. Words that no list has are judged by
        their letters, or not at all.
        """
        found = self._score(text, script, by_letters)
        penalties = {
            at: found.penalties[at] / 8 + handicap
            for at, handicap in enumerate(self._handicaps)
            if self._scripts_of[at] >> found.script & (found.script != NONE)
            and (allowed is None or allowed[at])
        }
        shares = _shares(penalties, found.words)
        zipf_words = found.zipf_words[shares[0][0]] if shares else 0
        return Judgement(found.letters, found.words, found.junk, zipf_words, shares)

    def glance(
        self, text: str, stretches: int, characters: int, allowed: bytes | None = None
    ) -> tuple[int, Judgement]:
        """Say which script leads in a long text, and what is in a few stretches of it, by words of lists alone."""
        step = max(1, len(text) // WEIGHED)
        script, _ = leading_script([ord(character) for character in text[::step]])
        if max(text, default="") <= "\xff":
            script = NUMBER["Latn"]  # the only script among such characters
        sample = sample_of(text, stretches, characters)
        if script == NONE:
            return script, Judgement(0, 0, 0, 0, ())
        found = self.judge(sample, allowed, script, by_letters=False)
        return script, found._replace(letters=0, junk=0)

    def score(self, text: str) -> tuple[int, int, int, int, list[int], list[int]]:
        """Return script, letters, words, junk, and penalties and Zipf words by language."""
        found = self._score(text, NONE, True)
        return found.script, found.letters, found.words, found.junk, found.penalties, found.zipf_words

    def letters(self, word: str) -> list[int]:
        """Return how unlikely a word is by its letters alone, in each language."""
        codes = [START_OF_WORD, *map(ord, word[:LONGEST_WORD]), END_OF_WORD]
        return self._letters(codes, 1)

    def _score(self, text: str, told_script: int, by_letters: bool) -> Score:
        codes = [ord(character) for character in text]
        leading, letters = leading_script(codes)
        script = told_script or leading
        languages = len(self._handicaps)
        junk = sum(map(is_junk, codes))
        found = Score(script, letters, junk, [0] * languages, [0] * languages, by_letters)
        if script != NONE:
            take = self._take_unspaced if script in UNSPACED else self._take_word
            for word in words_of(codes, script):
                take(word, found)
        return found

    def _take_word(self, word: list[int], found: Score) -> None:
        table, weights = self._table, self._weights
        entries = find(table, word_key(word))
        if entries is None and not found.by_letters:
            return
        found.words += 1
        if entries is None:
            self._take_letters([START_OF_WORD, *word, END_OF_WORD], 1, found)
            return
        values = {table.records[at]: table.records[at + 1] for at in entries}
        others = values.pop(OTHERS)
        is_zipf = min(values.values()) <= weights.zipf_value
        eighths = weights.zipf_eighths if is_zipf else 8
        for language in range(len(found.penalties)):
            value = values.get(language, others)
            found.penalties[language] += value * eighths
            found.zipf_words[language] += language in values and value <= weights.zipf_value

    def _take_unspaced(self, run: list[int], found: Score) -> None:
        """Take a run of characters without spaces; each counts as a word."""
        found.words += len(run)
        self._take_letters(run, 0, found)
        for code in run:
            for at in find(self._table, gram_key(with_code(GRAM_START, code))) or ():
                is_zipf = self._table.records[at + 1] <= self._weights.zipf_value
                found.zipf_words[self._table.records[at]] += is_zipf

    def _take_letters(self, codes: list[int], first: int, found: Score) -> None:
        """Judge a row of characters by its n-grams, from the place `first` on."""
        total = self._letters(codes, first)
        farthest = min(total) + self._weights.farthest
        for language, value in enumerate(total):
            found.penalties[language] += min(value, farthest) * self._weights.gram_eighths

    def _letters(self, codes: list[int], first: int) -> list[int]:
        total = [0] * len(self._handicaps)
        for end in range(first, len(codes)):
            for language, value in enumerate(self._letter(codes, end)):
                total[language] += value
        return total

    def _letter(self, codes: list[int], end: int) -> list[int]:
        """Return how unlikely a letter is after those before it: by the longest n-gram that each language has."""
        table, weights = self._table, self._weights
        values = [0] * len(self._handicaps)
        state = GRAM_START
        for length in range(1, min(LONGEST_GRAM, end + 1) + 1):
            state = with_code(state, codes[end - length + 1])
            entries = find(table, gram_key(state))
            if entries is None:
                break
            unseen = weights.unseen_gram[length]
            values = [weights.unseen_letter if length == 1 else value + unseen for value in values]
            for at in entries:
                values[table.records[at]] = table.records[at + 1]
        return values


def _shares(penalties: dict[int, float], words: int) -> tuple[tuple[int, float], ...]:
    """Rank languages by their penalties and give each its share, as far as it is worth naming."""
    if not penalties:
        return ()
    best = min(penalties.values())
    steepness = 1 / (10 * max(1, words) ** INDEPENDENCE)
    behind = {at: (penalty - best) * steepness for at, penalty in penalties.items()}
    odds = {at: math.exp(-far) if far <= FARTHEST else 0.0 for at, far in behind.items()}
    total = sum(odds.values())
    named = sorted((penalties[at], at) for at in odds if odds[at] >= LEAST_SHARE * total)
    return tuple((at, odds[at] / total) for _, at in named[:MOST_CANDIDATES])


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
            if len(word) == LONGEST_WORD and script in UNSPACED:
                yield word
                word = []
            if len(word) < LONGEST_WORD:
                word.append(lower(code))
        elif number != SKIPPED and word:
            yield word
            word = []
    if word:
        yield word
