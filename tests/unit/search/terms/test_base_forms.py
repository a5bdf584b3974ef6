import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.answer_query import search
from gossamer.search.terms.analysis import get_analyser
from gossamer.search.terms.base_forms import DICTIONARIES, BaseForms, measure_dictionaries, read_dictionary


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "mouse mice"),
        ("en", "go goes went"),
        ("en", "meet meeting meetings meets met"),
        ("en", "phenomenon phenomena"),
        ("en", "organize organise organization organisations"),
        ("en", "tumor tumours"),
        ("en", "theory theories theoretical"),
        ("en", "compose composer composing"),
        ("en", "abnormal abnormality abnormalities"),
        ("de", "Haus Häuser Haeuser Hauses"),
        ("de", "gehen ging gegangen"),
        ("de", "löschen löscht gelöscht gelöschte Löschung"),
        ("de", "München Muenchen"),
        ("de", "Quellpaket Quellpakets Quellpakete"),
        ("de", "Festplattenpartition Festplattenpartitionen"),
        ("de", "Krankenhaus Krankenhäuser Krankenhäusern"),
        ("fr", "œil yeux"),
        ("fr", "élève élèves eleves"),
        ("cs", "pes psi psů"),
        ("pl", "pies psy psów"),
        ("uk", "місто міста"),
        ("hr", "grad gradovi gradova"),
        ("no", "bok bøker"),
    ],
)
def test_forms_of_a_word_have_one_term(language: str, forms: str) -> None:
    assert len(set(get_analyser(language).list_terms(forms))) == 1


@pytest.mark.parametrize(
    "words",
    [
        "animal animation",
        "universe university",
        "organ organization",
        "several sever",
        "office officer",
        "gone gan",
    ],
)
def test_different_words_stay_apart(words: str) -> None:
    one, other = get_analyser("en").list_terms(words)
    assert one != other


@pytest.mark.parametrize("words", ["Benutzer benutzen", "Gerät geraten", "München Münch", "Sicherheit sich"])
def test_different_german_words_stay_apart(words: str) -> None:
    one, other = get_analyser("de").list_terms(words)
    assert one != other


def test_a_noun_is_no_form_of_a_rare_verb() -> None:
    assert BaseForms("de").find("haus") == "haus"
    assert BaseForms("fr").find("paris") == "paris"


def test_stop_words_abbreviations_and_unknown_words_have_no_base_form() -> None:
    assert [BaseForms("en").find(word) for word in ("were", "m", "qwxzy")] == [None] * 3
    assert BaseForms("xx").find("mice") is None


def test_every_dictionary_is_there() -> None:
    assert measure_dictionaries() > 10_000_000
    assert all(read_dictionary.__wrapped__(code) for code in ("ar", "hr", "id", "no", "uk"))
    assert "sw" not in DICTIONARIES


def test_irregular_forms_are_found_and_marked() -> None:
    index = library(entry(1, title="Rodents", main="Three mice ran. They went home.", language="en"))
    for query, marked in (("mouse", "mice"), ("going", "went")):
        (answer,) = search(index, query).answers
        assert marked in [piece for piece, is_marked in answer.snippet.pieces() if is_marked]
