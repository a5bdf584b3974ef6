"""Which languages words of a query may be in, where nobody says it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from gossamer.search.index.search_index import Index
from gossamer.search.query.parse_query import Either, Group, Node, Query, Words
from gossamer.search.terms.analysis import STEMMERS, forms, words

_FIELDS = ("words", "rest", "anchors")
# A query of more words than these that no page has is no query.
_MOST_UNKNOWN = 20


def languages_of(query: Query, index: Index) -> tuple[str, ...]:
    """Return the languages that the words of a query are reduced by."""
    return languages_for(_words(query.root), index)


def languages_for(asked: Iterable[str], index: Index) -> tuple[str, ...]:
    """Return those of most pages, and for words that no such page has those of few pages that have them.

    The only Arabic page of an English web is found by its words. Cost: nothing for words that large languages know, else
    a look-up for each of the small ones.
    """
    large = index.languages
    unknown = set(islice((word for word in asked if not are_known(forms(word, large), index)), _MOST_UNKNOWN))
    guessed: list[str] = []
    for code in _small(index) if unknown else ():
        found = {word for word in unknown if are_known(forms(word, [code]), index)}
        guessed += [code] if found else []
        unknown -= found
    return (*large, *guessed)


def _small(index: Index) -> list[str]:
    """Return the languages of few pages that words are reduced by, the most frequent first; "" for none."""
    known = (code if code in STEMMERS else "" for code in index.whole["language"])
    return [code for code in dict.fromkeys(known) if code not in index.languages]


def are_known(terms: Iterable[str], index: Index) -> bool:
    """Say whether some page has one of some terms."""
    return any(index.having(field, term) for term in terms for field in _FIELDS)


def _words(node: Node) -> Iterator[str]:
    match node:
        case Words(text):
            yield from words(text)
        case Either(options):
            yield from (word for one in options for word in _words(one))
        case Group(must, should):
            yield from (word for one in (*must, *should) for word in _words(one))
