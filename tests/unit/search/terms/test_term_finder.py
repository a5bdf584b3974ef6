"""The compiled search for terms agrees with one that can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.engine import tantivy
from gossamer.search.terms.analysis import STEMMERS, get_analyser
from gossamer.search.terms.base_forms import BaseForms
from gossamer.search.terms.stop_words import get_stop_words
from gossamer.search.terms.term_finder import LONGEST_TERM, TermFinder

WORDS = [
    "mice",
    "sicherheit",
    "overheid",
    "went",
    "häuser",
    "straße",
    "½",
    "ﬁn",
    "ÅNGSTRÖM",
    "a_b",
    "0 ",
    "東",
    "x" * 70,
    "é" * 61,
]


def analyse(term: str, stemmer: str | None) -> list[str]:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    builder = builder.filter(tantivy.Filter.stemmer(stemmer)) if stemmer else builder
    return builder.filter(tantivy.Filter.ascii_fold()).build().analyze(term)


def find_plainly(word: str, language: str) -> str:
    """Return the term of a word, step by step."""
    stop_words = get_stop_words(language)
    base = BaseForms(language).find(word) if len(word) <= LONGEST_TERM else None
    is_whole = base is not None and language in ("en", "de")
    pieces = analyse((base or word)[:LONGEST_TERM], None if is_whole else STEMMERS.get(language))
    term = "".join("".join(pieces).split()) or word[:LONGEST_TERM]
    is_mistaken = term != word and term in stop_words and word not in stop_words
    return f"{term}_" if is_mistaken else term


@given(
    st.sampled_from(WORDS)
    | st.text("abdeghilmnorstuyäöüéçışžß", min_size=1, max_size=12)
    | st.text(min_size=1, max_size=70),
    st.sampled_from(["", "cs", "de", "en", "fr", "nl", "ru", "tr"]),
)
def test_terms_agree_with_those_of_the_plain_search(word: str, language: str) -> None:
    word = word.encode("utf-8", "replace").decode()
    assert get_analyser(language).find_term(word) == find_plainly(word, language)


@pytest.mark.parametrize(
    ("pieces", "term"), [([], "word"), ([""], "word"), (["a b"], "ab"), (["a", " b"], "ab")]
)
def test_what_a_stemmer_returns_becomes_one_word(pieces: list[str], term: str) -> None:
    assert TermFinder(None, frozenset(), lambda _: pieces, list, has_whole_bases=False).find("word") == term
    assert TermFinder(None, frozenset(), None, lambda _: pieces, has_whole_bases=False).find("wörd") == (
        term if term != "word" else "wörd"
    )


def test_a_term_that_looks_like_a_stop_word_is_marked() -> None:
    finder = TermFinder(None, frozenset({"sich", "so"}), lambda word: [word[:4]], list, has_whole_bases=True)
    words = ["sicherheit", "sich", "sichern", "so"]
    assert [finder.find(word) for word in words] == ["sich_", "sich", "sich_", "so"]
