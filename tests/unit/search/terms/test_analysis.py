import unicodedata

import pytest

from gossamer.search.terms.analysis import LONGEST_TERM, analyser, forms, part_forms, words


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
def test_forms_of_a_word_meet(language: str, asked: str, written: str) -> None:
    assert analyser(language).terms(asked) == analyser(language).terms(written)


def test_a_language_without_a_stemmer_leaves_words_as_they_are() -> None:
    assert analyser("xx").terms("Studies of Études") == ["studies", "of", "etudes"]


def test_accents_need_not_be_typed() -> None:
    assert analyser("fr").terms("café") == analyser("fr").terms("cafe")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert words(unicodedata.normalize("NFD", "Übung")) == ["übung"]


def test_scripts_without_spaces_come_by_character() -> None:
    assert words("東京tower ก") == ["東", "京", "tower", "ก"]


@pytest.mark.parametrize(
    "spellings", ["München Muenchen", "Müller Mueller", "schön schoen", "Straße Strasse"]
)
def test_german_umlauts_are_found_from_both_sides(spellings: str) -> None:
    assert len(set(analyser("de").terms(spellings))) == 1


def test_compounds_have_parts() -> None:
    assert part_forms("donaudampfschiffe", ["en", "de"]) == ["donau", "dampf", "schiff"]
    assert part_forms("haus", ["de"]) == part_forms("donaudampfschiff", ["en"]) == []
    met: set[str] = set()
    assert analyser("de").joined("Krankenhäuser am Haus", met) == "krankenhaus am haus"
    assert analyser("de").joined_parts(met) == "krank haus"
    assert (analyser("de").has_compounds, analyser("en").has_compounds) == (True, False)


def test_a_word_has_one_form_for_each_language_that_differs() -> None:
    assert forms("komponisten", ["en", "de", ""]) == ["komponisten", "komponist"]
    assert forms("word", []) == ["word"]


def test_a_term_is_never_long_nor_split() -> None:
    assert all(len(term) <= 2 * LONGEST_TERM for term in analyser("en").terms("x" * 5_000))
    assert " " not in analyser("").joined("½")
    assert len(analyser("").joined("a b_c-d").split()) == 4


def test_lines_with_foreign_letters_are_read_like_others() -> None:
    lines = ["Plain_text, with 3 words", "naïve Ünderscore_word", "東京 tower", "", "C++ and x86"]
    assert words("\n".join(lines)) == [word for line in lines for word in words(line)]
    assert words("Plain_text: 3×") == ["plain", "text", "3"]
    assert words("Plain_text: 3x") == ["plain", "text", "3x"]


@pytest.mark.parametrize(
    ("language", "alike", "stop_word"),
    [
        ("de", ("sicher", "sicherheit", "sicherheiten"), "sich"),
        ("nl", ("overheid", "overheden"), "over"),
        ("sv", ("månad",), "man"),
        ("fr", ("tuer", "tué"), "tu"),
    ],
)
def test_no_word_is_reduced_to_one_that_says_nothing(
    language: str, alike: tuple[str, ...], stop_word: str
) -> None:
    terms = {analyser(language)[word] for word in alike}
    assert len(terms) == 1
    assert analyser(language)[stop_word] == stop_word not in terms
    assert not any(words(term) == [term] for term in terms)  # no text has it as a word
