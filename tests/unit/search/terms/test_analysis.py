import unicodedata

import pytest

from gossamer.search.terms.analysis import (
    TermTables,
    get_analyser,
    split_text,
    to_part_terms,
    to_terms,
)
from gossamer.search.terms.term_finder import LONGEST_TERM


@pytest.mark.parametrize(
    ("language", "asked", "written"),
    [
        ("en", "studies", "Study"),
        ("de", "Komponisten", "Komponist"),
        ("de", "Haus", "Häuser"),
        ("fr", "chevaux", "Cheval"),
        ("es", "niños", "NIÑO"),
        ("ru", "книги", "книга"),
    ],
)
def test_forms_of_a_word_have_the_same_term(language: str, asked: str, written: str) -> None:
    assert get_analyser(language).list_terms(asked) == get_analyser(language).list_terms(written)


def test_a_language_without_a_stemmer_leaves_words_as_they_are() -> None:
    assert get_analyser("xx").list_terms("Studies of Études") == ["studies", "of", "etudes"]


def test_accents_need_not_be_typed() -> None:
    assert get_analyser("fr").list_terms("café") == get_analyser("fr").list_terms("cafe")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert split_text(unicodedata.normalize("NFD", "Übung")) == ["übung"]


def test_scripts_without_spaces_are_split_into_characters() -> None:
    assert split_text("東京tower ก") == ["東", "京", "tower", "ก"]


@pytest.mark.parametrize(
    "spellings", ["München Muenchen", "Müller Mueller", "schön schoen", "Straße Strasse"]
)
def test_german_umlauts_are_found_from_both_sides(spellings: str) -> None:
    assert len(set(get_analyser("de").list_terms(spellings))) == 1


def test_compounds_have_parts() -> None:
    assert to_part_terms("donaudampfschiffe", ["en", "de"]) == ["donau", "dampf", "schiff"]
    assert to_part_terms("haus", ["de"]) == to_part_terms("donaudampfschiff", ["en"]) == []
    seen: set[str] = set()
    assert TermTables()["de"].join("Krankenhäuser am Haus", seen) == "krankenhaus am haus"
    assert get_analyser("de").join_parts(seen) == "krank haus"
    assert (get_analyser("de").has_compounds, get_analyser("en").has_compounds) == (True, False)


def test_a_word_has_one_term_for_each_language_that_differs() -> None:
    assert to_terms("komponisten", ["en", "de", ""]) == ["komponisten", "komponist"]
    assert to_terms("word", []) == ["word"]


def test_terms_are_neither_long_nor_split() -> None:
    assert all(len(term) <= 2 * LONGEST_TERM for term in get_analyser("en").list_terms("x" * 5_000))
    assert " " not in TermTables()[""].join("½")
    assert len(TermTables()[""].join("a b_c-d").split()) == 4


def test_other_letters_do_not_change_the_splitting() -> None:
    lines = ["Plain_text, with 3 words", "naïve Ünderscore_word", "東京 tower", "", "C++ and x86"]
    assert split_text("\n".join(lines)) == [word for line in lines for word in split_text(line)]
    assert split_text("Plain_text: 3×") == ["plain", "text", "3"]
    assert split_text("Plain_text: 3x") == ["plain", "text", "3x"]


@pytest.mark.parametrize(
    ("language", "alike", "stop_word"),
    [
        ("nl", ("overheid", "overheden"), "over"),
        ("sv", ("månad",), "man"),
        ("fr", ("tuer", "tué"), "tu"),
    ],
)
def test_no_word_is_stemmed_to_a_stop_word(language: str, alike: tuple[str, ...], stop_word: str) -> None:
    terms = {get_analyser(language)[word] for word in alike}
    assert len(terms) == 1
    assert get_analyser(language)[stop_word] == stop_word not in terms
    assert not any(split_text(term) == [term] for term in terms)  # no text has it as a word


def test_languages_without_stemmer_and_dictionary_share_a_table() -> None:
    tables = TermTables()
    assert tables["xx"] is tables["yy"] is tables[""]
    assert tables["de"] is not tables[""]
