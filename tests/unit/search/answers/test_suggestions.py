import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.suggestions import suggest_queries
from gossamer.search.index.search_index import Index


@pytest.fixture(scope="module")
def index() -> Index:
    return library(entry(20, title="Symphonies of Haydn", main="The symphonic works.", language="en"))


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("symph", "symphonies"),
        ("haydn symph", "haydn symphonies"),
        ("Boi", "boilers"),
        ("engines boi", "engines boilers"),
        ("komponist", "komponisten"),
        ("munch", "münchen"),
        ("caf", "cafés"),
        ("composer", "composers"),
        ("young m", "young man"),
    ],
)
def test_the_last_word_is_completed(index: Index, typed: str, first: str) -> None:
    assert suggest_queries(index, typed)[0] == first


def test_words_that_follow_the_previous_word_come_first(index: Index) -> None:
    # The page also has “many”, and more pages have “more”.
    assert suggest_queries(index, "young ma")[0] == "young man"
    assert suggest_queries(index, "for ma")[0] == "for many"


def test_titles_are_suggested_after_words(index: Index) -> None:
    found = suggest_queries(index, "symph")
    assert found[-1] == "Symphonies of Haydn"
    assert suggest_queries(index, "haydn symph")[-1] == "Symphonies of Haydn"


def test_suggestions_are_limited_and_unique(index: Index) -> None:
    found = suggest_queries(index, "co", most=3)
    assert 0 < len(found) <= 3
    assert len(set(map(str.lower, found))) == len(found)


@pytest.mark.parametrize(
    "typed", ["", "s", "haydn ", "site:exam", '"haydn', "zzz", "x" * 10_000, "((((a OR boi", "a\ud800b"]
)
def test_any_typed_text_is_accepted(index: Index, typed: str) -> None:
    assert len(suggest_queries(index, typed)) <= 8
