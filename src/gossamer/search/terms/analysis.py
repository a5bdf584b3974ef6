"""Turn a text into index terms: split it into words and stem each word by the language of the text.

Terms are joined by spaces and split again by the engine. That is faster than the engine's own analysis, since each
different word is stemmed once. It also lets pages in all languages share one field with one average length: with a field for
each language, BM25 would treat every page in a rare language as a very long one.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from threading import Lock

from gossamer.search.engine import tantivy
from gossamer.search.terms.base_forms import DICTIONARIES, BaseForms
from gossamer.search.terms.compound_words import LINKERS, find_part_spans, split_compound
from gossamer.search.terms.split_words import has_unspaced, split
from gossamer.search.terms.stop_words import get_stop_words
from gossamer.search.terms.term_finder import LONGEST_TERM, TermFinder
from gossamer.search.terms.term_table import TermTable

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""By language: the engine's Snowball stemmer, for words that no dictionary has.

The German stemmer treats ae, oe and ue as umlauts, so that either spelling finds the other."""

LANGUAGES = frozenset(STEMMERS) | frozenset(DICTIONARIES)
"""The languages with a stemmer, a dictionary, or both. Words of other languages are indexed as they are."""

# Base forms of English are terms as they are: the stemmer would take animal and animation for one word. In other languages they are
# stemmed, so that words which the dictionary lacks, or which are typed without accents, meet those that it has.
_WHOLE_BASES = frozenset({"en", "de"})

# The cached words of a language are dropped at this size: most of them are misspellings that occurred once.
_MOST_CACHED = 200_000

# Everything but ASCII letters and digits becomes a space: half the time of splitting by a regular expression.
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))


class Analyser(dict[str, str]):
    """The terms of the words of one language: a cache that stems new words."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.has_compounds = language in LINKERS
        self._parts = _CompoundParts(self, language)
        self._base_forms = BaseForms(language)
        self._stemmer = _make_stemmer(STEMMERS.get(language, ""))
        self.find_term = TermFinder(
            self._base_forms.finder,
            get_stop_words(language),
            self._stemmer.analyze if language in STEMMERS else None,
            _make_stemmer("").analyze,
            has_whole_bases=language in _WHOLE_BASES,
        ).find
        """Returns the term of a word, known or not; it remembers none."""
        self._query_terms: dict[str, list[str]] = {}
        self._lock = Lock()

    @cached_property
    def _table(self) -> TermTable:
        return TermTable(self.find_term)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_CACHED:
            self.clear()
        term = self[word] = self.find_term(word)
        return term

    def stem(self, word: str) -> str:
        """Return the stem of a word in plain letters, whether a dictionary has the word or not."""
        return "".join(self._stemmer.analyze(word[:LONGEST_TERM]))

    def list_query_terms(self, word: str) -> list[str]:
        """Return the terms by which a word of a query is found: its own, and those of words that it may stand for without accents.

        The most likely term comes first: phrases are looked for by it.
        """
        if word not in self._query_terms:
            if len(self._query_terms) >= _MOST_CACHED:
                self._query_terms.clear()
            accented = self._base_forms.find_accented(word)
            is_known = self._base_forms.find(word) is not None
            words = [word, *accented] if is_known else [*accented, word]
            self._query_terms[word] = list(dict.fromkeys(self[one] for one in words))
        return self._query_terms[word]

    def list_terms(self, text: str) -> list[str]:
        """Return the terms of a text in order."""
        return [self[word] for word in split_text(text)]

    def find_words(self, text: str, terms: Iterable[str]) -> set[str]:
        """Return the different words of a text that have one of some terms; of very long words the beginnings."""
        with self._lock:
            return self._table.find_words(text, terms)

    def join_parts(self, words: Iterable[str]) -> str:
        """Return the terms of the parts of all compounds among some words, joined by spaces."""
        return " ".join(filter(None, map(self._parts.__getitem__, words)))


class _CompoundParts(dict[str, str]):
    """By word: the terms of the parts of a compound, joined by spaces; "" for other words."""

    def __init__(self, terms: Analyser, language: str) -> None:
        super().__init__()
        self._terms = terms
        self._language = language

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_CACHED:
            self.clear()
        parts = split_compound(word, self._language)
        joined = self[word] = " ".join(self._terms[part] for part in parts)
        return joined


class TermTables(dict[str, TermTable]):
    """By language: a table that turns the texts of pages into terms. Only one thread may use it."""

    def __missing__(self, language: str) -> TermTable:
        known = language if language in LANGUAGES else ""
        table = TermTable(get_analyser(language).find_term) if known == language else self[known]
        self[language] = table
        return table


@cache
def get_analyser(language: str) -> Analyser:
    """Return the analyser of a language; without a stemmer it leaves words as they are."""
    return Analyser(language) if language in LANGUAGES or not language else get_analyser("")


def forget_words() -> None:
    """Drop all analysers and the terms that they found."""
    get_analyser.cache_clear()
    _find_terms.cache_clear()


def split_text(text: str) -> list[str]:
    """Return the words of a text in lower case; in scripts without spaces, the characters."""
    if text.isascii():
        return text.translate(_ASCII).split()
    return split(unicodedata.normalize("NFC", text))


def is_unspaced(text: str) -> bool:
    """Say whether a text has characters of a script without spaces."""
    return not text.isascii() and has_unspaced(text)


def to_terms(word: str, languages: Iterable[str]) -> list[str]:
    """Return the different terms of one word of a query in several languages, in the order of the languages."""
    return list(_find_terms(word, tuple(languages)))


@lru_cache(_MOST_CACHED)
def _find_terms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    found = [term for language in languages for term in get_analyser(language).list_query_terms(word)]
    return tuple(dict.fromkeys(found or [get_analyser("")[word]]))


def to_part_terms(word: str, languages: Iterable[str]) -> list[str]:
    """Return the terms of the smallest parts of a compound, in the first language in which it is a compound."""
    for language in languages:
        if spans := find_part_spans(word, language):
            return [get_analyser(language)[word[start:end]] for start, end in spans]
    return []


def _make_stemmer(name: str) -> "tantivy.TextAnalyzer":
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    if name:
        builder = builder.filter(tantivy.Filter.stemmer(name))
    return builder.filter(tantivy.Filter.ascii_fold()).build()
