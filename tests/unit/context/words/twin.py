"""A slow and readable twin of the token store: sentences in lists, words in dictionaries."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from gossamer.context.words.tokens.refresh_tokens import PageSentences, TokenRefresh, write_tokens
from gossamer.context.words.tokens.segment import Numbers, PageFacts
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.text.language.detection.corpus_sentences import Sentence, split_words


class PlainPage(msgspec.Struct, frozen=True):
    """A page as its sentences: pairs of language and text."""

    id: int
    host: str
    date_s: float
    sentences: tuple[tuple[str, str], ...]
    stamp: int = 1

    @property
    def facts(self) -> PageFacts:
        return PageFacts(self.id, f"http://{self.host}/{self.id}", self.host, self.date_s, self.stamp)


def write_pages(folder: Path, pages: Sequence[PlainPage]) -> TokenRefresh:
    """Bring the token store of a folder up to date with some pages."""
    by_id = {page.id: page for page in pages}
    done = TokenRefresh()

    def read(wanted: Numbers) -> Iterator[PageSentences]:
        for page_id in wanted.tolist():
            page = by_id[page_id]
            done.read += 1
            yield (
                page.facts,
                [Sentence(text, language, 0, at) for at, (language, text) in enumerate(page.sentences)],
            )

    ids = np.array([page.id for page in pages], np.int64)
    stamps = np.array([page.stamp for page in pages], np.int64)
    write_tokens(folder, ids, stamps, read, done, {"source": "test"})
    return done


def open_pages(folder: Path, pages: Sequence[PlainPage]) -> TokenStore:
    write_pages(folder, pages)
    return TokenStore(folder)


Words = tuple[str, ...]


def count_words(
    pages: Sequence[PlainPage], is_selected: Callable[[PlainPage], bool] = lambda _: True
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Count the words of a selection and of the rest: each sentence once, for the selection if it is on one of its pages."""
    here: dict[tuple[str, Words], None] = {}
    everywhere: dict[tuple[str, Words], None] = {}
    for page in pages:
        for language, text in page.sentences:
            sentence = language, tuple(split_words(text))
            everywhere[sentence] = None
            if is_selected(page):
                here[sentence] = None
    rest = [sentence for sentence in everywhere if sentence not in here]
    return _count(list(here)), _count(rest)


def _count(sentences: list[tuple[str, Words]]) -> Counter[tuple[str, str]]:
    return Counter((language, word) for language, words in sentences for word in words)
