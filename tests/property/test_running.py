"""Compiled and plain Python compute the same features of any text."""

import math

from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.html.document import Block, BlockKind
from gossamer.text.language.detection.running_text import TEXT_WEIGHTS, block_is_running, is_running
from gossamer.text.language.detection.running_text_features import MOST_ZIPF
from gossamer.text.language.detection.running_text_features import count_letters as count_letters_plainly
from gossamer.text.language.detection.running_text_features import weigh as weigh_plainly
from gossamer.text.language.detection.running_text_features_compiled import count_letters, weigh

TEXTS = st.text(max_size=80) | st.text(".!?。！？؟ 。”) \n\tAbß我語", max_size=80)


@given(TEXTS, st.integers(0, 2_000), st.floats(0, 1))
def test_compiled_and_plain_features_are_equal(text: str, letters: int, zipf_share: float) -> None:
    compiled = weigh(text, letters, zipf_share, TEXT_WEIGHTS)
    assert math.isclose(compiled, weigh_plainly(text, letters, zipf_share, TEXT_WEIGHTS), abs_tol=1e-9)
    assert count_letters(text) == count_letters_plainly(text)
    assert isinstance(is_running(text, letters, zipf_share), bool)


@given(TEXTS, st.floats(0, 1), st.sampled_from(["paragraph", "heading", "list item", "code"]))
def test_more_zipf_words_never_make_a_block_less_running(
    text: str, zipf_share: float, kind: BlockKind
) -> None:
    block = Block(text, kind, 0.0, main=True, links=())
    assert block_is_running(block, MOST_ZIPF) >= block_is_running(block, zipf_share)
