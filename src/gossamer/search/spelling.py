"""What was perhaps meant: words that no page has, against words that pages have which are spelt nearly so."""

import difflib
from collections import Counter
from collections.abc import Sequence

from gossamer.search.analysis import forms, words
from gossamer.search.clauses import Asked
from gossamer.search.engine import tantivy
from gossamer.search.index import Index

_SHORTEST = 4
_MOST_WORDS = 8
_PAGES = 10
_LEAST_ALIKE = 0.7


def suggestion(text: str, asked: Asked, index: Index) -> str:
    """Return the query with unknown words replaced by known ones; "" if there is nothing to suggest.

    Words come from the pages that a fuzzy search finds, since the index itself knows only stems.
    """
    better = text
    plain = [one.text for one in asked.words if one.match == "word"][:_MOST_WORDS]
    for word in plain:
        if len(word) >= _SHORTEST and len(words(word)) == 1 and not _is_known(word, asked.languages, index):
            known = _nearest(word.lower(), asked.languages, index)
            better = better.replace(word, known) if known else better
    return better if better != text else ""


def _is_known(word: str, languages: Sequence[str], index: Index) -> bool:
    searcher = index.searcher
    terms = forms(words(word)[0], languages)
    return any(searcher.doc_freq(field, term) for term in terms for field in ("words", "anchors", "rest"))


def _nearest(word: str, languages: Sequence[str], index: Index) -> str:
    """Return the word of some pages that is nearest to this one; of equally near ones the most frequent."""
    found: Counter[str] = Counter()
    for term in forms(words(word)[0], languages):
        query = tantivy.Query.fuzzy_term_query(index.schema, "words", term, 2 if len(term) > _SHORTEST else 1)
        for _, place in index.searcher.search(query, limit=_PAGES, count=False).hits:
            page = index.shown(place)
            found.update(words(f"{page.title} {page.text}"))
    near = difflib.get_close_matches(word, list(found), n=5, cutoff=_LEAST_ALIKE)
    return max(
        near,
        key=lambda one: (round(difflib.SequenceMatcher(None, word, one).ratio(), 1), found[one]),
        default="",
    )
