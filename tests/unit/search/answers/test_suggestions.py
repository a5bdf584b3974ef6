import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.suggestions import suggest_queries
from gossamer.search.index.search_index import Index
from gossamer.search.terms.stop_words import is_stop_word


@pytest.fixture(scope="module")
def index() -> Index:
    return library(
        entry(20, title="Symphonies of Haydn", main="The symphonic works.", language="en"),
        entry(
            21,
            title="The orchestra pit | Music library",
            main="A slow movement begins quietly.",
            language="en",
        ),
        entry(
            22,
            title="About the theatre",
            main="A slow movement begins loudly, as they then did.",
            language="en",
        ),
    )


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("symph", "Symphonies of Haydn"),
        ("haydn symph", "haydn symphonies"),
        ("Boi", "boilers"),
        ("engines boi", "engines boilers"),
        ("komponist", "Komponisten"),
        ("munch", "münchen"),
        ("caf", "cafés"),
        ("composers o", "Composers of Vienna"),
        ("young m", "young man"),
        ("the or", "The orchestra pit"),
        ("music lib", "Music library"),
        ("slow mo", "slow movement begins"),
        ("mov", "movement begins"),
    ],
)
def test_titles_phrases_and_words_are_completed(index: Index, typed: str, first: str) -> None:
    assert suggest_queries(index, typed)[0] == first


def test_words_that_follow_the_previous_word_come_first(index: Index) -> None:
    # The page also has “many”, and more pages have “more”.
    assert suggest_queries(index, "young ma")[0] == "young man"
    assert suggest_queries(index, "for ma")[0] == "for many"


def test_titles_that_only_have_the_words_come_last(index: Index) -> None:
    assert suggest_queries(index, "haydn symph") == [
        "haydn symphonies",
        "haydn symphonic",
        "Symphonies of Haydn",
    ]


@pytest.mark.parametrize(
    "typed", ["th", "a", "an", "wa", "he", "engines a", "haydn an", "slow th", "we", "of", "and"]
)
def test_no_completion_is_or_ends_in_a_stop_word(index: Index, typed: str) -> None:
    for one in suggest_queries(index, typed):
        last = one.lower().split()[-1]
        assert not is_stop_word(last, "en"), one
    assert "the" not in suggest_queries(index, typed)


def test_a_title_is_not_suggested_for_a_stop_word_in_it(index: Index) -> None:
    assert suggest_queries(index, "th") == ["The orchestra pit", "theatre", "About the theatre"]
    assert suggest_queries(index, "of") == []


def test_a_title_is_suggested_for_words_that_stand_together_in_it(index: Index) -> None:
    assert suggest_queries(index, "about t")[0] == "About the theatre"
    assert "Symphonies of Haydn" in suggest_queries(index, "symphonies o")


def test_short_words_on_most_pages_are_stop_words_in_any_language() -> None:
    pages = [entry(number, title=f"Strona {number}", main="nie nikt", language="pl") for number in range(30)]
    found = suggest_queries(library(*pages), "ni")
    assert "nikt" in found
    assert "nie" not in found


def test_what_was_typed_is_not_suggested(index: Index) -> None:
    assert "komponisten" not in [one.lower() for one in suggest_queries(index, "komponisten")]


def test_suggestions_are_limited_and_unique(index: Index) -> None:
    found = suggest_queries(index, "co", most=3)
    assert 0 < len(found) <= 3
    assert len(set(map(str.lower, found))) == len(found)


@pytest.mark.parametrize(
    "typed", ["", "s", "haydn ", "site:exam", '"haydn', "zzz", "x" * 10_000, "((((a OR boi", "a\ud800b"]
)
def test_any_typed_text_is_accepted(index: Index, typed: str) -> None:
    assert len(suggest_queries(index, typed)) <= 8
