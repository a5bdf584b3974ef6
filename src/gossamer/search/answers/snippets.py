"""Make snippets: the piece of a page's text that best matches a query, with the matching words marked."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import msgspec

from gossamer.search.answers.find_word_starts import WordStarts, find_best_start, find_sentence_begin
from gossamer.search.index.page_entry import KEPT_CHARACTERS, KEPT_DOCUMENT_CHARACTERS
from gossamer.search.query.parse_query import Words
from gossamer.search.terms.analysis import get_analyser, is_unspaced, split_text, to_part_terms, to_terms

WIDTH = 240
"""Characters of a snippet."""
_BEFORE = 60
"""Characters that may come before the first matching word."""
_READ_CHARACTERS = (5_000, KEPT_CHARACTERS, KEPT_DOCUMENT_CHARACTERS)
"""The beginning of a long page is searched first, and more of it only if that does not have all words."""
_MOST_TRIES = 8
"""How many words with the same beginning are tried: later ones are no better."""
_MOST_WORDS = 50
_SHORT_START = 3
# Words of queries recur.
_MOST_CACHED = 20_000
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")

Match = tuple[int, int, int]
"""Where a word begins and ends, and the number of the query word that it matches."""


class Snippet(msgspec.Struct, frozen=True, gc=False):
    """A piece of text, and the positions of the matching words in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def pieces(self) -> list[tuple[str, bool]]:
        """Return the text in pieces, each with whether it is marked; escape them when you show them."""
        found, last = [], 0
        for start, end in self.marks:
            found += [(self.text[last:start], False), (self.text[start:end], True)]
            last = end
        return [piece for piece in (*found, (self.text[last:], False)) if piece[0]]


class _WordNumbers(dict[str, int]):
    """By word of a text in one language: the number of the query word that it matches; -1 for none."""

    def __init__(self, terms: dict[str, int], prefixes: dict[str, int], language: str) -> None:
        super().__init__()
        self._terms = terms
        self._prefixes = prefixes
        self._analyser = get_analyser(language)

    def __missing__(self, word: str) -> int:
        number = self._terms.get(self._analyser[word], -1)
        if number < 0 and self._prefixes:
            plain = get_analyser("")[word]
            number = next((value for start, value in self._prefixes.items() if plain.startswith(start)), -1)
        self[word] = number
        return number


