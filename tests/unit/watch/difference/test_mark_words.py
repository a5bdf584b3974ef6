"""Words that differ are marked, and the marked text gives back both versions."""

import pytest

from gossamer.watch.difference.mark_words import MOST_WORDS, WordSpan, mark_words, split_words


def rebuild(spans: tuple[WordSpan, ...], kind: str) -> str:
    return "".join(span.text for span in spans if span.kind in ("same", kind))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The price is 30 EUR today.", "The new price is 28 EUR today!"),
        ("one two three", "three two one"),
        ("", "all is new"),
        ("all is gone", ""),
        ("今日は晴れです", "今日は雨です"),
        ("a < b & c", "a > b & c"),
    ],
)
def test_both_versions_can_be_read_from_the_marks(old: str, new: str) -> None:
    spans = mark_words(old, new)
    assert rebuild(spans, "gone").split() == old.split()
    assert rebuild(spans, "new") == new


def test_only_the_words_that_differ_are_marked() -> None:
    spans = mark_words("The shop is open from 9 to 18.", "The shop is open from 10 to 18.")
    assert [(span.kind, span.text.strip()) for span in spans] == [
        ("same", "The shop is open from"),
        ("gone", "9"),
        ("new", "10"),
        ("same", "to 18."),
    ]


def test_a_language_without_spaces_is_compared_by_character() -> None:
    spans = mark_words("今日は晴れです", "今日は雨です")
    assert [(span.kind, span.text) for span in spans] == [
        ("same", "今日は"),
        ("gone", "晴れ"),
        ("new", "雨"),
        ("same", "です"),
    ]


def test_long_runs_of_equal_words_are_shortened() -> None:
    long = "word and another " * 100
    spans = mark_words(f"{long} old {long}", f"{long} new {long}")
    assert [span.kind for span in spans] == ["same", "gone", "new", "same"]
    assert all(len(span.text) < 200 for span in spans)
    assert "…" in spans[0].text


def test_an_endless_paragraph_is_cut() -> None:
    assert len(split_words("a " * 100_000)) == MOST_WORDS
