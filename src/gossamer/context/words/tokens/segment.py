"""A segment of a token store: the running text of some thousand pages as numbers. It never changes once it is written.

| array | one for each | holds |
|---|---|---|
| `tokens` | token | twice the number of its form, plus one if no space stands before it |
| `sentence_ends`, `sentence_languages`, `sentence_blocks`, `sentence_digests` | sentence | where its tokens end, its language, its paragraph, a digest of its words |
| `page_ids`, `page_ends`, `page_stamps`, `page_dates`, `page_hosts`, `urls` | page | its id, where its sentences end, what it was read from, its date |
| `forms`, `form_languages`, `form_keys`, `lemma_keys`, `lemma_order`, `lemmas`, `is_word` | form | a token as written in a language, ascending by the key of its lower case |
| `places`, `place_ends` | token, form | the positions of each form |
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.context.words.tokens.array_file import ArrayFile, TextTable

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]

SUFFIX = ".segment"


def make_key(language: str, word: str) -> int:
    """Return the key of a word of a language: the same in all segments and all webs."""
    return xxh3_64_intdigest(f"{language}\0{word}".encode("utf-8", "replace"))


class PageFacts(msgspec.Struct, frozen=True, gc=False):
    """What a token store knows of a page beside its text."""

    id: int
    url: str
    host: str
    date_s: float
    stamp: int = 0
    """A digest of what its text was read from; another one means that the page has to be read again."""


class Segment:
    """A segment that is open to read."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self._file = ArrayFile(path)
        self.languages: list[str] = self._file.facts["languages"]
        self.hosts: list[str] = self._file.facts["hosts"]
        self.tokens: NDArray[np.uint32] = self._file.get("tokens")
        self.sentences = len(self._file.get("sentence_ends"))
        self.pages = len(self._file.get("page_ids"))

    def get(self, name: str) -> NDArray[Any]:
        """Return one of its arrays."""
        return self._file.get(name)

    def release(self) -> None:
        """Give back the memory of what was read; it is read again when it is needed."""
        self._file.release()
        for name in ("sentence_starts", "page_starts", "page_of_sentence"):
            self.__dict__.pop(name, None)

    @cached_property
    def forms(self) -> TextTable:
        """The forms as they are written."""
        return self._file.get_texts("forms")

    @cached_property
    def lemmas(self) -> TextTable:
        """The lemma of each form."""
        return self._file.get_texts("lemmas")

    @cached_property
    def urls(self) -> TextTable:
        """The URL of each page."""
        return self._file.get_texts("urls")

    @cached_property
    def sentence_starts(self) -> Numbers:
        """Where the tokens of each sentence begin, and where the last ones end."""
        return np.concatenate(([0], self.get("sentence_ends").astype(np.int64)))

    @cached_property
    def page_starts(self) -> Numbers:
        """Where the sentences of each page begin, and where the last ones end."""
        return np.concatenate(([0], self.get("page_ends").astype(np.int64)))

    @cached_property
    def page_of_sentence(self) -> NDArray[np.int32]:
        """The page of each sentence."""
        return np.repeat(np.arange(self.pages, dtype=np.int32), np.diff(self.page_starts))

    def describe_page(self, page: int) -> PageFacts:
        """Return what it knows of a page."""
        return PageFacts(
            int(self.get("page_ids")[page]),
            self.urls[page],
            self.hosts[self.get("page_hosts")[page]],
            float(self.get("page_dates")[page]),
            int(self.get("page_stamps")[page]),
        )

    def list_tokens(self, sentences: Numbers) -> Numbers:
        """Return the positions of the tokens of some sentences, which ascend."""
        starts = self.sentence_starts
        if len(sentences) == self.sentences:
            return np.arange(len(self.tokens), dtype=np.int64)
        lengths = starts[sentences + 1] - starts[sentences]
        before = np.cumsum(lengths) - lengths
        return np.repeat(starts[sentences] - before, lengths) + np.arange(int(lengths.sum()), dtype=np.int64)

    def read_forms(self, sentences: Numbers) -> NDArray[np.uint32]:
        """Return the numbers of the forms of all tokens of some sentences, which ascend."""
        if len(sentences) == self.sentences:
            return self.tokens >> np.uint32(1)
        return self.tokens[self.list_tokens(sentences)] >> np.uint32(1)

    def find_sentences(self, positions: Numbers) -> Numbers:
        """Return the sentence of each position."""
        return np.searchsorted(self.get("sentence_ends"), positions, side="right").astype(np.int64)

    def list_places(self, forms: Numbers) -> Numbers:
        """Return the positions of some forms, ascending."""
        if not len(forms):
            return np.empty(0, np.int64)
        ends, places = self.get("place_ends"), self.get("places")
        found = [places[int(ends[form - 1]) if form else 0 : int(ends[form])] for form in forms.tolist()]
        return np.sort(np.concatenate(found)).astype(np.int64)

    def count_places(self, forms: Numbers) -> int:
        """Return how many positions some forms have."""
        ends = self.get("place_ends").astype(np.int64)
        return int((ends[forms] - np.where(forms > 0, ends[forms - 1], 0)).sum())

    def find_forms(self, keys: Keys, lemmas: bool) -> Numbers:
        """Return the forms whose key, or whose lemma's key, is among some."""
        if not lemmas:
            ordered, order = self.get("form_keys"), None
        else:
            order = self.get("lemma_order")
            ordered = self.get("lemma_keys")[order]
        lows = np.searchsorted(ordered, keys, side="left")
        highs = np.searchsorted(ordered, keys, side="right")
        runs = [np.arange(low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]
        found = np.concatenate([np.empty(0, np.int64), *runs])
        return np.sort(found if order is None else order[found].astype(np.int64))

    def write_text(self, start: int, end: int) -> str:
        """Return the text of some tokens, with spaces where they stood."""
        parts = []
        for at, token in enumerate(self.tokens[start:end].tolist()):
            parts.append(("" if token & 1 or not at else " ") + self.forms[token >> 1])
        return "".join(parts)
