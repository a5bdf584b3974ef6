"""Collect the tokens of pages and write them as a segment."""

from array import array
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.context.words.tokens.array_file import pack_texts, write_arrays
from gossamer.context.words.tokens.segment import Numbers, PageFacts, Segment, make_key
from gossamer.context.words.tokens.split_tokens import is_word, split_piece
from gossamer.search.terms.base_forms import DICTIONARIES, read_dictionary
from gossamer.text.language.detection.corpus_sentences import Sentence

_MOST_BLOCKS = 2**32 - 1
# Of each language, twice; some 250 bytes each.
_MOST_PIECES = 120_000

Piece = tuple[tuple[int, ...], tuple[int, ...]]
"""The tokens of what stands between spaces, as a segment has them, and the keys of its words."""


class PieceMemory:
    """What stands between spaces in one language, as numbers: the pieces of late, and those before that were seen again since.

    A memory that is emptied when it is full forgets the frequent pieces with the rare ones, and learns them again each time.
    """

    def __init__(self) -> None:
        self.late: dict[str, Piece] = {}
        self._before: dict[str, Piece] = {}

    def recall(self, text: str) -> Piece | None:
        """Return a piece that is not among those of late; None if it is not known."""
        known = self._before.get(text)
        if known is not None:
            self.keep(text, known)
        return known

    def keep(self, text: str, piece: Piece) -> None:
        """Remember a piece."""
        if len(self.late) >= _MOST_PIECES:
            self._before, self.late = self.late, {}
        self.late[text] = piece


class SegmentBuilder:
    """Takes the sentences of pages, and writes them as a segment.

    Memory: 4 bytes a token, some 150 a form, and 40 a sentence.
    """

    def __init__(self) -> None:
        self.tokens = array("I")
        self._sentence_ends = array("q")
        self._sentence_languages = array("H")
        self._sentence_blocks = array("I")
        self._sentence_digests = array("Q")
        self._pages: list[PageFacts] = []
        self._page_ends = array("q")
        self._languages: dict[str, int] = {}
        self._forms: dict[tuple[str, str], int] = {}
        self._pieces: dict[str, PieceMemory] = {}
        """By language. Most of a text are pieces that were seen before."""
        self._keys = array("Q")
        self._is_word = bytearray()

    @property
    def pages(self) -> int:
        """How many pages were added."""
        return len(self._pages)

    def add_page(self, page: PageFacts, sentences: Iterable[Sentence]) -> None:
        """Add a page; one without sentences is added too, so that it need not be read again."""
        for sentence in sentences:
            self._add_sentence(sentence)
        self._pages.append(page)
        self._page_ends.append(len(self._sentence_ends))

    def _add_sentence(self, sentence: Sentence) -> None:
        language = sentence.language
        pieces = self._pieces.get(language)
        if pieces is None:
            pieces = self._pieces[language] = PieceMemory()
        tokens: list[int] = []
        words: list[int] = []
        for piece in sentence.text.split():
            known = pieces.late.get(piece) or pieces.recall(piece)
            if known is None:
                known = self._number_piece(language, piece)
                pieces.keep(piece, known)
            tokens += known[0]
            words += known[1]
        self.tokens.extend(tokens)
        self._sentence_ends.append(len(self.tokens))
        self._sentence_languages.append(self._languages.setdefault(language, len(self._languages)))
        self._sentence_blocks.append(min(sentence.block, _MOST_BLOCKS))
        # Keys hold the language. Numbers are left out: "edited on 3 May" is the same sentence as "edited on 4 May".
        self._sentence_digests.append(xxh3_64_intdigest(array("Q", words).tobytes()))

    def _number_piece(self, language: str, piece: str) -> Piece:
        """Return a piece between spaces as numbers."""
        numbers, glued = [], []
        for token, is_glued in split_piece(piece):
            number = self._forms.get((language, token))
            numbers.append(self._add_form(language, token) if number is None else number)
            glued.append(is_glued)
        tokens = tuple(2 * number + is_glued for number, is_glued in zip(numbers, glued, strict=True))
        return tokens, tuple(self._keys[number] for number in numbers if self._is_word[number])

    def _add_form(self, language: str, token: str) -> int:
        number = self._forms[language, token] = len(self._forms)
        self._keys.append(make_key(language, token.lower()))
        self._is_word.append(is_word(token))
        return number

    def copy_pages(self, segment: Segment, pages: Numbers) -> None:
        """Add some pages of another segment, which ascend."""
        sentences = np.flatnonzero(np.isin(segment.page_of_sentence, pages))
        positions = segment.list_tokens(sentences)
        tokens = segment.tokens[positions]
        numbers = np.zeros(len(segment.forms), np.uint32)
        used = np.unique(tokens >> np.uint32(1)).tolist()
        languages, forms = segment.get("form_languages"), segment.forms
        for form in used:
            language, token = segment.languages[languages[form]], forms[form]
            number = self._forms.get((language, token))
            numbers[form] = self._add_form(language, token) if number is None else number
        lengths = np.diff(segment.sentence_starts)[sentences]
        _extend(self._sentence_ends, np.cumsum(lengths) + len(self.tokens))
        _extend(self.tokens, numbers[tokens >> np.uint32(1)] * np.uint32(2) + (tokens & np.uint32(1)))
        _extend(self._sentence_blocks, segment.get("sentence_blocks")[sentences])
        _extend(self._sentence_digests, segment.get("sentence_digests")[sentences])
        known = [self._languages.setdefault(one, len(self._languages)) for one in segment.languages]
        _extend(
            self._sentence_languages,
            np.array(known, np.uint16)[segment.get("sentence_languages")[sentences]],
        )
        ends = np.cumsum(np.diff(segment.page_starts)[pages])
        _extend(self._page_ends, ends + (self._page_ends[-1] if self._page_ends else 0))
        self._pages += [segment.describe_page(page) for page in pages.tolist()]

    def write(self, path: Path) -> None:
        """Write what was added as a segment."""
        keys = np.frombuffer(self._keys, np.uint64) if self._keys else np.empty(0, np.uint64)
        order = np.argsort(keys, kind="stable")
        new_number = np.empty(len(order), np.uint32)
        new_number[order] = np.arange(len(order), dtype=np.uint32)
        tokens = _to_array(self.tokens, np.uint32)
        tokens = (
            new_number[tokens >> np.uint32(1)] * np.uint32(2) + (tokens & np.uint32(1))
            if len(tokens)
            else tokens
        )
        written = list(self._forms)
        forms = [written[at] for at in order.tolist()]
        hosts: dict[str, int] = {}
        arrays = {
            "tokens": tokens,
            "sentence_ends": _to_array(self._sentence_ends, np.int64),
            "sentence_languages": _to_array(self._sentence_languages, np.uint16),
            "sentence_blocks": _to_array(self._sentence_blocks, np.uint32),
            "sentence_digests": _to_array(self._sentence_digests, np.uint64),
            "page_ids": np.array([page.id for page in self._pages], np.int64),
            "page_ends": _to_array(self._page_ends, np.int64),
            "page_stamps": np.array([page.stamp for page in self._pages], np.int64),
            "page_dates": np.array([page.date_s for page in self._pages], np.float64),
            "page_hosts": np.array(
                [hosts.setdefault(page.host, len(hosts)) for page in self._pages], np.uint32
            ),
            **pack_texts("urls", [page.url for page in self._pages]),
            **make_form_arrays(forms, keys[order], np.array(self._is_word, np.bool_)[order], self._languages),
            **make_place_arrays(tokens, len(forms)),
        }
        write_arrays(path, arrays, {"languages": list(self._languages), "hosts": list(hosts)})


