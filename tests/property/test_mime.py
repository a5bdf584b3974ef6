"""Every response has a kind, which depends only on the inspected bytes."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.media_type import SNIFFED_BYTES, Kind, detect_kind

LABELS = (
    st.none() | st.text(max_size=30) | st.sampled_from(["text/html", "text/plain", "image/png", "a/b+xml"])
)
BODIES = st.binary(max_size=200) | st.text(alphabet='<!-?xml>ahtbp {}[]"\0 \n', max_size=80).map(str.encode)
KINDS = get_args(Kind)


@given(LABELS, BODIES, st.text(max_size=40))
def test_every_response_has_a_kind(content_type: str | None, body: bytes, url: str) -> None:
    assert detect_kind(content_type, body, url) in KINDS


@given(LABELS, BODIES.map(lambda body: body.ljust(SNIFFED_BYTES)), BODIES)
def test_later_bytes_change_nothing(content_type: str | None, beginning: bytes, rest: bytes) -> None:
    assert detect_kind(content_type, beginning + rest) == detect_kind(content_type, beginning)


@given(
    LABELS,
    st.text(alphabet=" \n\t", max_size=20),
    st.sampled_from(["<html>", "<!DOCTYPE html>", "<HTML lang=x>"]),
)
def test_html_is_recognised_under_every_label(content_type: str | None, space: str, start: str) -> None:
    assert detect_kind(content_type, (space + start).encode()) == "html"
