"""Patterns for URLs: regular expressions, and a hint for patterns as in a shell."""

import pytest

from gossamer.errors import BadInput
from gossamer.net.url.url_pattern import compile_pattern


def test_a_regular_expression_is_compiled() -> None:
    assert compile_pattern("/news/.*2026").search("https://a.example/news/x2026/")


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [("*news*", "news"), ("*/2026/?.html", r"/2026/.\.html"), ("*", None), ("(news", None), ("*(a", r"\(a")],
)
def test_a_shell_pattern_gets_a_hint(pattern: str, instead: str | None) -> None:
    with pytest.raises(BadInput) as raised:
        compile_pattern(pattern, "include")
    sentence = str(raised.value)
    assert sentence.startswith(f"include: {pattern!r} is not a regular expression: ")
    if instead is None:
        assert "shell" not in sentence
    else:
        assert sentence.endswith(f"here write {instead!r}")
        assert compile_pattern(instead)