def make_form_arrays(
    forms: list[tuple[str, str]], keys: NDArray[np.uint64], word: NDArray[np.bool_], languages: dict[str, int]
) -> dict[str, NDArray[Any]]:
    """Return the arrays about forms, which are pairs of language and token, ascending by key."""
    lemmas = [
        find_lemma(language, token) if is_counted else token
        for (language, token), is_counted in zip(forms, word.tolist(), strict=True)
    ]
    lemma_keys = np.array(
        [make_key(language, lemma.lower()) for (language, _), lemma in zip(forms, lemmas, strict=True)],
        np.uint64,
    )
    return {
        **pack_texts("forms", [token for _, token in forms]),
        **pack_texts("lemmas", lemmas),
        "form_languages": np.array([languages[language] for language, _ in forms], np.uint16),
        "form_keys": keys,
        "lemma_keys": lemma_keys,
        "lemma_order": np.argsort(lemma_keys, kind="stable").astype(np.uint32),
        "is_word": word,
    }


def make_place_arrays(tokens: NDArray[np.uint32], forms: int) -> dict[str, NDArray[Any]]:
    """Return the positions of all tokens, sorted by form, and where those of each form end."""
    numbers = tokens >> np.uint32(1)
    return {
        "places": np.argsort(numbers, kind="stable").astype(np.uint32),
        "place_ends": np.cumsum(np.bincount(numbers, minlength=forms)).astype(np.int64),
    }


def find_lemma(language: str, token: str) -> str:
    """Return the lemma of a token by the dictionary of its language; the token in lower case if it is not known."""
    dictionary = _open_dictionary(language)
    lower = token.lower()
    if dictionary is None:
        return lower
    return dictionary.get(token) or dictionary.get(lower) or lower


@cache
def _open_dictionary(language: str) -> Any:
    return read_dictionary(language) if language in DICTIONARIES else None


def _extend(values: "array[int]", more: NDArray[Any]) -> None:
    values.frombytes(more.astype(values.typecode).tobytes())


def _to_array(values: Any, kind: Any) -> NDArray[Any]:
    return np.frombuffer(values, kind) if len(values) else np.empty(0, kind)