class Marker:
    """Finds the words of one query in texts."""

    def __init__(self, query_words: Iterable[Words], languages: Sequence[str]) -> None:
        self._terms: dict[str, int] = {}
        self._prefixes: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        """Parts of compounds in the query."""
        self._numbers: dict[str, _WordNumbers] = {}
        """By language of a text."""
        starts: list[str] = []
        different_words = list(dict.fromkeys(query_words))[:_MOST_WORDS]
        self._word_count = len(different_words)
        for number, one in enumerate(different_words):
            for word in split_text(one.text):
                plain = get_analyser("")[word]
                starts += _list_starts(word, tuple(languages))
                for term in to_terms(word, languages):
                    self._terms.setdefault(term, number)
                for part in to_part_terms(word, languages):
                    self._parts.setdefault(part, number)
                if one.match == "prefix":
                    self._prefixes[plain] = number
        different_starts = list(dict.fromkeys(starts))
        self._starts = WordStarts(different_starts, map(is_unspaced, different_starts))
        """The common beginnings of all forms of the words, in plain letters."""

    @property
    def has_words(self) -> bool:
        """Whether the query has words: fields alone have none."""
        return self._word_count > 0

    def make_snippet(
        self, text: str, language: str, title: str = "", find_part: Callable[[int], str] | None = None
    ) -> Snippet:
        """Return the best piece of a text; its beginning, if no word matches.

        In a document it follows the label of the part that has its first match, such as "page 3", by `find_part`.

        Other forms of the words are looked for only if the title has none of the words, which readers see beside the snippet.
        """
        numbers = self._get_numbers(language)
        found = self._starts.find_matches(text, numbers, self._word_count, _READ_CHARACTERS, _MOST_TRIES)
        if not found and not self.find_marks(title, language, 1):
            found = self._find_other_forms(text[: _READ_CHARACTERS[0]], language)
        best = find_best_start(found, WIDTH - _BEFORE)
        begin = find_sentence_begin(text, best - _BEFORE, best) if best > _BEFORE else 0
        end = _find_word_end(text, begin + WIDTH)
        piece = text[begin:end]
        marks = [(start - begin, stop - begin) for start, stop, _ in found if begin <= start and stop <= end]
        if len(found) >= _MOST_TRIES:  # then some in this piece may have been skipped
            every = self._starts.find_matches(piece, numbers, self._word_count, (len(piece),), len(piece))
            marks = [(start, stop) for start, stop, _ in every] or marks
        # Each character is replaced by one: the marks stay valid.
        piece = piece.replace("\n", " ").replace("\t", " ")
        label = find_part(begin + (marks[0][0] if marks else 0)) if find_part is not None else ""
        return _add_label(label, piece, marks) if label else Snippet(piece, tuple(marks))

    def find_marks(self, text: str, language: str, most: int) -> list[tuple[int, int]]:
        """Return where the matching words of a text begin and end, ascending and without overlaps, at most so many.

        For each beginning of a query word, so many words with that beginning are looked at.
        """
        if not self._word_count:
            return []
        numbers = self._get_numbers(language)
        found = self._starts.find_matches(text, numbers, self._word_count, (len(text),), most)
        marks: list[tuple[int, int]] = []
        for start, end, _ in found:
            if not marks or start >= marks[-1][1]:
                marks.append((start, end))
        return marks[:most]

    def find_words(self, text: str, language: str) -> list[Match]:
        """Return all words of a text that match, in order, each with the number of its query word."""
        if not self._word_count:
            return []
        return self._starts.find_matches(
            text, self._get_numbers(language), self._word_count, (len(text),), len(text)
        )

    def _get_numbers(self, language: str) -> _WordNumbers:
        if language not in self._numbers:
            self._numbers[language] = _WordNumbers(self._terms, self._prefixes, language)
        return self._numbers[language]

    def _find_other_forms(self, text: str, language: str) -> list[Match]:
        """Return the positions of compounds that share a part with the query, and of forms that begin otherwise (“went”)."""
        terms = get_analyser(language)
        if not terms.has_compounds:
            return self._find_forms(text, terms.find_words(text, self._terms), language)
        wanted = self._parts | self._terms
        found = []
        for match in _LONG_WORD.finditer(text):
            word = match[0].lower()
            candidates = (terms[word], *terms.join_parts([word]).split())
            number = next((wanted[term] for term in candidates if term in wanted), None)
            if number is not None:
                found.append((match.start(), match.end(), number))
        return found

    def _find_forms(self, text: str, forms: set[str], language: str) -> list[Match]:
        """Return the positions of some forms of query words. Cost: little if there are none, as on most pages without a match."""
        if not forms:
            return []
        terms = get_analyser(language)
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", re.IGNORECASE)
        found = ((match, self._terms.get(terms[match[0].lower()])) for match in pattern.finditer(text))
        return [(match.start(), match.end(), number) for match, number in found if number is not None]


def _add_label(label: str, piece: str, marks: Sequence[tuple[int, int]]) -> Snippet:
    """Return a snippet after a label: "page 3: …"."""
    by = len(label) + 2
    return Snippet(f"{label}: {piece}", tuple((start + by, end + by) for start, end in marks))


def _find_word_end(text: str, end: int) -> int:
    """Return where the last whole word before a position ends."""
    if end >= len(text):
        return len(text)
    space = max(text.rfind(" ", end - 30, end), text.rfind("\n", end - 30, end))
    return space if space > 0 else end


@lru_cache(_MOST_CACHED)
def _list_starts(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the beginnings, in plain letters, that the forms of a word may have."""
    plain = get_analyser("")[word]
    starts = [_find_common_start(get_analyser(code).stem(word), plain) for code in languages]
    for term in to_terms(word, languages):
        start = _find_common_start(term, plain)
        # “Mice” and mouse begin alike by chance: both beginnings are looked for.
        starts += [start] if len(start) >= _SHORT_START else [plain, term]
    return tuple(dict.fromkeys(starts))


def _find_common_start(term: str, word: str) -> str:
    """Return the common beginning of a word and its stem, which all its forms share: stud for study, studies and studi."""
    length = next(
        (at for at, (a, b) in enumerate(zip(term, word, strict=False)) if a != b), min(len(term), len(word))
    )
    if length > _SHORT_START and word[length - 1] == "i":  # y in other forms
        length -= 1
    return word[: max(1, length)]
