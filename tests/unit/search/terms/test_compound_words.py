import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.answer_query import search
from gossamer.search.terms import word_frequencies
from gossamer.search.terms.compound_words import parts, spans_of
from gossamer.search.terms.word_frequencies import costs_of


@pytest.mark.parametrize(
    ("word", "cut"),
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
def test_compounds_are_cut_into_words(word: str, cut: tuple[str, ...]) -> None:
    assert parts(word, "de") == cut


def test_other_languages_are_left_alone() -> None:
    assert spans_of("steamboat", "en") == ()
    assert parts("donaudampfschiff", "") == ()


def test_without_a_list_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_frequencies, "find_spec", lambda _: None)
    assert costs_of.__wrapped__("de") == {}


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ("Dampfschiff", {"long", "short"}),
        ("Schiffe", {"long", "short"}),
        ("Donaudampfschiff", {"long"}),
        ("Dampfschiffkapitän", set()),
        ("Binnenschiff", set()),
    ],
)
def test_compounds_are_found_from_both_sides(asked: str, titles: set[str]) -> None:
    index = library(
        entry(71, title="long", main="Das Donaudampfschiff legt ab.", language="de"),
        entry(72, title="short", main="Ein Dampfschiff legt an.", language="de"),
    )
    assert {answer.title for answer in search(index, asked).answers} == titles
    if titles:
        assert search(index, asked).answers[0].title == ("long" if "onau" in asked else "short")
