"""URLs of forgotten pages are found in texts and packed bytes, and longer URLs are not mistaken for them."""

import msgspec
import pytest

from gossamer.forget.needles import Needles

URL = "http://www.example.org/a"
NEEDLES = Needles([URL, "https://other.example/x.html"])


@pytest.mark.parametrize(
    "text",
    [
        URL,
        f"see {URL}.",
        f"({URL})",
        f"<a href='{URL}'>",
        f"{URL}#part",
        f"X{URL}",
        f"{URL}, and more",
        "at https://other.example/x.html?",
    ],
)
def test_a_url_is_found_and_taken_out(text: str) -> None:
    assert NEEDLES.is_in(text.encode())
    clean = NEEDLES.scrub(text)
    assert "example" not in clean
    blanked = NEEDLES.blank(text.encode())
    assert len(blanked) == len(text.encode())
    assert b"example" not in blanked


@pytest.mark.parametrize(
    "text", [f"{URL}b", f"{URL}/b", f"{URL}?b=1", "http://www.example.org/", "no URL", "x://"]
)
def test_another_url_is_left_alone(text: str) -> None:
    assert not NEEDLES.is_in(text.encode())
    assert NEEDLES.scrub(text) == text


def test_a_url_in_packed_values_is_found() -> None:
    assert NEEDLES.is_in(msgspec.msgpack.encode(["a", URL, {"b": URL}]))


def test_a_pattern_covers_whatever_it_finds() -> None:
    needles = Needles([], lambda url: "private" in url)
    assert needles.scrub("http://h/private/1 and http://h/public") == " and http://h/public"
