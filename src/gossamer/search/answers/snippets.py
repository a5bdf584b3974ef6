"""The piece of a page's text that shows best why it is an answer, with the words that were asked for marked."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.search.answers.find_word_starts import WordStarts, best_start, sentence_begin
from gossamer.search.index.page_entry import KEPT_CHARACTERS
from gossamer.search.query.parse_query import Words
from gossamer.search.terms.analysis import analyser, forms, is_unspaced, part_forms, words

WIDTH = 240
"""Characters of a snippet."""
_BEFORE = 60
"""As much as this may stand before the first word that was asked for."""
_READ_CHARACTERS = (5_000, KEPT_CHARACTERS)
"""The beginning of a long page is looked at first, and more of it only if that does not have all words."""
_MOST_TRIES = 8
"""So often a beginning is looked for in a text: what comes later is no better."""
_MOST_WORDS = 50
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")

Match = tuple[int, int, int]
"""Where a word begins and ends, and which it is."""


class Snippet(msgspec.Struct, frozen=True):
    """A piece of text, and where in it words stand that were asked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def pieces(self) -> list[tuple[str, bool]]:
        """Return the text in pieces, each with whether it is marked: whoever shows it has only to escape."""
        found, last = [], 0
        for start, end in self.marks:
            found += [(self.text[last:start], False), (self.text[start:end], True)]
            last = end
        return [piece for piece in (*found, (self.text[last:], False)) if piece[0]]


class _Numbers(dict[str, int]):
    """Which of the words that were asked for a word of one language is a form of; -1 for none."""

    def __init__(self, terms: dict[str, int], prefixes: dict[str, int], language: str) -> None:
        super().__init__()
        self._terms = terms
        self._prefixes = prefixes
        self._reduced = analyser(language)

    def __missing__(self, word: str) -> int:
        number = self._terms.get(self._reduced[word], -1)
        if number < 0 and self._prefixes:
            plain = analyser("")[word]
            number = next((which for start, which in self._prefixes.items() if plain.startswith(start)), -1)
        self[word] = number
        return number


class Marker:
    """Finds the words of one query in texts."""

    def __init__(self, asked: Iterable[Words], languages: Sequence[str]) -> None:
        self._terms: dict[str, int] = {}
        self._prefixes: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        """Parts of compounds that were asked for."""
        self._numbers: dict[str, _Numbers] = {}
        """By language of a text."""
        starts = []
        looked_for = list(dict.fromkeys(asked))[:_MOST_WORDS]
        self._asked = len(looked_for)
        for number, one in enumerate(looked_for):
            for word in words(one.text):
                plain = analyser("")[word]
                for term in forms(word, languages):
                    self._terms.setdefault(term, number)
                    starts.append(_common_start(term, plain))
                for part in part_forms(word, languages):
                    self._parts.setdefault(part, number)
                if one.match == "prefix":
                    self._prefixes[plain] = number
        different = list(dict.fromkeys(starts))
        self._starts = WordStarts(different, map(is_unspaced, different))
        """What the forms of the words begin with, in plain letters."""

    def snippet(self, text: str, language: str) -> Snippet:
        """Return the best piece of a text; its beginning, if nothing that was asked for is in it."""
        if language not in self._numbers:
            self._numbers[language] = _Numbers(self._terms, self._prefixes, language)
        numbers = self._numbers[language]
        found = self._starts.matches(text, numbers, self._asked, _READ_CHARACTERS, _MOST_TRIES)
        if not found and analyser(language).has_compounds:
            found = self._in_compounds(text[: _READ_CHARACTERS[0]], language)
        best = best_start(found, WIDTH - _BEFORE)
        begin = sentence_begin(text, best - _BEFORE, best) if best > _BEFORE else 0
        end = _word_end(text, begin + WIDTH)
        piece = text[begin:end]
        marks = [(start - begin, stop - begin) for start, stop, _ in found if begin <= start and stop <= end]
        if len(found) >= _MOST_TRIES:  # then some may have been passed over that stand in this piece
            every = self._starts.matches(piece, numbers, self._asked, (len(piece),), len(piece))
            marks = [(start, stop) for start, stop, _ in every] or marks
        # One character for one: marks stay where they are.
        return Snippet(piece.replace("\n", " ").replace("\t", " "), tuple(marks))

    def _in_compounds(self, text: str, language: str) -> list[Match]:
        """Return where compounds stand that have a part which was asked for, or parts of one that was."""
        terms = analyser(language)
        wanted = self._parts | self._terms
        found = []
        for match in _LONG_WORD.finditer(text):
            word = match[0].lower()
            said = (terms[word], *terms.joined_parts([word]).split())
            number = next((wanted[term] for term in said if term in wanted), None)
            if number is not None:
                found.append((match.start(), match.end(), number))
        return found


def _word_end(text: str, end: int) -> int:
    """Go back to where the last whole word ends."""
    if end >= len(text):
        return len(text)
    space = max(text.rfind(" ", end - 30, end), text.rfind("\n", end - 30, end))
    return space if space > 0 else end


def _common_start(term: str, word: str) -> str:
    """Return what all forms of a word begin with, as far as its stem shows: stud for study and studi."""
    length = next(
        (at for at, (a, b) in enumerate(zip(term, word, strict=False)) if a != b), min(len(term), len(word))
    )
    return word[: max(1, length)]
