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
_READ_CHARACTERS = 100_000
_MOST_MATCHES = 400
_MOST_WORDS = 50
_BREAK = re.compile(r"[\n.!?…]\s+|\n")


class Snippet(msgspec.Struct, frozen=True):
    """A piece of text, and where in it words stand that were asked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class Marker:
    """Finds the words of one query in texts."""

    def __init__(self, asked: Iterable[Words], languages: Sequence[str]) -> None:
        self._terms: dict[str, int] = {}
        self._starts: dict[str, int] = {}
        starts = []
        for one in list(asked)[:_MOST_WORDS]:
            for word in words(one.text):
                number = len(self._terms) + len(self._starts)
                found = forms(word, languages)
                for term in found:
                    self._terms.setdefault(term, number)
                    starts.append(_common_start(term, analyser("")[word]))
                if one.match == "prefix":
                    self._starts[analyser("")[word]] = number
        self._pattern = _pattern(starts) if starts else None

    def snippet(self, text: str, language: str) -> Snippet:
        """Return the best piece of a text; its beginning, if nothing that was asked for is in it."""
        text = text[:_READ_CHARACTERS]
        found = self._matches(text, language)
        begin = _best_begin(text, found)
        end = _word_end(text, begin + WIDTH)
        marks = tuple(
            (start - begin, stop - begin) for start, stop, _ in found if begin <= start and stop <= end
        )
        # One character for one: marks stay where they are.
        piece = "".join(" " if character.isspace() else character for character in text[begin:end])
        return Snippet(piece, marks)

    def _matches(self, text: str, language: str) -> list[tuple[int, int, int]]:
        """Return where words stand that were asked for, and which."""
        if self._pattern is None:
            return []
        reduced = analyser(language)
        found = []
        for match in self._pattern.finditer(text):
            word = unicodedata.normalize("NFC", match[0]).lower()
            number = self._terms.get(reduced[word])
            if number is None:
                plain = analyser("")[word]
                number = next(
                    (number for start, number in self._starts.items() if plain.startswith(start)), None
                )
            if number is not None:
                found.append((match.start(), match.end(), number))
                if len(found) >= _MOST_MATCHES:
                    break
        return found


def _best_begin(text: str, found: list[tuple[int, int, int]]) -> int:
    """Return where the piece begins that has most of the words, the first of several."""
    best, best_begin, last = 0.0, 0, 0
    for at, (start, _, _) in enumerate(found):
        last = max(last, at)
        while last < len(found) and found[last][1] <= start + WIDTH - _BEFORE:
            last += 1
        inside = found[at:last]
        worth = len({number for _, _, number in inside}) + 0.05 * len(inside)
        if worth > best:
            best, best_begin = worth, start
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


def _pattern(starts: Iterable[str]) -> re.Pattern[str]:
    spaced: list[str] = []
    unspaced: list[str] = []
    for start in sorted(set(starts), key=lambda start: (-len(start), start)):
        (unspaced if is_unspaced(start) else spaced).append(_with_accents(start))
    parts = [rf"(?<![^\W_])(?:{'|'.join(spaced)})[^\W_]*"] if spaced else []
    return re.compile("|".join([*parts, *unspaced]), re.IGNORECASE)


def _with_accents(text: str) -> str:
    classes = _accents()
    return "".join(classes.get(character) or re.escape(character) for character in text)


@cache
def _accents() -> dict[str, str]:
    """Return, by plain letter, the class of all letters that fold to it."""
    found: dict[str, str] = {}
    for code in range(0xC0, 0x250):
        plain = unicodedata.normalize("NFKD", chr(code))[0]
        if plain.isascii() and plain.isalpha() and chr(code).islower():
            found[plain] = found.get(plain, plain) + chr(code)
    return {plain: f"[{letters}]" for plain, letters in found.items()}
