import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse


@pytest.fixture(scope="module")
def index() -> Index:
    return library(
        *(entry(number, title="Imprint", main="Imprint and more", language="en") for number in range(10, 30))
    )


def compile_text(text: str, index: Index) -> CompiledQuery:
    return CompiledQuery(parse(text), index)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("steam engines", "ten"),
        ("steam engine", "n"),
        ('"steam engines"', "ten"),
        ("steam engines language:en", "ten"),
        ("the haydn page", "a"),
        ("engines steam", ""),
        ("steam engines pumps", ""),
        ("steam AND engines", ""),
        ("site:example.org", ""),
        ("東京大学", "ten"),
    ],
)
def test_whole_names(index: Index, query: str, kinds: str) -> None:
    assert "".join(token[0] for token in compile_text(query, index).whole_queries) == kinds


def test_names_that_many_pages_share_count_less(index: Index) -> None:
    def score(query: str) -> float:
        compiled = compile_text(query, index)
        ((best, _),) = index.searcher.search(next(iter(compiled.whole_queries.values())), limit=1).hits
        return float(best) / compiled.rarity

    assert score("imprint") < 0.5 * score("bakers")


def test_words_in_titles_count_by_their_share_of_the_query(index: Index) -> None:
    alone, beside = (
        compile_text(text, index).weigh_fields("boilers")["title"] for text in ("boilers", "boilers mines")
    )
    assert alone == pytest.approx(index.weights.title)
    assert 0 < beside < alone
    assert compile_text("the boilers", index).weigh_fields("boilers")["title"] == pytest.approx(alone)


def test_very_long_queries_are_no_names(index: Index) -> None:
    assert compile_text("steam " * 100, index).whole_queries == {}
