import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.suggestions import suggestions
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
def test_the_last_word_is_gone_on_with(index: Index, typed: str, first: str) -> None:
    assert suggestions(index, typed)[0] == first


def test_words_that_stand_together_come_first(index: Index) -> None:
    # “many” stands there as well, and “more” on more pages.
    assert suggestions(index, "young ma")[0] == "young man"
    assert suggestions(index, "for ma")[0] == "for many"


def test_titles_are_suggested_after_words(index: Index) -> None:
    found = suggestions(index, "symph")
    assert found[-1] == "Symphonies of Haydn"
    assert suggestions(index, "haydn symph")[-1] == "Symphonies of Haydn"


def test_there_are_no_more_than_wished_for_and_none_twice(index: Index) -> None:
    found = suggestions(index, "co", most=3)
    assert 0 < len(found) <= 3
    assert len(set(map(str.lower, found))) == len(found)


@pytest.mark.parametrize(
    "typed", ["", "s", "haydn ", "site:exam", '"haydn', "zzz", "x" * 10_000, "((((a OR boi", "a\ud800b"]
)
def test_whatever_is_typed_does_no_harm(index: Index, typed: str) -> None:
    assert len(suggestions(index, typed)) <= 8
