"""From a text to the terms that are indexed: its words, each reduced to its stem by the language of the text.

Terms are joined by spaces and split again by the engine. That is as fast as the engine's own analysis, since each
different word is reduced once, and lets pages in all languages share one field with one average length: with a field for
each language, BM25 would take every page of a rare language for a very long one.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache

from gossamer.search.engine import tantivy
from gossamer.search.terms.compound_words import LINKERS, parts, spans_of
from gossamer.search.terms.split_words import has_unspaced, split
from gossamer.search.terms.stop_words import is_stop_word

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
"""By language: the Snowball stemmer of the engine. Words of other languages are indexed as they are.

The German one takes ae, oe and ue for umlauts, so that these are found from both sides."""

LONGEST_TERM = 60
"""Longer words are cut off: they are no words, and would fill the dictionary."""
# German “Sicherheit” is reduced to “sich”, Dutch “overheid” to “over”: without a sign they would be found on every page.
# No word has it, since words are split there.
_NO_STOP_WORD = "_"
# A language's words are forgotten when there are so many: most of them were misspelt once.
_MOST_REMEMBERED = 200_000

# What is no letter and no digit of ASCII becomes a space: half the time of splitting by an expression.
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))


class Analyser(dict[str, str]):
    """The terms of the words of one language: looked up when known, reduced when new."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.has_compounds = language in LINKERS
        self._parts = _Parts(self, language)
        self._reduce = _reducer(STEMMERS.get(language, ""))
        self._language = language

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        reduced = self._reduce.analyze(word[:LONGEST_TERM])
        # Marks that fold to nothing, or to a space, must not split what is one word.
        term = "".join("".join(reduced).split()) or word[:LONGEST_TERM]
        if term != word and is_stop_word(term, self._language) and not is_stop_word(word, self._language):
            term += _NO_STOP_WORD
        self[word] = term
        return term

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text in order."""
        return [self[word] for word in words(text)]

    def joined(self, text: str, met: set[str] | None = None) -> str:
        """Return the terms of a text as the index takes them; its words are added to those that were met."""
        found = words(text)
        if met is not None:
            met.update(found)
        return " ".join(map(self.__getitem__, found))

    def joined_parts(self, met: Iterable[str]) -> str:
        """Return the terms of what the compounds among some words are made of."""
        return " ".join(filter(None, map(self._parts.__getitem__, met)))


class _Parts(dict[str, str]):
    """The terms of the parts of compounds, joined; nothing for other words."""

    def __init__(self, terms: Analyser, language: str) -> None:
        super().__init__()
        self._terms = terms
        self._language = language

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        joined = self[word] = " ".join(self._terms[part] for part in parts(word, self._language))
        return joined


@cache
def analyser(language: str) -> Analyser:
    """Return the analyser of a language; one without a stemmer leaves words as they are."""
    return Analyser(language) if language in STEMMERS or not language else analyser("")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; in scripts without spaces, the characters."""
    if text.isascii():
        return text.translate(_ASCII).split()
    return split(unicodedata.normalize("NFC", text))


def is_unspaced(text: str) -> bool:
    """Say whether a text has characters of a script without spaces."""
    return not text.isascii() and has_unspaced(text)


def forms(word: str, languages: Iterable[str]) -> list[str]:
    """Return the different terms that one word may be indexed as, by the language of the page, the likeliest first."""
    found = [analyser(language)[word] for language in languages]
    return list(dict.fromkeys(found or [analyser("")[word]]))


def part_forms(word: str, languages: Iterable[str]) -> list[str]:
    """Return the terms of the smallest parts of a compound, by the first language that it is a compound in."""
    for language in languages:
        if spans := spans_of(word, language):
            return [analyser(language)[word[start:end]] for start, end in spans]
    return []


def _reducer(stemmer: str) -> "tantivy.TextAnalyzer":
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    if stemmer:
        builder = builder.filter(tantivy.Filter.stemmer(stemmer))
    return builder.filter(tantivy.Filter.ascii_fold()).build()
