"""What somebody who is still typing may mean: words that go on so, and titles of pages that have them."""

import re
from collections import Counter
from itertools import pairwise

from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import Shown
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.filters import either
from gossamer.search.query.parse_query import parse
from gossamer.search.terms.analysis import analyser, forms, words

_LAST = re.compile(r"(?:^|\s)([^\W_]{1,40})$")
_MOST_CHARACTERS = 200
_PAGES = 40
_READ_CHARACTERS = 3_000
_IN_TITLE = 4
"""A word in a title says as much about a page as so many in its text."""
_BEHIND = 10
"""A word that stands behind the one that was typed before says as much as so many that stand anywhere."""
_MOST_TITLES = 3
_LONGEST_TITLE = 80


def suggestions(index: Index, typed: str, most: int = 8) -> list[str]:
    """Return queries that begin with what was typed: its last word gone on with, then titles of pages.

    Words come from the pages that a query for such words finds, since the index itself knows only stems. Cost: that of
    the query, and reading some of the pages.
    """
    last = _LAST.search(typed)
    if last is None or len(typed) > _MOST_CHARACTERS:
        return []
    before, word = typed[: last.start(1)], last[1].lower()
    if len(word) == 1 and not before.strip():  # one letter alone says nothing
        return []
    start = analyser("")[word]
    pages = _pages(index, before, word)
    told = [analyser("")[one] for one in words(before)]
    found = [before.lstrip() + one for one in _words(pages, told[-1:], start) if one != word]
    titles = _titles(pages, told, start)
    room = most - min(len(titles), _MOST_TITLES)
    together: dict[str, str] = {}
    for one in (*found[:room], *titles[:_MOST_TITLES]):
        together.setdefault(one.lower(), one)
    return list(together.values())[:most]


def _pages(index: Index, before: str, word: str) -> list[Shown]:
    """Return pages that have a word which begins so, or a form of it, those that have it in their titles first."""
    occur, schema = tantivy.Occur, index.schema
    told = Asked(parse(before), index).query if before.strip() else None
    found: list[Shown] = []
    for field in ("title", "words"):
        begins = tantivy.Query.fuzzy_term_query(schema, field, analyser("")[word], distance=0, prefix=True)
        # Stems are shorter than words: nothing in the index begins with “pressure”.
        wholly = [tantivy.Query.term_query(schema, field, term) for term in forms(word, index.languages)]
        parts = [(occur.Must, either([begins, *wholly]))]
        query = tantivy.Query.boolean_query([*parts, (occur.Must, told)] if told else parts)
        hits = index.searcher.search(query, limit=_PAGES - len(found), count=False).hits
        found += [index.shown(place) for _, place in hits]
        if len(found) >= _PAGES:
            break
    return found


def _words(pages: list[Shown], previous: list[str], start: str) -> list[str]:
    """Return the words of some pages that begin so, first those that stand behind the previous one, then the most frequent."""
    plain = analyser("")
    worth: Counter[str] = Counter()
    for page in pages:
        text = words(f"{page.title}\n{page.text[:_READ_CHARACTERS]}")
        told = {word: 1 for word in text if plain[word].startswith(start)}
        told |= {word: _IN_TITLE for word in words(page.title) if word in told}
        told |= {
            word: told[word] + _BEHIND
            for behind, word in pairwise(text)
            if word in told and plain[behind] in previous
        }
        worth.update(told)
    return sorted(worth, key=lambda word: (-worth[word], len(word), word))


def _titles(pages: list[Shown], before: list[str], start: str) -> list[str]:
    """Return titles that have all the words, and one that begins so."""
    found: Counter[str] = Counter()
    for page in pages:
        said = [analyser("")[word] for word in words(page.title)]
        if set(before) <= set(said) and any(word.startswith(start) for word in said):
            found[" ".join(page.title.split())] += 1
    return [title for title, _ in found.most_common() if len(title) <= _LONGEST_TITLE]
