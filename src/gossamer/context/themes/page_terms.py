"""Read the terms of pages: title and beginning of the main text without stop words and numbers, and words of links to them."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.link_evidence import read_in_links
from gossamer.context.themes.list_pages import IndexPages
from gossamer.context.themes.sparse_rows import Dense
from gossamer.context.themes.term_space import TermSpace
from gossamer.context.themes.theme_file import ThemeState
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.terms.analysis import TermTables, get_analyser, split_text
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import Store

_MOST_CHARACTERS = 4_000
"""How much of a text is read: what a page is about is clear from its beginning."""
_TITLE = 2
"""What a word of the title counts."""
_SHORTEST, _LONGEST = 2, 40
_MOST_REMEMBERED = 200_000


class TermCounter:
    """Counts the terms of pages. Only one thread may use it."""

    def __init__(self, main_language: str = "") -> None:
        """Count terms; pages in unknown languages have the stop words of the main language."""
        self._main_language = main_language
        self._tables = TermTables()
        self._wanted: dict[str, dict[str, bool]] = {}

    def count(self, page: IndexedPage) -> Counter[str]:
        """Return how often each term is on a page. Cost: 0.2 ms for a page of 4,000 characters."""
        language = page.language or self._main_language
        table = self._tables[language]
        table.begin_page()
        counts = Counter(table.join(page.text[:_MOST_CHARACTERS]).split())
        for term in table.join(page.title).split():
            counts[term] += _TITLE
        wanted = self._wanted.setdefault(language, {})
        if len(wanted) > _MOST_REMEMBERED:
            wanted.clear()
        for term in list(counts):
            keep = wanted.get(term)
            if keep is None:
                keep = wanted[term] = _is_wanted(term, language)
            if not keep:
                del counts[term]
        return counts


def _is_wanted(term: str, language: str) -> bool:
    # A script without spaces has words of one character.
    is_long = _SHORTEST <= len(term) <= _LONGEST or not term.isascii()
    return is_long and not term[0].isdigit() and not is_stop_word(term, language)


def list_spellings(page: IndexedPage, main_language: str = "") -> dict[str, str]:
    """Return the terms of a page, each with a word as it is written there, in lower case."""
    analyser = get_analyser(page.language or main_language)
    words = dict.fromkeys(split_text(f"{page.title}\n{page.text[:_MOST_CHARACTERS]}"))
    return {analyser[word]: word for word in words if not is_stop_word(word, page.language)}


class PageReader:
    """Reads the terms of pages, with those of links to them, and numbers their sites and languages."""

    def __init__(self, listed: IndexPages, store: Store | None, known: ThemeState | None = None) -> None:
        self._listed = listed
        self._store = store
        self._main_language = listed.index.languages[0]
        self._counter = TermCounter(self._main_language)
        self.sites = {name: at for at, name in enumerate(known.sites)} if known else {}
        self.languages = {name: at for at, name in enumerate(known.languages)} if known else {}
        self.sources: dict[int, tuple[int, ...]] = {}
        """By number of a page that was read: the pages that link to it."""

    def read_terms(self, numbers: NDArray[np.int64], rows: NDArray[np.void]) -> list[Mapping[str, int]]:
        """Return how often each term is on some pages and in links to them, in the order of the numbers.

        Their sites and languages are noted in their rows.
        """
        found: dict[int, Counter[str]] = {}
        languages: dict[int, str] = {}
        for at, page in self._listed.read(numbers):
            found[at] = self._counter.count(page)
            languages[int(self._listed.ids[at])] = page.language or self._main_language
            rows["site"][at] = self.sites.setdefault(page.site, len(self.sites))
            rows["language"][at] = self.languages.setdefault(page.language, len(self.languages))
        if self._store is not None:
            links = read_in_links(self._store, self._listed.index, languages)
            for at in numbers.tolist():
                one = links[int(self._listed.ids[at])]
                found[at].update(one.terms)
                self.sources[at] = one.sources
        return [found[at] for at in numbers.tolist()]

    def place(self, numbers: NDArray[np.int64], space: TermSpace, rows: NDArray[np.void]) -> Dense:
        """Return the places of some pages in the space of terms."""
        return space.place(self.read_terms(numbers, rows))
