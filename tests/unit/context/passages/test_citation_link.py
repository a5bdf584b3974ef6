from urllib.parse import unquote

import pytest

from gossamer.context.passages.citation_link import make_link

PAGE = "https://a.example/page"


@pytest.mark.parametrize(
    ("text", "part", "link"),
    [
        ("Short one.", "", f"{PAGE}#:~:text=Short%20one."),
        ("well-known, a & b", "", f"{PAGE}#:~:text=well%2Dknown%2C%20a%20%26%20b"),
        ("", "", PAGE),
        ("anything", "page 12", f"{PAGE}#page=12"),
        ("anything", "sheet 2", PAGE),
    ],
)
def test_the_address_shows_the_passage(text: str, part: str, link: str) -> None:
    assert make_link(PAGE, text, part) == link


def test_a_long_passage_is_named_by_its_ends() -> None:
    words = [f"word{number}" for number in range(40)]
    link = make_link(f"{PAGE}#old", " ".join(words[:20]) + "\n" + " ".join(words[20:]))
    first, last = unquote(link.removeprefix(f"{PAGE}#:~:text=")).split(",")
    assert (first, last) == (" ".join(words[:6]), " ".join(words[-6:]))


def test_hostile_words_make_no_long_address() -> None:
    assert len(make_link(PAGE, "\u0000<script>" * 10_000)) < 2_000
