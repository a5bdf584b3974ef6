"""Suggest queries while a person types: completions of the last word, and titles of pages."""

import re
from collections import Counter
from itertools import pairwise

from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.filters import match_any
from gossamer.search.query.parse_query import parse
from gossamer.search.terms.analysis import get_analyser, split_text, to_terms

_LAST = re.compile(r"(?:^|\s)([^\W_]{1,40})$")
_MOST_CHARACTERS = 200
_PAGES = 40
_READ_CHARACTERS = 3_000
_IN_TITLE = 4
"""A word in a title counts as much as this many in the text."""
_AFTER_PREVIOUS = 10
"""A word right after the previous typed word counts as much as this many elsewhere."""
_MOST_TITLES = 3
_LONGEST_TITLE = 80


def suggest_queries(index: Index, typed: str, most: int = 8) -> list[str]:
    """Return queries that begin with what was typed, with the last word completed, then titles of pages.

    Words come from the pages that a query for such words finds, since the index itself has only stems. Cost: that of
    the query, and reading some of the pages.
    """
    last = _LAST.search(typed)
    if last is None or len(typed) > _MOST_CHARACTERS:
        return []
    before, word = typed[: last.start(1)], last[1].lower()
    if len(word) == 1 and not before.strip():  # one letter alone is too little
        return []
    plain = get_analyser("")
    start = plain[word]
    pages = _find_pages(index, before, word)
    previous = [plain[one] for one in split_text(before)]
    found = [before.lstrip() + one for one in _find_words(pages, previous[-1:], start) if one != word]
    titles = _find_titles(pages, previous, start)
    room = most - min(len(titles), _MOST_TITLES)
    together: dict[str, str] = {}
    for one in (*found[:room], *titles[:_MOST_TITLES]):
        together.setdefault(one.lower(), one)
    return list(together.values())[:most]


def _find_pages(index: Index, before: str, word: str) -> list[IndexedPage]:
    """Return pages with a word that begins like `word`, or a form of it; pages with it in their titles first."""
    occur, schema = tantivy.Occur, index.schema
    required = CompiledQuery(parse(before), index).query if before.strip() else None
    found: list[IndexedPage] = []
    for field in ("title", "words"):
        begins = tantivy.Query.fuzzy_term_query(
            schema, field, get_analyser("")[word], distance=0, prefix=True
        )
        # Stems are shorter than words: no term of the index begins with “pressure”.
        whole = [tantivy.Query.term_query(schema, field, term) for term in to_terms(word, index.languages)]
        parts = [(occur.Must, match_any([begins, *whole]))]
        query = tantivy.Query.boolean_query([*parts, (occur.Must, required)] if required else parts)
        hits = index.searcher.search(query, limit=_PAGES - len(found), count=False).hits
        found += [index.load_page(place) for _, place in hits]
        if len(found) >= _PAGES:
            break
    return found


def _find_words(pages: list[IndexedPage], previous: list[str], start: str) -> list[str]:
    """Return the words of some pages that begin with `start`: first those right after the previous word, then the most frequent."""
    plain = get_analyser("")
    worth: Counter[str] = Counter()
    for page in pages:
        text = split_text(f"{page.title}\n{page.text[:_READ_CHARACTERS]}")
        weights = {word: 1 for word in text if plain[word].startswith(start)}
        weights |= {word: _IN_TITLE for word in split_text(page.title) if word in weights}
        weights |= {
            word: weights[word] + _AFTER_PREVIOUS
            for before, word in pairwise(text)
            if word in weights and plain[before] in previous
        }
        worth.update(weights)
    return sorted(worth, key=lambda word: (-worth[word], len(word), word))


def _find_titles(pages: list[IndexedPage], before: list[str], start: str) -> list[str]:
    """Return titles that have all the words before, and a word that begins with `start`."""
    found: Counter[str] = Counter()
    for page in pages:
        words = [get_analyser("")[word] for word in split_text(page.title)]
        if set(before) <= set(words) and any(word.startswith(start) for word in words):
            found[" ".join(page.title.split())] += 1
    return [title for title, _ in found.most_common() if len(title) <= _LONGEST_TITLE]
