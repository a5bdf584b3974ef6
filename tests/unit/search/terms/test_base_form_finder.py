import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.search.terms.plain_base_forms import ENDINGS, PlainBaseForms

from gossamer.search.terms.base_form_finder import BaseFormFinder
from gossamer.search.terms.base_forms import read_dictionary
from gossamer.search.terms.word_frequencies import read_word_costs

STEMS = [
    "abnormal",
    "adapt",
    "administr",
    "anim",
    "appl",
    "baker",
    "colour",
    "compos",
    "comput",
    "dict",
    "econom",
    "estim",
    "face",
    "foetus",
    "haem",
    "happi",
    "hous",
    "man",
    "operat",
    "orga",
    "paris",
    "polic",
    "present",
    "run",
    "sever",
    "theor",
    "univers",
    "verschlüssel",
    "haeus",
    "muench",
    "lösch",
    "gelösch",
    "quellpaket",
    "festplatten",
    "druck",
    "sicher",
    "frei",
]
INFLECTIONS = [
    "",
    "s",
    "es",
    "n",
    "en",
    "e",
    "er",
    "em",
    "t",
    "te",
    "ten",
    "ed",
    "ing",
    "ning",
    "ies",
    "ied",
    "és",
]
ALL_ENDINGS = sorted({*ENDINGS["en"], *ENDINGS["de"], *INFLECTIONS})


def make_finder(language: str) -> BaseFormFinder:
    dictionary = read_dictionary(language)
    assert dictionary is not None
    return BaseFormFinder(language, dictionary, read_word_costs(language))


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_base_forms_agree_with_those_of_the_plain_search(language: str) -> None:
    finder, plain = make_finder(language), PlainBaseForms(language)
    listed = list(read_word_costs(language))[::40]
    made = [stem + ending for stem in STEMS for ending in ALL_ENDINGS]
    words = [word for word in (*listed, *made) if word.isalpha()]
    assert [finder.find(word) for word in words] == [plain.find(word) for word in words]


@given(st.text("abdeghilmnorstuyäöü", min_size=3, max_size=12), st.sampled_from(ALL_ENDINGS))
def test_unknown_words_agree(stem: str, ending: str) -> None:
    for language in ("en", "de"):
        word = stem + ending
        assert make_finder(language).find(word) == PlainBaseForms(language).find(word)
