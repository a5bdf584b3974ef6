"""Read an answer: the words of its title, snippet and address, each with its term and its place in the text."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from gossamer.search.answers.readable_address import split_address
from gossamer.search.clusters.cluster_records import AnswerText
from gossamer.search.terms.analysis import get_analyser, is_unspaced
from gossamer.search.terms.stop_words import is_stop_word

# A phrase does not go on across a sentence, a bracket, a line or a dash; an ampersand joins words.
_PIECES = re.compile(r"(?:[^\W_]|[ '’.&\u00a0-](?=[^\W_]|[ &])|(?<=[^\W_])&)+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# In Japanese it writes particles and endings: names and nouns are in other scripts.
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_APOSTROPHE = re.compile("['’]")
_MOST_CHARACTERS = 600
_MOST_WORD_CHARACTERS = 40
_SHORTEST = 2
_MOST_CACHED = 100_000
_MOST_LANGUAGES = 16
# Parts of addresses that say nothing about the page.
_ADDRESS_WORDS = frozenset(
    [
        *(
            "www",
            "www2",
            "com",
            "org",
            "net",
            "edu",
            "gov",
            "html",
            "htm",
            "shtml",
            "php",
            "asp",
            "aspx",
            "jsp",
            "cfm",
        ),
        *("cgi", "bin", "index", "default", "home", "main", "page", "pages", "wiki"),
    ]
)
_TITLE, _SNIPPET, _ADDRESS = 1.5, 1.0, 0.5
"""What a word counts by where it stands: a title names the subject, an address repeats it."""
_MOST_COUNTED = 3.0
"""What all occurrences of a word in one answer count at most."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A part of a text that no phrase leaves, and its words."""

    text: str
    terms: tuple[str, ...]
    """The index terms of its words; "" for a stop word."""
    places: tuple[tuple[int, int], ...]
    """Where each word begins and ends."""
    in_title: bool


class ReadAnswer(msgspec.Struct, frozen=True):
    """The words of an answer."""

    pieces: tuple[Piece, ...]
    counts: dict[str, float]
    """By term: how much it counts."""


def read_answer(answer: AnswerText) -> ReadAnswer:
    """Read the words of an answer. Cost: O(characters); of a very long text only the beginning is read."""
    terms = _get_word_terms(answer.language)
    title = _split_pieces(answer.title, terms, in_title=True)
    snippet = _split_pieces(answer.snippet, terms, in_title=False)
    counts: dict[str, float] = {}
    for pieces, weight in ((title, _TITLE), (snippet, _SNIPPET)):
        for piece in pieces:
            for term in piece.terms:
                counts[term] = counts.get(term, 0.0) + weight
    for term in _read_address(answer.url, terms):
        counts[term] = counts.get(term, 0.0) + _ADDRESS
    found = {
        term: min(count, _MOST_COUNTED)
        for term, count in counts.items()
        if len(term) >= _SHORTEST or is_unspaced(term)
    }
    return ReadAnswer((*title, *snippet), found)


class _WordTerms(dict[str, str]):
    """By word of one language in lower case: its term; "" for stop words. Words recur, so that they are looked up once."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._analyser = get_analyser(language)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_CACHED:
            self.clear()
        if _HIRAGANA.fullmatch(word):
            return self.setdefault(word, "")
        # The subject of “Rubik's” and of “l'eau” is the longer part.
        stem = max(_APOSTROPHE.split(word), key=len)[:_MOST_WORD_CHARACTERS]
        term = self[word] = "" if is_stop_word(stem, self._language) else self._analyser[stem]
        return term


@lru_cache(_MOST_LANGUAGES)
def _get_word_terms(language: str) -> _WordTerms:
    return _WordTerms(language)


def _split_pieces(text: str, terms: _WordTerms, *, in_title: bool) -> list[Piece]:
    pieces = []
    for match in _PIECES.finditer(text[:_MOST_CHARACTERS]):
        piece = match[0]
        words = [(word[0], word.span()) for word in _WORD.finditer(piece)]
        if is_unspaced(piece):
            words = list(_split_characters(words))
        if words:
            found = tuple([terms[word.lower()] for word, _ in words])
            pieces.append(Piece(piece, found, tuple([place for _, place in words]), in_title))
    return pieces


def _split_characters(words: list[tuple[str, tuple[int, int]]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the characters of words in scripts without spaces, and other words as they are."""
    for word, (start, end) in words:
        if is_unspaced(word):
            yield from ((word[at], (start + at, start + at + 1)) for at in range(end - start))
        else:
            yield word, (start, end)


def _read_address(url: str, terms: _WordTerms) -> set[str]:
    """Return the terms of an address without its top domain and its numbers."""
    host, *folders = split_address(url[:_MOST_CHARACTERS]) if url else [""]
    words = _WORD.findall(" ".join((host.rpartition(".")[0], *folders)).lower())
    return {terms[word] for word in words if not word.isdigit() and word not in _ADDRESS_WORDS}
