"""Guess the languages of a query's words, if the query does not name one."""

from collections.abc import Iterable, Iterator
from itertools import islice

from gossamer.search.index.search_index import Index
from gossamer.search.query.parse_query import BooleanGroup, Either, Node, Query, Words
from gossamer.search.terms.analysis import LANGUAGES, split_text, to_terms

_FIELDS = ("words", "rest")
# At most this many unknown words are looked up in small languages.
_MOST_UNKNOWN = 20


def find_query_languages(query: Query, index: Index) -> tuple[str, ...]:
    """Return the languages in which base forms of the words of a query are found."""
    return find_languages(iterate_words(query.root), index)


def find_languages(words: Iterable[str], index: Index) -> tuple[str, ...]:
    """Return the large languages of an index, and for words unknown in these, the small languages that have them.

    So the only Arabic page of an English web is found by its words. Cost: nothing for words known in large languages, else
    a look-up in each small language.
    """
    large = index.languages
    unknown = set(
        islice((word for word in words if not are_known(to_terms(word, large), index)), _MOST_UNKNOWN)
    )
    guessed: list[str] = []
    for code in _list_small_languages(index) if unknown else ():
        found = {word for word in unknown if are_known(to_terms(word, [code]), index)}
        guessed += [code] if found else []
        unknown -= found
    return (*large, *guessed)


def _list_small_languages(index: Index) -> list[str]:
    """Return the languages of few pages, the most frequent first; "" for languages without a dictionary and a stemmer."""
    known = (code if code in LANGUAGES else "" for code in index.totals["language"])
    return [code for code in dict.fromkeys(known) if code not in index.languages]


def are_known(terms: Iterable[str], index: Index) -> bool:
    """Say whether any page has one of some terms."""
    return any(index.count_pages(field, term) for term in terms for field in _FIELDS)


def iterate_words(node: Node) -> Iterator[str]:
    """Yield the words that a part of a query looks for."""
    match node:
        case Words(text):
            yield from split_text(text)
        case Either(options):
            yield from (word for one in options for word in iterate_words(one))
        case BooleanGroup(must, should):
            yield from (word for one in (*must, *should) for word in iterate_words(one))
