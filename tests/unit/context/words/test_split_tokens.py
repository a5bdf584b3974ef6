"""Sentences are split into tokens from which they can be written again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.context.words.tokens.split_tokens import is_word, split_tokens
from gossamer.text.language.detection.corpus_sentences import split_words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The captain's ship, at last!", "The|captain's|ship|,|at|last|!"),
        ("“Quoted” (and/or not)—see 3,000.50 km.", "“|Quoted|”|(|and|/|or|not|)|—|see|3,000.50|km|."),
        (
            "Mail anna@example.org or www.example.org/a?b now",
            "Mail|anna@example.org|or|www.example.org/a?b|now",
        ),
        ("日本の海", "日|本|の|海"),
        ("नमस्ते दुनिया।", "नमस्ते|दुनिया|।"),
        ("... !?", ".|.|.|!|?"),
    ],
)
def test_examples(text: str, tokens: str) -> None:
    assert [token for token, _ in split_tokens(text)] == tokens.split("|")


@given(st.text(max_size=200))
def test_a_text_can_be_written_again(text: str) -> None:
    written = "".join(("" if glued else " ") + token for token, glued in split_tokens(text))
    assert written.split() == text.split()


@given(
    st.lists(
        st.sampled_from(["Sea", "ship's", "well-known", "U.S.", "x1", "42", "(old)", "über,", "…", "e.g."])
    )
)
def test_words_are_those_of_the_corpus(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert [token.lower() for token, _ in split_tokens(text) if is_word(token)] == split_words(text)
