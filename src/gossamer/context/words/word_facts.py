"""Facts about the words of a list: how they are written, on how many pages they stand, and how evenly."""

from collections import Counter

import msgspec
import numpy as np

from gossamer.context.words.keyness import deviation_of_proportions
from gossamer.context.words.tokens.key_counts import KeyCounts
from gossamer.context.words.tokens.segment import Keys, Numbers, Segment
from gossamer.context.words.tokens.token_store import TokenStore

_MOST_CELLS = 16_000_000
_MOST_FORMS = 12


class WordSpread(msgspec.Struct, frozen=True, gc=False):
    """On how many pages a word stands, and how unevenly."""

    pages: int
    dispersion: float


def name_words(
    store: TokenStore, keys: Keys, lemmas: bool, other: TokenStore | None = None
) -> dict[int, tuple[str, str]]:
    """Return for each key the word in lower case, or the lemma as its dictionary writes it, and its language."""
    names: dict[int, tuple[str, str]] = {}
    for segment in [*store.segments, *(other.segments if other is not None else ())]:
        missing = np.array([key for key in keys.tolist() if key not in names], np.uint64)
        if not len(missing):
            break
        found = segment.find_forms(missing, lemmas)
        texts = segment.lemmas if lemmas else segment.forms
        languages, own = segment.get("form_languages"), segment.get("lemma_keys" if lemmas else "form_keys")
        for form in found.tolist():
            text = texts[form] if lemmas else texts[form].lower()
            names.setdefault(int(own[form]), (text, segment.languages[languages[form]]))
    return names


def measure_spread(
    store: TokenStore, sentences: Numbers, shown: KeyCounts, words: int, lemmas: bool
) -> dict[int, WordSpread]:
    """Return the spread of some words over the pages of some sentences.

    Cost: a pass over the tokens of the sentences. Memory: a number for each page of a segment and each word.
    """
    order = np.argsort(shown.keys)
    keys, times = shown.keys[order], shown.counts[order]
    found: dict[int, list[tuple[Numbers, Numbers]]] = {int(key): [] for key in keys.tolist()}
    for segment, part in store.split_sentences(sentences):
        rows = _number_forms(segment, keys, lemmas)
        forms = segment.read_forms(part)
        pages = np.repeat(segment.page_of_sentence[part], np.diff(segment.sentence_starts)[part])
        page_words = np.bincount(pages[segment.get("is_word")[forms]], minlength=segment.pages)
        numbers = rows[forms]
        here = numbers >= 0
        for first in range(0, len(keys), max(1, _MOST_CELLS // max(1, segment.pages))):
            last = min(len(keys), first + max(1, _MOST_CELLS // max(1, segment.pages)))
            some = here & (numbers >= first) & (numbers < last)
            cells = (numbers[some] - first).astype(np.int64) * segment.pages + pages[some]
            table = np.bincount(cells, minlength=(last - first) * segment.pages)
            for at, on_pages in enumerate(table.reshape(last - first, segment.pages)):
                there = np.flatnonzero(on_pages)
                if len(there):
                    found[int(keys[first + at])].append((on_pages[there], page_words[there]))
    return {
        key: _summarise(found[key], count, words)
        for key, count in zip(keys.tolist(), times.tolist(), strict=True)
    }


def list_lemma_forms(
    store: TokenStore, sentences: Numbers, keys: Keys
) -> dict[int, tuple[tuple[str, int], ...]]:
    """Return the forms of some lemmas in some sentences, the most frequent first."""
    wanted = np.sort(keys)
    counts: dict[int, Counter[str]] = {int(key): Counter() for key in wanted.tolist()}
    for segment, part in store.split_sentences(sentences):
        rows = _number_forms(segment, wanted, lemmas=True)
        times = np.bincount(segment.read_forms(part), minlength=len(rows))
        for form in np.flatnonzero((rows >= 0) & (times > 0)).tolist():
            counts[int(wanted[rows[form]])][segment.forms[form].lower()] += int(times[form])
    return {key: tuple(some.most_common(_MOST_FORMS)) for key, some in counts.items()}


def _number_forms(segment: Segment, keys: Keys, lemmas: bool) -> Numbers:
    """Return for each form of a segment the place of its key among ascending keys; -1 if it is not there or no word."""
    own = segment.get("lemma_keys" if lemmas else "form_keys")
    if not len(keys):
        return np.full(len(own), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
    return np.where((keys[at] == own) & segment.get("is_word"), at, -1)


def _summarise(parts: list[tuple[Numbers, Numbers]], times: int, words: int) -> WordSpread:
    if not parts:
        return WordSpread(0, 1.0)
    on_pages, page_words = (np.concatenate(column) for column in zip(*parts, strict=True))
    return WordSpread(len(on_pages), deviation_of_proportions(on_pages, page_words, times, words))
