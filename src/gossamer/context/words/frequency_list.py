"""Make a frequency list of a selection, and compare it with the rest of the collection or with another web."""

from typing import Literal

import msgspec
import numpy as np

from gossamer.context.words import keyness
from gossamer.context.words.selection import (
    SelectedSentences,
    Selection,
    count_rest,
    count_selection,
    select_sentences,
)
from gossamer.context.words.tokens.key_counts import KeyCounts
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.context.words.word_facts import WordSpread, list_lemma_forms, measure_spread, name_words
from gossamer.errors import BadInput

Measure = Literal["log-likelihood", "log-ratio", "simple-maths"]
Unit = Literal["forms", "lemmas"]
# Smaller differences have one word in twenty by chance.
_LEAST_DIFFERENCE = 3.84
# By effect size alone, words that occur by chance would win: G² of 1 word in 10,000 (Hardie 2014 filters so too).
_LEAST_SURE = 15.13


class WordRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a frequency list."""

    word: str
    language: str
    count: int
    per_million: float
    pages: int
    """Pages of the selection that have it."""
    dispersion: float
    """Deviation of proportions: from 0, spread evenly over the pages, to 1."""
    forms: tuple[tuple[str, int], ...] = ()
    """Of a lemma: its forms, and how often each of them occurs."""


class KeywordRow(WordRow, frozen=True, gc=False, kw_only=True):
    """A word that a selection uses more, or less, than what it is compared with."""

    count_elsewhere: int
    per_million_elsewhere: float
    score: float
    """G²; negative if the selection uses the word less."""
    p: float
    bayes_factor: float
    log_ratio: float
    simple_maths: float


class FrequencyList(msgspec.Struct, frozen=True):
    """The words of a selection, the most frequent first."""

    words: int
    """Words of the selection."""
    sentences: int
    pages: int
    distinct: int
    """Different words."""
    unit: Unit
    rows: tuple[WordRow, ...]


class KeywordList(msgspec.Struct, frozen=True):
    """The words that a selection uses more, or less, than what it is compared with."""

    words: int
    words_elsewhere: int
    sentences: int
    pages: int
    distinct: int
    unit: Unit
    measure: Measure
    rows: tuple[KeywordRow, ...]
    """What the selection uses more, the most typical first."""
    less: tuple[KeywordRow, ...]
    """What it uses less."""


class ListOptions(msgspec.Struct, frozen=True):
    """How a list is made."""

    unit: Unit = "forms"
    least: int = 1
    """Leave out words that occur less often, in both texts together."""
    number: int = 50
    measure: Measure = "log-likelihood"

    @property
    def lemmas(self) -> bool:
        """Whether lemmas are counted instead of forms."""
        return self.unit == "lemmas"


def make_frequency_list(store: TokenStore, selection: Selection, options: ListOptions) -> FrequencyList:
    """Return the most frequent words of a selection.

    Cost: a pass over the tokens of the selection, and another one for the pages and the spread of the words shown.
    """
    chosen = select_sentences(store, selection)
    counted = (
        count_selection(store, chosen, options.lemmas)
        if selection.is_part
        else store.get_totals(options.lemmas, selection.languages)
    )
    keys, counts = (
        counted.keys[counted.counts >= options.least],
        counted.counts[counted.counts >= options.least],
    )
    order = np.lexsort((keys, -counts))[: options.number]
    rows = _describe_words(store, chosen, KeyCounts(keys[order], counts[order]), counted.total, options)
    return FrequencyList(
        counted.total,
        len(chosen.sentences),
        _count_pages(store, chosen),
        len(counted.keys),
        options.unit,
        rows,
    )


def make_keyword_list(
    store: TokenStore, selection: Selection, options: ListOptions, other: TokenStore | None = None
) -> KeywordList:
    """Return the words that a selection uses more and less than the rest of its collection, or than another web."""
    chosen = select_sentences(store, selection)
    here = count_selection(store, chosen, options.lemmas)
    there = (
        count_rest(store, chosen, here, selection, options.lemmas)
        if other is None
        else other.get_totals(options.lemmas, selection.languages)
    )
    if not there.total:
        raise BadInput("the selection is all there is: nothing is left to compare it with")
    keys = np.union1d(here.keys, there.keys)
    counts = here.look_up(keys), there.look_up(keys)
    enough = counts[0] + counts[1] >= options.least
    keys, counts = keys[enough], (counts[0][enough], counts[1][enough])
    score = keyness.log_likelihood(*counts, here.total, there.total)
    more, less = (_rank(options, score, counts, here.total, there.total, sign) for sign in (1, -1))
    describe = _KeywordDescriber(store, other or store, chosen, options, (here.total, there.total))
    return KeywordList(
        here.total,
        there.total,
        len(chosen.sentences),
        _count_pages(store, chosen),
        len(here.keys),
        options.unit,
        options.measure,
        *(describe(keys[order], counts[0][order], counts[1][order], score[order]) for order in (more, less)),
    )


def _rank(
    options: ListOptions,
    score: keyness.Values,
    counts: tuple[keyness.Counts, keyness.Counts],
    words: int,
    words_elsewhere: int,
    sign: int,
) -> keyness.Counts:
    """Return the places of the words that are used more (sign 1) or less, the most typical first."""
    if options.measure == "log-likelihood":
        value, candidates = score, np.flatnonzero(sign * score >= _LEAST_DIFFERENCE)
    else:
        compute = keyness.log_ratio if options.measure == "log-ratio" else keyness.simple_maths
        value = compute(*counts, words, words_elsewhere)
        candidates = np.flatnonzero(sign * score >= _LEAST_SURE)
    order = np.lexsort((-(counts[0] + counts[1])[candidates], -sign * value[candidates]))
    ranked: keyness.Counts = candidates[order[: options.number]]
    return ranked


class _KeywordDescriber:
    """Makes the rows of a keyword list."""

    def __init__(
        self,
        store: TokenStore,
        other: TokenStore,
        chosen: SelectedSentences,
        options: ListOptions,
        words: tuple[int, int],
    ) -> None:
        self._store, self._other, self._chosen, self._options = store, other, chosen, options
        self._words = words

    def __call__(
        self, keys: np.ndarray, here: keyness.Counts, there: keyness.Counts, score: keyness.Values
    ) -> tuple[KeywordRow, ...]:
        plain = _describe_words(
            self._store, self._chosen, KeyCounts(keys, here), self._words[0], self._options, self._other
        )
        ratios = keyness.log_ratio(here, there, *self._words)
        maths = keyness.simple_maths(here, there, *self._words)
        return tuple(
            KeywordRow(
                **msgspec.structs.asdict(row),
                count_elsewhere=count,
                per_million_elsewhere=count * keyness.MILLION / max(1, self._words[1]),
                score=one,
                p=keyness.compute_p(one),
                bayes_factor=keyness.bayes_factor(one, sum(self._words)),
                log_ratio=ratio,
                simple_maths=simple,
            )
            for row, count, one, ratio, simple in zip(
                plain, there.tolist(), score.tolist(), ratios.tolist(), maths.tolist(), strict=True
            )
        )


def _describe_words(
    store: TokenStore,
    chosen: SelectedSentences,
    shown: KeyCounts,
    words: int,
    options: ListOptions,
    other: TokenStore | None = None,
) -> tuple[WordRow, ...]:
    """Make a row for each word; names that this store lacks are looked up in the other one."""
    names = name_words(store, shown.keys, options.lemmas, other)
    spread = measure_spread(store, chosen.sentences, shown, words, options.lemmas)
    forms = list_lemma_forms(store, chosen.sentences, shown.keys) if options.lemmas else {}
    return tuple(
        WordRow(
            names[key][0],
            names[key][1],
            count,
            count * keyness.MILLION / max(1, words),
            spread.get(key, WordSpread(0, 1.0)).pages,
            spread.get(key, WordSpread(0, 1.0)).dispersion,
            forms.get(key, ()),
        )
        for key, count in zip(shown.keys.tolist(), shown.counts.tolist(), strict=True)
    )


def _count_pages(store: TokenStore, chosen: SelectedSentences) -> int:
    """Count the pages that have at least one of the sentences."""
    return sum(
        len(np.unique(segment.page_of_sentence[part]))
        for segment, part in store.split_sentences(chosen.sentences)
    )
