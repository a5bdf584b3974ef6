import re

from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.terms.split_words import has_unspaced, split

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_])+")
TEXTS = st.text(st.characters(codec=None) | st.sampled_from("aZ9 _-ÄßİΣσ東タกæ\U00020001“”"), max_size=60)


@given(TEXTS)
def test_words_agree_with_a_regular_expression(text: str) -> None:
    assert split(text) == [word.lower() for word in WORD.findall(text)]
    assert has_unspaced(text) == (re.search(f"[{UNSPACED}]", text) is not None)


def test_long_and_empty_texts() -> None:
    assert split("") == split("“ ”") == []
    assert split("Ü" + "x" * 100_000) == ["ü" + "x" * 100_000]
