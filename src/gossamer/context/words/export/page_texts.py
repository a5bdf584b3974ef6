"""The texts of pages from a token store, page by page, as exports for corpus tools need them."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import groupby

import msgspec
import numpy as np

from gossamer.context.words.selection import Selection, select_sentences
from gossamer.context.words.tokens.segment import PageFacts, Segment
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.store.batch import Store

_PAGES_AT_ONCE = 500


class PageText(msgspec.Struct, frozen=True):
    """The sentences of a page that a corpus has: each once in the collection."""

    facts: PageFacts
    title: str
    language: str
    """The language of most of its sentences."""
    segment: Segment
    blocks: tuple[tuple[int, ...], ...]
    """Numbers of sentences of the segment, by paragraph."""

    @property
    def site(self) -> str:
        """The site of the page."""
        return site(self.facts.host)

    @property
    def date(self) -> str:
        """The date of the page, as 2026-05-31."""
        return datetime.fromtimestamp(max(0.0, self.facts.date_s), UTC).strftime("%Y-%m-%d")

    def write_sentence(self, sentence: int) -> str:
        """Return the text of a sentence."""
        starts = self.segment.sentence_starts
        return self.segment.write_text(int(starts[sentence]), int(starts[sentence + 1]))


def iterate_pages(
    tokens: TokenStore,
    store: Store,
    selection: Selection,
    keep: Callable[[str], bool],
    on_progress: Callable[[float], None] = lambda _: None,
) -> Iterator[PageText]:
    """Yield the pages of a selection whose URLs are wanted, in the order in which they were read. Memory: 500 pages."""
    chosen = select_sentences(tokens, selection).sentences
    done = 0
    for segment, sentences in tokens.split_sentences(chosen):
        of = segment.page_of_sentence[sentences]
        pages, starts = np.unique(of, return_index=True)
        ends = [*starts[1:].tolist(), len(sentences)]
        for first in range(0, len(pages), _PAGES_AT_ONCE):
            some = slice(first, first + _PAGES_AT_ONCE)
            known = store.pages_by_id(segment.get("page_ids")[pages[some]].tolist())
            for page, start, end in zip(pages[some].tolist(), starts[some].tolist(), ends[some], strict=True):
                facts = segment.describe_page(page)
                if keep(facts.url):
                    yield _make_text(segment, facts, known.get(facts.id), sentences[start:end].tolist())
            done += len(pages[some])
            on_progress(min(1.0, done / max(1, tokens.facts["pages"])))


def _make_text(segment: Segment, facts: PageFacts, page: Page | None, sentences: list[int]) -> PageText:
    languages, blocks = segment.get("sentence_languages"), segment.get("sentence_blocks")
    numbers = languages[sentences]
    language = segment.languages[int(np.bincount(numbers).argmax())]
    grouped = tuple(tuple(group) for _, group in groupby(sentences, key=lambda one: int(blocks[one])))
    return PageText(facts, page.title if page is not None else "", language, segment, grouped)
