"""The piece of a page's text that shows best why it is an answer, with the words that were asked for marked."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from gossamer.search.analysis import analyser, forms, is_unspaced, words
from gossamer.search.query import Words

WIDTH = 240
"""Characters of a snippet."""
_BEFORE = 60
"""As much as this may stand before the first word that was asked for."""
_READ_CHARACTERS = (5_000, 30_000)
"""The beginning of a long page is looked at first, and more of it only if that does not have all words."""
_MOST_TRIES = 8
"""So often a beginning is looked for in a text: what comes later is no better."""
_MOST_WORDS = 50
_BREAK = re.compile(r"[\n.!?…]\s+|\n")
_WORD = re.compile(r"[^\W_]+")
_ACCENTED = re.compile("[\u00c0-\u024f]")

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


class Marker:
    """Finds the words of one query in texts."""

    def __init__(self, asked: Iterable[Words], languages: Sequence[str]) -> None:
        self._terms: dict[str, int] = {}
        self._prefixes: dict[str, int] = {}
        starts = []
        different = list(dict.fromkeys(asked))[:_MOST_WORDS]
        self._asked = len(different)
        for number, one in enumerate(different):
            for word in words(one.text):
                plain = analyser("")[word]
                for term in forms(word, languages):
                    self._terms.setdefault(term, number)
                    starts.append(_common_start(term, plain))
                if one.match == "prefix":
                    self._prefixes[plain] = number
        self._starts = list(dict.fromkeys(starts))
        """What the forms of the words begin with, in plain letters."""

    def snippet(self, text: str, language: str) -> Snippet:
        """Return the best piece of a text; its beginning, if nothing that was asked for is in it."""
        found: list[Match] = []
        for characters in _READ_CHARACTERS:
            found = self._matches(text[:characters], language)
            if characters >= len(text) or len({number for _, _, number in found}) == self._asked:
                break
        text = text[:characters]
        begin = _best_begin(text, found)
        end = _word_end(text, begin + WIDTH)
        marks = [(start - begin, stop - begin) for start, stop, _ in found if begin <= start and stop <= end]
        # One character for one: marks stay where they are.
        return Snippet(text[begin:end].replace("\n", " ").replace("\t", " "), tuple(marks))

    def _matches(self, text: str, language: str) -> list[Match]:
        """Return where words stand that were asked for, and which. Cost: a search for each of their beginnings."""
        lowered = _lowered(text)
        plain = lowered if lowered.isascii() else _without_accents(lowered)
        found: dict[int, Match] = {}
        for start in self._starts:
            unspaced = is_unspaced(start)
            at = plain.find(start)
            for _ in range(_MOST_TRIES):
                if at < 0:
                    break
                if unspaced or not at or not plain[at - 1].isalnum():
                    end = at + len(start) if unspaced else _word_after(lowered, at)
                    number = self._number(lowered[at:end], plain[at:end], language)
                    if number is not None:
                        found[at] = (at, end, number)
                at = plain.find(start, at + len(start))
        return [found[at] for at in sorted(found)]

    def _number(self, word: str, plain: str, language: str) -> int | None:
        """Say which of the words that were asked for this is a form of, if any."""
        number = self._terms.get(analyser(language)[word])
        if number is None and self._prefixes:
            return next((which for start, which in self._prefixes.items() if plain.startswith(start)), None)
        return number


def _best_begin(text: str, found: list[Match]) -> int:
    """Return where the piece begins that has most of the words, the first of several."""
    best, best_begin, last = 0.0, 0, 0
    inside: dict[int, int] = {}
    for at, (start, _, number) in enumerate(found):
        reach = start + WIDTH - _BEFORE
        while last < len(found) and found[last][1] <= reach:
            other = found[last][2]
            inside[other] = inside.get(other, 0) + 1
            last += 1
        worth = len(inside) + 0.05 * (last - at)
        if worth > best:
            best, best_begin = worth, start
        left = inside.get(number, 0) - 1
        if left > 0:
            inside[number] = left
        else:
            inside.pop(number, None)
    return _sentence_begin(text, best_begin) if best_begin > _BEFORE else 0


def _sentence_begin(text: str, at: int) -> int:
    """Go back to where a sentence begins, or else a word."""
    near = at - _BEFORE
    ends = [match.end() for match in _BREAK.finditer(text, near, at)]
    if ends:
        return ends[0]
    space = text.find(" ", near, at)
    return space + 1 if space >= 0 else near


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


def _lowered(text: str) -> str:
    """Return a text in lower case, as long as it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(
        small if len(small) == 1 else character for character, small in ((c, c.lower()) for c in text)
    )


def _word_after(text: str, at: int) -> int:
    """Return where the word ends that begins here."""
    found = _WORD.match(text, at)
    return found.end() if found else at


def _without_accents(text: str) -> str:
    """Return a text with plain Latin letters, as long as it was."""
    letters = _plain_letters()
    return _ACCENTED.sub(lambda found: letters.get(found[0], found[0]), text)


@cache
def _plain_letters() -> dict[str, str]:
    """Return, by letter with an accent, the letter without."""
    found = {}
    for letter in map(chr, range(0xC0, 0x250)):
        plain = unicodedata.normalize("NFKD", letter)[0]
        if plain.isascii() and plain.isalpha():
            found[letter] = plain
    return found
