"""The scorer in plain Python: the readable twin of `scorer.pyx`, used where that is not compiled.

It takes about a hundred times as long; a test keeps both equal.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec

from gossamer.text.language.model.feature_table import (
    GRAM_START,
    OTHERS,
    FeatureTable,
    extend_hash,
    find_entries,
    hash_word,
    to_gram_key,
)
from gossamer.text.language.model.language_evidence import (
    FARTHEST,
    INDEPENDENCE,
    LEAST_SHARE,
    MOST_CANDIDATES,
    LanguageEvidence,
)
from gossamer.text.language.model.sample_text import sample_text
from gossamer.text.language.model.scripts import (
    NONE,
    NUMBER,
    SCRIPTS,
    SKIPPED,
    UNSPACED,
    WEIGHT,
    find_script,
    is_junk,
    to_lower,
)

START_OF_WORD = 1
END_OF_WORD = 2
LONGEST_GRAM = 5
LONGEST_WORD = 40
"""The characters of a word that count: anything longer is no word."""
WEIGHED = 120
"""About this many characters of a long text decide its leading script."""


class ScorerWeights(msgspec.Struct, frozen=True):
    """The parameters of the scorer beside the table; values are tenths of a nat."""

    unseen_letter: int = 120
    """The penalty of a letter for a language that never has it."""
    unseen_gram: tuple[int, ...] = (0, 0, 5, 5, 5, 5)
    """The penalty of an n-gram, by its length, for a language without it, added to that of the shorter one."""
    gram_eighths: int = 7
    """The weight of a word that is judged by its n-grams, in eighths."""
    zipf_eighths: int = 10
    """The weight of a Zipf word, in eighths."""
    farthest: int = 80
    """The most that one word can put a language behind the best one."""
    zipf_value: int = 74
    """The value of a word with 0.06 % of all words."""


class TextScore(msgspec.Struct):
    """The scores of a text: its leading script and, of the words in it, penalties by language."""

    script: int
    letters: int
    junk: int
    penalties: list[int]
    """The negative log-likelihood of the text in each language, in eightieths of a nat."""
    zipf_words: list[int]
    """The number of Zipf words of each language."""
    by_letters: bool
    """Whether words outside the lists are judged by their letters, or ignored."""
    words: int = 0


class Scorer:
    """Scores texts with one model."""

    def __init__(
        self, table: FeatureTable, weights: ScorerWeights, scripts_of: Sequence[int], handicaps: Sequence[int]
    ) -> None:
        self._table = table
        self._weights = weights
        self._scripts_of = scripts_of
        self._handicaps = handicaps

    def judge(
        self, text: str, allowed: bytes | None = None, script: int = NONE, by_letters: bool = True
    ) -> LanguageEvidence:
        """Return the counts of a text, and the shares of the allowed languages that it may be in.

        Only words in `script` count; by default, the leading script of the text. Words outside the lists are judged by
        their letters, or ignored.
        """
        found = self._score(text, script, by_letters)
        penalties = {
            at: found.penalties[at] / 8 + handicap
            for at, handicap in enumerate(self._handicaps)
            if self._scripts_of[at] >> found.script & (found.script != NONE)
            and (allowed is None or allowed[at])
        }
        shares = _compute_shares(penalties, found.words)
        zipf_words = found.zipf_words[shares[0][0]] if shares else 0
        return LanguageEvidence(found.letters, found.words, found.junk, zipf_words, shares)

    def judge_sample(
        self, text: str, stretches: int, characters: int, allowed: bytes | None = None
    ) -> tuple[int, LanguageEvidence]:
        """Return the leading script of a long text, and the evidence of known words in a few stretches."""
        step = max(1, len(text) // WEIGHED)
        script, _ = find_leading_script([ord(character) for character in text[::step]])
        if max(text, default="") <= "\xff":
            script = NUMBER["Latn"]  # the only script up to this character
        sample = sample_text(text, stretches, characters)
        if script == NONE:
            return script, LanguageEvidence(0, 0, 0, 0, ())
        found = self.judge(sample, allowed, script, by_letters=False)
        return script, found._replace(letters=0, junk=0)

    def score(self, text: str) -> tuple[int, int, int, int, list[int], list[int]]:
        """Return script, letters, words, junk, and penalties and Zipf words by language."""
        found = self._score(text, NONE, True)
        return found.script, found.letters, found.words, found.junk, found.penalties, found.zipf_words

    def score_letters(self, word: str) -> list[int]:
        """Return the penalty of a word in each language, by its letters alone."""
        codes = [START_OF_WORD, *map(ord, word[:LONGEST_WORD]), END_OF_WORD]
        return self._sum_letters(codes, 1)

    def _score(self, text: str, given_script: int, by_letters: bool) -> TextScore:
        codes = [ord(character) for character in text]
        leading, letters = find_leading_script(codes)
        script = given_script or leading
        languages = len(self._handicaps)
        junk = sum(map(is_junk, codes))
        found = TextScore(script, letters, junk, [0] * languages, [0] * languages, by_letters)
        if script != NONE:
            score = self._score_unspaced if script in UNSPACED else self._score_word
            for word in split_words(codes, script):
                score(word, found)
        return found

    def _score_word(self, word: list[int], found: TextScore) -> None:
        table, weights = self._table, self._weights
        entries = find_entries(table, hash_word(word))
        if entries is None and not found.by_letters:
            return
        found.words += 1
        if entries is None:
            self._add_letters([START_OF_WORD, *word, END_OF_WORD], 1, found)
            return
        values = {table.records[at]: table.records[at + 1] for at in entries}
        others = values.pop(OTHERS)
        is_zipf = min(values.values()) <= weights.zipf_value
        eighths = weights.zipf_eighths if is_zipf else 8
        for language in range(len(found.penalties)):
            value = values.get(language, others)
            found.penalties[language] += value * eighths
            found.zipf_words[language] += language in values and value <= weights.zipf_value

    def _score_unspaced(self, run: list[int], found: TextScore) -> None:
        """Score a run of characters without spaces; each counts as a word."""
        found.words += len(run)
        self._add_letters(run, 0, found)
        for code in run:
            for at in find_entries(self._table, to_gram_key(extend_hash(GRAM_START, code))) or ():
                is_zipf = self._table.records[at + 1] <= self._weights.zipf_value
                found.zipf_words[self._table.records[at]] += is_zipf

    def _add_letters(self, codes: list[int], first: int, found: TextScore) -> None:
        """Score characters by their n-grams, from the index `first` on."""
        total = self._sum_letters(codes, first)
        farthest = min(total) + self._weights.farthest
        for language, value in enumerate(total):
            found.penalties[language] += min(value, farthest) * self._weights.gram_eighths

    def _sum_letters(self, codes: list[int], first: int) -> list[int]:
        total = [0] * len(self._handicaps)
        for end in range(first, len(codes)):
            for language, value in enumerate(self._score_letter(codes, end)):
                total[language] += value
        return total

    def _score_letter(self, codes: list[int], end: int) -> list[int]:
        """Return the penalty of a letter after those before it, by the longest n-gram of each language."""
        table, weights = self._table, self._weights
        values = [0] * len(self._handicaps)
        state = GRAM_START
        for length in range(1, min(LONGEST_GRAM, end + 1) + 1):
            state = extend_hash(state, codes[end - length + 1])
            entries = find_entries(table, to_gram_key(state))
            if entries is None:
                break
            unseen = weights.unseen_gram[length]
            values = [weights.unseen_letter if length == 1 else value + unseen for value in values]
            for at in entries:
                values[table.records[at]] = table.records[at + 1]
        return values


def _compute_shares(penalties: dict[int, float], words: int) -> tuple[tuple[int, float], ...]:
    """Rank languages by penalty, and return those with a share worth naming."""
    if not penalties:
        return ()
    best = min(penalties.values())
    steepness = 1 / (10 * max(1, words) ** INDEPENDENCE)
    behind = {at: (penalty - best) * steepness for at, penalty in penalties.items()}
    odds = {at: math.exp(-far) if far <= FARTHEST else 0.0 for at, far in behind.items()}
    total = sum(odds.values())
    named = sorted((penalties[at], at) for at in odds if odds[at] >= LEAST_SHARE * total)
    return tuple((at, odds[at] / total) for _, at in named[:MOST_CANDIDATES])


def find_leading_script(codes: Sequence[int]) -> tuple[int, int]:
    """Return the number of the leading script, and the number of letters of all scripts."""
    counts = [0] * len(SCRIPTS)
    for code in codes:
        number = find_script(code)
        if number != SKIPPED:
            counts[number] += 1
    counts[NONE] = 0
    weighed = [count * weight for count, weight in zip(counts, WEIGHT, strict=True)]
    best = max(range(len(SCRIPTS)), key=lambda number: (weighed[number], -number))
    return (best if counts[best] else NONE), sum(counts)


def split_words(codes: Sequence[int], script: int) -> Iterator[list[int]]:
    """Yield the words of one script in lower case, cut at LONGEST_WORD characters."""
    word: list[int] = []
    for code in codes:
        number = find_script(code)
        if number == script:
            if len(word) == LONGEST_WORD and script in UNSPACED:
                yield word
                word = []
            if len(word) < LONGEST_WORD:
                word.append(to_lower(code))
        elif number != SKIPPED and word:
            yield word
            word = []
    if word:
        yield word
