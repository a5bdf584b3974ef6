"""Words of a page are counted as people would, whatever script they are in."""

import re
import sys
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.text.topics.count_words import counted, names_of, words_of


def times(text: str, pairs: bool = False, field: int = 0) -> list[float]:
    return sorted(counted([(field, text, pairs)])[1].tolist())


def test_capitals_and_signs_do_not_make_words() -> None:
    assert words_of("Hello, WORLD! hello-world") == ["hello", "world", "hello", "world"]
    assert times("Hello, WORLD! hello") == [1, 2]


def test_all_digits_are_the_same() -> None:
    assert times("cs415 cs314 CS000 cs41") == [1, 3]
    assert counted([(0, "1996", False)])[0] == counted([(0, "2024", False)])[0]


def test_pairs_are_counted_beside_words() -> None:
    assert times("a b a b", pairs=True) == [1, 2, 2, 2]  # a, b, a b and once b a


def test_scripts_without_spaces_are_counted_by_characters() -> None:
    assert words_of("日本語 text ภาษา") == ["日", "本", "語", "text", "ภ", "า", "ษ", "า"]
    ids, counts = counted([(0, "日本日本", True)])
    assert len(ids) == 4
    assert counts.sum() == 7


def test_a_word_is_another_one_in_another_field() -> None:
    ids = [int(counted([(field, "course", False)])[0][0]) for field in range(6)]
    assert len(set(ids)) == 6
    assert [one >> 29 for one in ids] == list(range(6))
    assert len({one & (1 << 29) - 1 for one in ids}) == 1


def test_hashes_come_in_order_and_each_once() -> None:
    ids, _ = counted([(0, "some words of a page, and some more words", True), (1, "words", False)])
    assert (np.diff(ids.astype(np.int64)) > 0).all()


def test_names_are_found_again() -> None:
    text = "The quick brown fox"
    word = int(counted([(0, "quick", False)])[0][0])
    both = set(counted([(0, "quick brown", True)])[0].tolist())
    assert names_of([(0, text, True)], {word}) == {word: "quick"}
    assert set(names_of([(0, text, True)], both).values()) == {"quick", "brown", "quick brown"}
    assert names_of([(1, text, True)], {word}) == {}


@settings(max_examples=30)
@given(st.text(alphabet=st.characters(max_codepoint=0x2FF), max_size=200))
def test_counts_are_those_of_plain_python(text: str) -> None:
    lower = text.lower()
    plain = [re.sub("[0-9]", "0", word) for word in re.findall(r"[^\W_]+", lower)]
    assert [re.sub("[0-9]", "0", word) for word in words_of(text)] == plain
    assert times(text) == sorted(map(float, Counter(plain).values()))


def test_capitals_of_any_script_are_small_letters() -> None:
    capitals = [one for one in map(chr, range(sys.maxunicode)) if one.lower() != one]
    for those in (set(capitals) - set("\u0130\u03a3"), capitals):  # these two are lowered another way
        text = " ".join(f"x{one}" for one in sorted(those))
        for one, other in zip(counted([(0, text, True)]), counted([(0, text.lower(), True)]), strict=True):
            assert one.tolist() == other.tolist()
    assert times("ΣΟΦΟΣ Σοφος σοφος") == [3]  # its last letter is another one than its first


@settings(max_examples=30)
@given(st.text(max_size=100))
def test_any_text_can_be_counted(text: str) -> None:
    _, counts = counted([(0, text, True), (3, text, False)])
    words = len(words_of(text))
    assert counts.sum() == 2 * words + max(0, words - 1)


def test_a_book_is_read_to_a_bound() -> None:
    assert times("a " * 60_000) == [50_000]
