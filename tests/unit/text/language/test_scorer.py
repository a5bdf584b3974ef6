"""The compiled scorer says what the plain one says, of anything."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.text.language import Model, plain, scorer
from gossamer.text.language.scripts import NUMBER
from gossamer.text.language.tables import Parts

TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="abcdeéøßđж ийが日中한ไ'\u0301\u00ad\u200d 1,", max_size=200),
    st.lists(st.sampled_from(["the", "og", "ikke", "Straße", "не", "это", "日本語の", "vrijeme", "ὅτι"])).map(
        " ".join
    ),
    st.text(alphabet="日本语中文のはが", min_size=30, max_size=100),
    st.text(alphabet="abc", min_size=30, max_size=100),
)


@pytest.fixture(scope="module")
def both() -> tuple[scorer.Scorer, plain.Scorer]:
    model = Model.load()
    scripts_of = [sum(1 << NUMBER[script] for script in language.scripts) for language in model.known]
    given_all: Any = (
        model.parts,
        model.weights,
        scripts_of,
        [language.handicap for language in model.known],
    )
    return scorer.Scorer(*given_all), plain.Scorer(*given_all)


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_scores_are_equal(both: tuple[scorer.Scorer, plain.Scorer], text: str) -> None:
    compiled, readable = both
    assert compiled.score(text) == readable.score(text)
    assert compiled.judge(text) == readable.judge(text)
    assert compiled.judge(text, script=NUMBER["Latn"]) == readable.judge(text, script=NUMBER["Latn"])
    assert compiled.leading_script(text, 3) == readable.leading_script(text, 3)


def test_a_script_or_step_that_cannot_be_is_refused(both: tuple[scorer.Scorer, plain.Scorer]) -> None:
    with pytest.raises(ValueError, match="no such script"):
        both[0].judge("a word", script=64)
    with pytest.raises(ValueError, match="step"):
        both[0].leading_script("a word", 0)


@given(text=TEXTS, data=st.data())
@settings(max_examples=50, deadline=None)
def test_restricted_judgements_are_equal(
    both: tuple[scorer.Scorer, plain.Scorer], text: str, data: st.DataObject
) -> None:
    compiled, readable = both
    count = len(Model.load().known)
    allowed = bytes(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    assert compiled.judge(text, allowed) == readable.judge(text, allowed)


@given(word=st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_letters_are_equal(both: tuple[scorer.Scorer, plain.Scorer], word: str) -> None:
    compiled, readable = both
    assert compiled.letters(word) == readable.letters(word)


@pytest.mark.parametrize(
    "parts",
    [
        Parts(b"\0\0" * 4, b"\0" * 3, b"", b""),
        Parts(b"\0\0" * 3, b"\0" * 3, b"", b""),
        Parts(b"\0\0" * 4, b"\1\0\0\0", b"", b""),
        Parts(b"\0\0" * 4, b"\1\1\1\1", b"\0\0\0\0", b"\0\0\0\0"),
        Parts(b"\0\0" * 4, b"\1\0\0\0", b"\7", b"\0"),
    ],
    ids=["sizes", "not a power of two", "entries missing", "no empty place", "no such language"],
)
def test_parts_that_do_not_fit_are_refused(parts: Parts) -> None:
    with pytest.raises(ValueError, match=r"do not fit|without a name"):
        scorer.Scorer(parts, plain.Weights(), [2, 2], [0, 0])
