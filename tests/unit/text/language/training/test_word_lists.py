"""Words are counted as the scorer splits them, and frequencies are sorted by rank."""

import pytest

from gossamer.text.language.training.word_lists import compute_frequencies, count_words, is_unspaced


def test_words_are_counted_in_lower_case_without_punctuation() -> None:
    assert count_words(["Der Satz, der zählt: 12 Sätze!", "„Satz“ (der)"]) == {
        "der": 3,
        "satz": 2,
        "zählt": 1,
        "sätze": 1,
    }
    assert count_words(["हिन्दी में लिखा"]) == {"हिन्दी": 1, "में": 1, "लिखा": 1}
    assert count_words(["", "123 456", "😀 — !"]) == {}


def test_runs_without_spaces_count_once_for_each_character() -> None:
    words = count_words(["日本語の文。日本語", "日本語"])
    assert words == {"日本語の文": 5, "日本語": 6}
    assert is_unspaced("日本語")
    assert not is_unspaced("word")
    assert compute_frequencies(words) == pytest.approx([3 / 11, 3 / 11, 3 / 11, 1 / 11, 1 / 11])


def test_frequencies_are_shares_sorted_by_rank() -> None:
    assert compute_frequencies({"a": 1, "b": 3, "c": 4}) == [0.5, 0.375, 0.125]
    assert compute_frequencies({}) == []
