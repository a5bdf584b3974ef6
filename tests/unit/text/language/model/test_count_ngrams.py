"""Word lists are split as the scorer does, and their n-grams are counted."""

import pytest

from gossamer.text.language.model.count_ngrams import count_ngrams, find_scripts, hash_grams, normalise_words
from gossamer.text.language.model.feature_table import GRAM_START, hash_codes, to_gram_key
from gossamer.text.language.model.plain_scorer import END_OF_WORD, START_OF_WORD


def word(text: str) -> tuple[int, ...]:
    return tuple(map(ord, text))


def test_words_become_shares_in_lower_case() -> None:
    assert normalise_words({"Ja": 1, "ja": 2, "l'eau": 1}) == {
        word("ja"): 0.6,
        word("l"): 0.2,
        word("eau"): 0.2,
    }


def test_numbers_and_empty_words_are_left_out() -> None:
    assert normalise_words({"42": 5, "": 1, "nej": 1}) == {word("nej"): 1.0}


def test_a_language_has_the_scripts_of_its_words() -> None:
    serbian = normalise_words({"није": 60, "nije": 39, "日": 1})
    assert find_scripts(serbian) == ("Cyrl", "Latn")


def test_n_grams_include_the_edges_of_words() -> None:
    counts = count_ngrams({word("ab"): 1.0})
    as_rows = {length: sorted(map(tuple, grams.codes.tolist())) for length, grams in counts.items()}
    a, b = word("ab")
    assert as_rows[1] == sorted([(a,), (b,), (END_OF_WORD,)])
    assert as_rows[2] == sorted([(START_OF_WORD, a), (a, b), (b, END_OF_WORD)])
    assert as_rows[4] == [(START_OF_WORD, a, b, END_OF_WORD)]
    assert as_rows[5] == []


def test_scripts_without_spaces_have_no_edges() -> None:
    counts = count_ngrams({word("日本"): 1.0})
    assert sorted(map(tuple, counts[1].codes.tolist())) == sorted([word("日"), word("本")])
    assert counts[2].codes.tolist() == [list(word("日本"))]


def test_words_weigh_the_square_root_of_their_frequency() -> None:
    counts = count_ngrams({word("a"): 0.9, word("b"): 0.1})
    by_letter = dict(zip(counts[1].codes[:, 0].tolist(), counts[1].counts.tolist(), strict=True))
    assert by_letter[ord("a")] == pytest.approx(3.0)
    assert by_letter[ord("b")] == pytest.approx(1.0)


def test_keys_equal_the_hashes_of_the_scorer() -> None:
    grams = count_ngrams({word("abc"): 1.0})[3]
    assert hash_grams(grams.codes).tolist() == [
        to_gram_key(hash_codes(GRAM_START, reversed(row))) for row in grams.codes.tolist()
    ]
