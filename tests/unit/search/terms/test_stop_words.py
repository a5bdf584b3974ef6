import pytest

from gossamer.search.terms.stop_words import is_stop_word


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("the", "en", True),
        ("which", "en", True),
        ("haydn", "en", False),
        ("und", "de", True),
        ("die", "de", True),
        ("die", "en", False),
        ("the", "ja", False),
        ("the", "", False),
    ],
)
def test_each_language_has_its_own_stop_words(word: str, language: str, expected: bool) -> None:
    assert is_stop_word(word, language) is expected
