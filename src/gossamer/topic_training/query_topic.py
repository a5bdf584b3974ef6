"""The topic of a query: its words, and what the pages add that a search for them finds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gossamer.search.query.parse_query import BooleanGroup, Either, Node, Words, parse
from gossamer.topic_training.example_sources import SearchableWeb, search_pages

if TYPE_CHECKING:  # imported late, so that --help answers at once
    from gossamer.text.topics import TopicModel
    from gossamer.text.topics.training_example import Example

_BEST_RESULTS = 10
_MOST_OTHERS = 500
_FEWEST_OTHERS = 20


class QueryPages(msgspec.Struct, frozen=True):
    """The words of a query, the best pages that it finds, and other pages of the web."""

    words: str
    found: "list[Example]"
    others: "list[Example]"


def read_query_pages(web: SearchableWeb, query: str) -> QueryPages | None:
    """Search a web; None if the query has no words, or the web has too few pages to compare these with."""
    from gossamer.crawl.from_archive.topic_examples import TopicExamples

    words = " ".join(list_query_words(parse(query).root))
    if not words:
        return None
    pages = TopicExamples(web.store, web.folder / "archive")
    best = search_pages(web, query)[:_BEST_RESULTS]
    others = pages.draw_others((), best, _MOST_OTHERS)
    if len(others) < _FEWEST_OTHERS:
        return None
    return QueryPages(words, list(pages.read_pages(best)), others)


def train_on_query(pages: QueryPages) -> "TopicModel":
    """Learn a topic from the words of a query; the pages that it finds add theirs.

    Few of these pages may be about it, so that a model which separated them from all others would learn what they happen
    to have in common: docs/decisions/0025-evidence-of-all-sources.md.
    """
    from gossamer.text.topics.train_on_crawl import train_on_crawl
    from gossamer.text.topics.training_example import Example

    return train_on_crawl([Example(pages.words)], [*pages.found, *pages.others], len(pages.found))


def list_query_words(node: Node) -> Iterator[str]:
    """Yield the words of a query, except those that must not match and those of fields."""
    if isinstance(node, Words):
        yield from node.text.split()
    elif isinstance(node, Either):
        for one in node.options:
            yield from list_query_words(one)
    elif isinstance(node, BooleanGroup):
        for one in (*node.must, *node.should):
            yield from list_query_words(one)
