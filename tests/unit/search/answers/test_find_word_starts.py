import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.answers.find_word_starts import WordStarts, find_best_start, find_sentence_begin


class Numbers(dict[str, int]):
    """The number of each word is its length."""

    def __missing__(self, word: str) -> int:
        return len(word)


TEXT = "Studies and study, Café CAFÉS; understudy: 国立東京大学 İstudy"


def words(starts: list[str], text: str = TEXT, most: int = 9) -> list[str]:
    return [text[start:end] for start, end in places(starts, text, len(text), most)]


def places(starts: list[str], text: str, most_characters: int, most: int = 9) -> list[tuple[int, int]]:
    finder = WordStarts(starts, [start > "一" for start in starts])
    return [
        (start, end) for start, end, _ in finder.find_matches(text, Numbers(), 9, (most_characters,), most)
    ]


def test_case_and_accents_do_not_matter() -> None:
    assert words(["stud"]) == ["Studies", "study"]
    assert words(["cafe"]) == ["Café", "CAFÉS"]
    assert words(["stud", "cafe"]) == ["Studies", "study", "Café", "CAFÉS"]


def test_beginnings_match_anywhere_in_scripts_without_spaces() -> None:
    assert words(["東京"]) == ["東京"]


def test_each_beginning_matches_a_limited_number_of_words() -> None:
    assert words(["stud", "cafe"], most=1) == ["Studies", "Café"]


def test_a_word_that_begins_before_the_limit_is_whole() -> None:
    assert places(["stud"], TEXT, 1) == [(0, 7)]
    assert places([], TEXT, 99) == []


def test_words_with_a_negative_number_are_skipped() -> None:
    finder = WordStarts(["stud"], [False])
    assert finder.find_matches(TEXT, {"studies": -1, "study": 3}, 9, (99,), 9) == [(12, 17, 3)]


def test_more_of_a_text_is_read_until_all_numbers_were_found() -> None:
    finder = WordStarts(["stud"], [False])
    assert finder.find_matches(TEXT, Numbers(), 1, (12, 99), 9) == [(0, 7, 7)]
    assert finder.find_matches(TEXT, Numbers(), 2, (12, 99), 9) == [(0, 7, 7), (12, 17, 5)]


def test_the_best_piece_has_the_most_different_words_then_the_most_words() -> None:
    assert find_best_start([], 10) == 0
    assert find_best_start([(5, 6, 0), (100, 101, 0), (105, 106, 1)], 10) == 100
    assert find_best_start([(5, 6, 0), (100, 101, 0), (105, 106, 0)], 10) == 100
    assert find_best_start([(5, 6, 0), (100, 101, 0), (112, 113, 0)], 10) == 5


def find_plainly(start: str, text: str) -> list[tuple[int, int]]:
    found = re.finditer(r"[^\W_]+", text)
    return [one.span() for one in found if fold(one[0]).startswith(start)]


def fold(word: str) -> str:
    letters = [unicodedata.normalize("NFKD", letter.lower())[0] for letter in word]
    return "".join(
        plain if plain.isascii() else letter.lower() for plain, letter in zip(letters, word, strict=True)
    )


@given(st.sampled_from(["a", "ab", "e", "ba", "яa"]), st.text(alphabet="aAbBeEéÉàÀ _-1ßя𐐨", max_size=40))
def test_matches_agree_with_a_regular_expression(start: str, text: str) -> None:
    assert places([start], text, len(text), 99) == find_plainly(start, text)


def test_pieces_begin_at_a_sentence_a_line_or_a_word() -> None:
    assert find_sentence_begin("A house. A tree stands", 0, 16) == 9
    assert find_sentence_begin("A house\n  A tree stands", 0, 18) == 10
    assert find_sentence_begin("house of 3.5 trees", 0, 13) == 6
    assert find_sentence_begin("understudies", 3, 8) == 3
    assert find_sentence_begin("End. ", 0, 99) == 5
    assert find_sentence_begin("", -5, 5) == 0
