"""The compiled scorer equals the plain one for any text."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.text.language import Model
from gossamer.text.language.model import plain_scorer, scorer
from gossamer.text.language.model.feature_table import make_table
from gossamer.text.language.model.scripts import NUMBER

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
def both() -> tuple[scorer.Scorer, plain_scorer.Scorer]:
    model = Model.load()
    scripts_of = [sum(1 << NUMBER[script] for script in language.scripts) for language in model.known]
    given_all: Any = (
        model.table,
        model.weights,
        scripts_of,
        [language.handicap for language in model.known],
    )
    return scorer.Scorer(*given_all), plain_scorer.Scorer(*given_all)


@pytest.mark.slow
@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_scores_are_equal(both: tuple[scorer.Scorer, plain_scorer.Scorer], text: str) -> None:
    compiled, readable = both
    assert compiled.score(text) == readable.score(text)
    assert compiled.judge(text) == readable.judge(text)
    assert compiled.judge(text, script=NUMBER["Latn"]) == readable.judge(text, script=NUMBER["Latn"])
    assert compiled.judge(text, by_letters=False) == readable.judge(text, by_letters=False)
    assert compiled.judge_sample(text, 3, 7) == readable.judge_sample(text, 3, 7)
    assert compiled.judge_sample(text * 40, 9, 11) == readable.judge_sample(text * 40, 9, 11)


def test_invalid_scripts_and_samples_are_refused(
    both: tuple[scorer.Scorer, plain_scorer.Scorer],
) -> None:
    with pytest.raises(ValueError, match="no such script"):
        both[0].judge("a word", script=64)
    with pytest.raises(ValueError, match="two stretches"):
        both[0].judge_sample("a word", 1, 60)


@given(text=TEXTS, data=st.data())
@settings(max_examples=50, deadline=None)
def test_restricted_judgements_are_equal(
    both: tuple[scorer.Scorer, plain_scorer.Scorer], text: str, data: st.DataObject
) -> None:
    compiled, readable = both
    count = len(Model.load().known)
    allowed = bytes(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    assert compiled.judge(text, allowed) == readable.judge(text, allowed)


@given(word=st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_letters_are_equal(both: tuple[scorer.Scorer, plain_scorer.Scorer], word: str) -> None:
    compiled, readable = both
    assert compiled.score_letters(word) == readable.score_letters(word)


def test_a_model_without_languages_is_refused() -> None:
    with pytest.raises(ValueError, match="languages"):
        scorer.Scorer(make_table(bytes(8), b""), plain_scorer.ScorerWeights(), [], [])


@given(content=st.binary(min_size=40, max_size=400), text=TEXTS)
@settings(max_examples=100, deadline=None)
def test_a_damaged_table_does_not_crash_the_scorer(content: bytes, text: str) -> None:
    middle = [int.from_bytes(content[at : at + 2], "little") for at in range(0, 30, 2)]
    starts = b"".join(number.to_bytes(4, "little") for number in (0, *middle, len(content)))
    compiled = scorer.Scorer(make_table(starts, content), plain_scorer.ScorerWeights(), [2, 2], [0, 0])
    compiled.judge(text)
