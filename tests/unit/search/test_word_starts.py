import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.word_starts import WordStarts

TEXT = "Studies and study, Café CAFÉS; understudy: 国立東京大学 İstudy"


def words(starts: list[str], text: str = TEXT, most: int = 9) -> list[str]:
    finder = WordStarts(starts, [not start.isascii() for start in starts])
    return [text[start:end] for start, end in finder.places(text, len(text), most)]


def test_words_are_found_whatever_their_case_and_accents() -> None:
    assert words(["stud"]) == ["Studies", "study"]
    assert words(["cafe"]) == ["Café", "CAFÉS"]
    assert words(["stud", "cafe"]) == ["Studies", "study", "Café", "CAFÉS"]


def test_scripts_without_spaces_have_words_everywhere() -> None:
    assert words(["東京"]) == ["東京"]


def test_only_so_many_of_each_are_looked_for() -> None:
    assert words(["stud", "cafe"], most=1) == ["Studies", "Café"]


def test_words_that_begin_in_time_are_whole() -> None:
    assert WordStarts(["stud"], [False]).places(TEXT, 1, 9) == [(0, 7)]
    assert WordStarts([], []).places(TEXT, 99, 9) == []


def plainly(start: str, text: str) -> list[tuple[int, int]]:
    found = re.finditer(r"[^\W_]+", text)
    return [one.span() for one in found if folded(one[0]).startswith(start)]


def folded(word: str) -> str:
    letters = [unicodedata.normalize("NFKD", letter.lower())[0] for letter in word]
    return "".join(
        plain if plain.isascii() else letter.lower() for plain, letter in zip(letters, word, strict=True)
    )


@given(st.sampled_from(["a", "ab", "e", "ba"]), st.text(alphabet="aAbBeEéÉàÀ _-1ßя", max_size=40))
def test_they_are_what_an_expression_finds(start: str, text: str) -> None:
    assert WordStarts([start], [False]).places(text, len(text), 99) == plainly(start, text)
