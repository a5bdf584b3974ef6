import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.terms.analysis import get_analyser, split_text
from gossamer.search.terms.term_finder import LONGEST_TERM
from gossamer.search.terms.term_table import LONGEST_WORD, TermTable

TEXTS = st.text(
    st.characters(codec=None) | st.sampled_from("aZ9 _-ÄßİΣσ東タกæ\u0301\u2001Å\U00020001“”"), max_size=80
)


def make_table(language: str = "") -> TermTable:
    return TermTable(get_analyser(language).__getitem__)


@given(st.lists(TEXTS, max_size=4), st.sampled_from(["", "de", "el", "en", "tr"]))
def test_terms_agree_with_those_of_single_words(texts: list[str], language: str) -> None:
    table = make_table(language)
    known: set[str] = set()
    for text in texts:
        terms = get_analyser(language).list_terms(text)
        joined, apart = table.join_apart(text)
        assert joined.split(" ") == (terms or [""])
        assert apart.split(" ") == ([term for term in terms if term not in known] or [""])
        seen: set[str] = set()
        table.begin_page()
        assert table.join(text, seen) == joined
        assert seen == {word[:LONGEST_WORD] for word in split_text(text)}
        known = set(terms)


def test_a_page_begins_without_terms() -> None:
    table = make_table("en")
    table.begin_page()
    table.join("Mice and men")
    assert table.join_apart("Mouse, man or cat") == ("mouse man or cat", "or cat")
    assert table.join_apart("cat cat") == ("cat cat", "cat cat")
    table.begin_page()
    assert table.join_apart("mice") == ("mouse", "mouse")


def test_each_word_is_asked_for_once() -> None:
    asked: list[str] = []

    def find_term(word: str) -> str:
        asked.append(word)
        return "same"

    table = TermTable(find_term)
    table.begin_page()
    assert table.join("One, two: ONE") == "same same same"
    assert table.join_apart("three two")[1] == ""
    assert asked == ["one", "two", "three"]


@given(TEXTS, TEXTS, st.sampled_from(["", "de", "en"]))
def test_words_are_found_by_their_terms(text: str, wanted: str, language: str) -> None:
    analyser = get_analyser(language)
    terms = set(analyser.list_terms(wanted))
    expected = {word[:LONGEST_WORD] for word in split_text(text) if analyser[word] in terms}
    assert analyser.find_words(text, terms) == expected


def test_a_search_for_words_leaves_later_texts_as_they_are() -> None:
    table = make_table("en")
    assert table.find_words("She went; they go. Mice?", ["go", "mouse", "unheard"]) == {"went", "go", "mice"}
    table.begin_page()
    assert table.join("went") == "go"
    assert table.join_apart("go mice") == ("go mouse", "mouse")


def test_long_words_have_the_term_of_their_beginning() -> None:
    assert LONGEST_WORD > LONGEST_TERM
    for word in ("x" * 100_000, "é" * 1_000, "É" * 1_000, "\U00010428" * 1_000):
        assert make_table("en").join(f"a {word} b") == f"a {get_analyser('en')[word.lower()]} b"


@pytest.mark.slow
def test_many_words_and_pages() -> None:
    table = make_table()
    words = [f"w{number}" for number in range(210_000)]
    for page in range(2):
        table.begin_page()
        assert table.join(" ".join(words)).split(" ") == words
        assert table.join_apart(f"w7 n{page}")[1] == f"n{page}"


def test_accents_are_composed() -> None:
    apart = unicodedata.normalize("NFD", "Übung Ångström")
    assert make_table("de").join(apart) == make_table("de").join("Übung Ångström")
