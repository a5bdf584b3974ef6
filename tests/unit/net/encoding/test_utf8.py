"""Whether bytes are valid UTF-8, against Python's own decoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.encoding import as_utf8, decode
from gossamer.net.encoding.utf8 import is_utf8


def decodes(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


BOUNDARIES = [
    0x00,
    0x7F,
    0x80,
    0x8F,
    0x90,
    0x9F,
    0xA0,
    0xBF,
    0xC0,
    0xC2,
    0xDF,
    0xE0,
    0xE1,
    0xED,
    0xEF,
    0xF0,
    0xF1,
    0xF4,
    0xF5,
]


@pytest.mark.parametrize("lead", [b"", b"a", b"eight is", b"nine here"])
def test_every_boundary_of_the_table(lead: bytes) -> None:
    for first in range(256):
        for second in BOUNDARIES:
            for tail in (b"", b"\x80", b"\xbf\xbf", b"\x80a", b"\xc0\x80"):
                body = lead + bytes([first, second]) + tail
                assert is_utf8(body) == decodes(body), body


@given(st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_it_agrees_with_the_decoder(body: bytes) -> None:
    assert is_utf8(body) == decodes(body)


@given(st.binary(), st.sampled_from([None, "text/html; charset=utf-8", "text/html; charset=latin1"]))
def test_text_as_utf8_is_the_text(body: bytes, content_type: str | None) -> None:
    text, name = decode(body, content_type)
    assert as_utf8(body, content_type) == (text.encode("utf-8", "replace"), name)
