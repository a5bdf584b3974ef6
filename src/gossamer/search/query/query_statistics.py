"""Statistics of an index that the ranking of a query needs: how many pages have each of its terms."""

from collections.abc import Iterator, Sequence

import msgspec

from gossamer.search.index.document_fields import EXTRA_FIELD, PARTS_FIELD
from gossamer.search.index.page_names import NAMES_FIELD, make_query_tokens
from gossamer.search.index.search_index import Index
from gossamer.search.query.guess_query_language import iterate_words
from gossamer.search.query.parse_query import Field, Query
from gossamer.search.query.whole_query import list_plain_words
from gossamer.search.terms.analysis import split_text, to_part_terms, to_terms

MOST_TERMS = 400
"""How many terms of a query are counted: those of a hundred words. Further ones are estimated from the index that has them."""
# What weighs most comes first. `rest` is asked only to know whether any page has a word.
_FIELDS = ("words", "title", EXTRA_FIELD, PARTS_FIELD, "rest")


class TermCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How many pages have a term in a field."""

    field: str
    term: str
    pages: int


def count_query_terms(index: Index, query: Query, languages: Sequence[str]) -> list[TermCount]:
    """Count the pages that have each term of a query in each field; words are looked up in these languages."""
    return [
        TermCount(field, term, index.count_own_pages(field, term))
        for field, term in list_query_terms(query, languages)
    ]


def list_query_terms(query: Query, languages: Sequence[str]) -> list[tuple[str, str]]:
    """Return the fields and terms by which a query is ranked; the same list wherever the dictionaries are the same."""
    return list(dict.fromkeys(_iterate_terms(query, languages)))[:MOST_TERMS]


def _iterate_terms(query: Query, languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    for tokens in make_query_tokens(list_plain_words(query.root), languages).values():
        yield from ((NAMES_FIELD, token) for token in tokens)
    words = list(dict.fromkeys(iterate_words(query.root)))[:MOST_TERMS]
    terms = list(dict.fromkeys(term for word in words for term in to_terms(word, languages)))
    for name in _FIELDS:
        yield from ((name, term) for term in terms)
    for field in (node for node in query.root.must if isinstance(node, Field) and node.name == "title"):
        named = (term for word in split_text(field.value) for term in to_terms(word, languages))
        yield from (("title", term) for term in named)
    parts = dict.fromkeys(part for word in words for part in to_part_terms(word, languages))
    yield from ((name, part) for part in parts for name in ("words", PARTS_FIELD))
