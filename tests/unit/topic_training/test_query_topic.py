"""The topic of a query is made of its words and of the pages that it finds."""

import pytest

from gossamer.search.query.parse_query import parse
from gossamer.text.topics import Example
from gossamer.topic_training.query_topic import QueryPages, list_query_words, train_on_query

SOUPS = [Example(f"onion soup with garlic and bread, recipe {number}", "Soup") for number in range(5)]
SKIES = [Example(f"a comet in the sky near the moon, picture {number}", "Sky") for number in range(40)]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("haydn symphonies", "haydn symphonies"),
        ('+haydn -mozart "string quartet"', "haydn string quartet"),
        ("(haydn OR bach) AND organ*", "organ haydn bach"),
        ("site:example.org depth:0..2", ""),
    ],
)
def test_words_are_what_may_match_outside_of_fields(query: str, words: str) -> None:
    assert sorted(list_query_words(parse(query).root)) == sorted(words.split())


def test_found_pages_add_their_words() -> None:
    model = train_on_query(QueryPages("onion", SOUPS, SKIES))
    assert model.card.kept == (Example("onion"),)
    assert model.relevance("garlic bread and soup") > 0.5 > model.relevance("the moon in the sky")
