import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.search.terms.plain_compound_words import find_part_spans_plainly
from tests.unit.search.texts import entry, library

from gossamer.search.answers.answer_query import search
from gossamer.search.terms import word_frequencies
from gossamer.search.terms.compound_words import find_part_spans, split_compound
from gossamer.search.terms.word_frequencies import read_word_costs


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("donaudampfschiff", ("donau", "donaudampf", "dampf", "dampfschiff", "schiff")),
        ("geburtstagskind", ("geburtstag", "kind")),
        ("häuserblock", ("häuser", "block")),
        ("prüfungsordnung", ("prüfung", "ordnung")),
        ("prüfungsamt", ()),
        ("zeitstempel", ("zeit", "stempel")),
        ("suchmaschinen", ("such", "maschinen")),
        ("freitag", ()),
        ("unterricht", ()),
        ("komponisten", ()),
        ("haus", ()),
        ("x" * 5_000, ()),
    ],
)
def test_compounds_are_split_into_words(word: str, parts: tuple[str, ...]) -> None:
    assert split_compound(word, "de") == parts


@given(
    st.lists(
        st.sampled_from(
            ["donau", "dampf", "schiff", "prüfung", "ordnung", "zeit", "tag", "kind", "s", "en", "x"]
        ),
        min_size=1,
        max_size=8,
    )
)
def test_spans_agree_with_those_of_the_plain_search(pieces: list[str]) -> None:
    word = "".join(pieces)
    assert find_part_spans(word, "de") == find_part_spans_plainly(word)


def test_frequent_words_agree_with_the_plain_search() -> None:
    for word in list(read_word_costs("de"))[::50]:
        assert find_part_spans(word, "de") == find_part_spans_plainly(word)


def test_other_languages_are_not_split() -> None:
    assert find_part_spans("steamboat", "en") == ()
    assert split_compound("donaudampfschiff", "") == ()


def test_without_a_list_nothing_is_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_frequencies, "find_spec", lambda _: None)
    assert not list(read_word_costs.__wrapped__("de"))


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("Dampfschiff", {"long", "short"}),
        ("Schiffe", {"long", "short"}),
        ("Donaudampfschiff", {"long"}),
        ("Dampfschiffkapitän", set()),
        ("Binnenschiff", set()),
    ],
)
def test_compounds_are_found_from_both_sides(query: str, titles: set[str]) -> None:
    index = library(
        entry(71, title="long", main="Das Donaudampfschiff legt ab.", language="de"),
        entry(72, title="short", main="Ein Dampfschiff legt an.", language="de"),
    )
    assert {answer.title for answer in search(index, query).answers} == titles
    if titles:
        assert search(index, query).answers[0].title == ("long" if "onau" in query else "short")
