"""Words and pairs are counted by hash, in any script."""

import re
import sys
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.text.topics.features.count_words import count_words, find_names, split_words


def times(text: str, pairs: bool = False, field: int = 0) -> list[float]:
    return sorted(count_words([(field, text, pairs)])[1].tolist())


def test_case_and_punctuation_do_not_matter() -> None:
    assert split_words("Hello, WORLD! hello-world") == ["hello", "world", "hello", "world"]
    assert times("Hello, WORLD! hello") == [1, 2]


def test_all_digits_count_as_one() -> None:
    assert times("cs415 cs314 CS000 cs41") == [1, 3]
    assert count_words([(0, "1996", False)])[0] == count_words([(0, "2024", False)])[0]


def test_pairs_are_counted_beside_words() -> None:
    assert times("a b a b", pairs=True) == [1, 2, 2, 2]  # a, b, a b and once b a


def test_scripts_without_spaces_are_counted_by_characters() -> None:
    assert split_words("日本語 text ภาษา") == ["日", "本", "語", "text", "ภ", "า", "ษ", "า"]
    ids, counts = count_words([(0, "日本日本", True)])
    assert len(ids) == 4
    assert counts.sum() == 7


def test_the_same_word_in_another_field_has_another_hash() -> None:
    ids = [int(count_words([(field, "course", False)])[0][0]) for field in range(6)]
    assert len(set(ids)) == 6
    assert [one >> 29 for one in ids] == list(range(6))
    assert len({one & (1 << 29) - 1 for one in ids}) == 1


def test_hashes_are_sorted_and_unique() -> None:
    ids, _ = count_words([(0, "some words of a page, and some more words", True), (1, "words", False)])
    assert (np.diff(ids.astype(np.int64)) > 0).all()


def test_words_are_found_by_their_hashes() -> None:
    text = "The quick brown fox"
    word = int(count_words([(0, "quick", False)])[0][0])
    both = set(count_words([(0, "quick brown", True)])[0].tolist())
    assert find_names([(0, text, True)], {word}) == {word: "quick"}
    assert set(find_names([(0, text, True)], both).values()) == {"quick", "brown", "quick brown"}
    assert find_names([(1, text, True)], {word}) == {}


@settings(max_examples=30)
@given(st.text(alphabet=st.characters(max_codepoint=0x2FF), max_size=200))
def test_counts_equal_those_of_plain_python(text: str) -> None:
    lower = text.lower()
    plain = [re.sub("[0-9]", "0", word) for word in re.findall(r"[^\W_]+", lower)]
    assert [re.sub("[0-9]", "0", word) for word in split_words(text)] == plain
    assert times(text) == sorted(map(float, Counter(plain).values()))


def test_capitals_of_any_script_are_lowered() -> None:
    capitals = [one for one in map(chr, range(sys.maxunicode)) if one.lower() != one]
    for those in (set(capitals) - set("\u0130\u03a3"), capitals):  # these two are lowered another way
        text = " ".join(f"x{one}" for one in sorted(those))
        for one, other in zip(
            count_words([(0, text, True)]), count_words([(0, text.lower(), True)]), strict=True
        ):
            assert one.tolist() == other.tolist()
    assert times("ΣΟΦΟΣ Σοφος σοφος") == [3]  # the last letter has another lower case than the first


@settings(max_examples=30)
@given(st.text(max_size=100))
def test_any_text_can_be_counted(text: str) -> None:
    _, counts = count_words([(0, text, True), (3, text, False)])
    words = len(split_words(text))
    assert counts.sum() == 2 * words + max(0, words - 1)


def test_a_book_is_counted_up_to_a_bound() -> None:
    assert times("a " * 60_000) == [50_000]
