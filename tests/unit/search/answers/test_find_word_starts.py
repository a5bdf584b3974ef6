import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.answers.find_word_starts import WordStarts, best_start, sentence_begin


class Numbers(dict[str, int]):
    """Those of every word, in order of their lengths."""

    def __missing__(self, word: str) -> int:
        return len(word)


TEXT = "Studies and study, Café CAFÉS; understudy: 国立東京大学 İstudy"


def words(starts: list[str], text: str = TEXT, most: int = 9) -> list[str]:
    return [text[start:end] for start, end in places(starts, text, len(text), most)]


def places(starts: list[str], text: str, most_characters: int, most: int = 9) -> list[tuple[int, int]]:
    finder = WordStarts(starts, [start > "一" for start in starts])
    return [(start, end) for start, end, _ in finder.matches(text, Numbers(), 9, (most_characters,), most)]


def test_words_are_found_whatever_their_case_and_accents() -> None:
    assert words(["stud"]) == ["Studies", "study"]
    assert words(["cafe"]) == ["Café", "CAFÉS"]
    assert words(["stud", "cafe"]) == ["Studies", "study", "Café", "CAFÉS"]


def test_scripts_without_spaces_have_words_everywhere() -> None:
    assert words(["東京"]) == ["東京"]


def test_only_so_many_of_each_are_looked_for() -> None:
    assert words(["stud", "cafe"], most=1) == ["Studies", "Café"]


def test_words_that_begin_in_time_are_whole() -> None:
    assert places(["stud"], TEXT, 1) == [(0, 7)]
    assert places([], TEXT, 99) == []


def test_words_without_a_number_are_passed_over() -> None:
    finder = WordStarts(["stud"], [False])
    assert finder.matches(TEXT, {"studies": -1, "study": 3}, 9, (99,), 9) == [(12, 17, 3)]


def test_more_of_a_text_is_read_until_all_numbers_were_met() -> None:
    finder = WordStarts(["stud"], [False])
    assert finder.matches(TEXT, Numbers(), 1, (12, 99), 9) == [(0, 7, 7)]
    assert finder.matches(TEXT, Numbers(), 2, (12, 99), 9) == [(0, 7, 7), (12, 17, 5)]


def test_the_best_piece_has_most_different_words_and_then_most() -> None:
    assert best_start([], 10) == 0
    assert best_start([(5, 6, 0), (100, 101, 0), (105, 106, 1)], 10) == 100
    assert best_start([(5, 6, 0), (100, 101, 0), (105, 106, 0)], 10) == 100
    assert best_start([(5, 6, 0), (100, 101, 0), (112, 113, 0)], 10) == 5


def plainly(start: str, text: str) -> list[tuple[int, int]]:
    found = re.finditer(r"[^\W_]+", text)
    return [one.span() for one in found if folded(one[0]).startswith(start)]


def folded(word: str) -> str:
    letters = [unicodedata.normalize("NFKD", letter.lower())[0] for letter in word]
    return "".join(
        plain if plain.isascii() else letter.lower() for plain, letter in zip(letters, word, strict=True)
    )


@given(st.sampled_from(["a", "ab", "e", "ba", "яa"]), st.text(alphabet="aAbBeEéÉàÀ _-1ßя𐐨", max_size=40))
def test_they_are_what_an_expression_finds(start: str, text: str) -> None:
    assert places([start], text, len(text), 99) == plainly(start, text)


def test_pieces_begin_where_a_sentence_does_or_a_line_or_a_word() -> None:
    assert sentence_begin("A house. A tree stands", 0, 16) == 9
    assert sentence_begin("A house\n  A tree stands", 0, 18) == 10
    assert sentence_begin("house of 3.5 trees", 0, 13) == 6
    assert sentence_begin("understudies", 3, 8) == 3
    assert sentence_begin("End. ", 0, 99) == 5
    assert sentence_begin("", -5, 5) == 0
