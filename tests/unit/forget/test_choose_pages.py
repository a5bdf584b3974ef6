"""What a person types is a URL, a host or a pattern."""

import pytest

from gossamer.errors import BadInput
from gossamer.forget.choose_pages import parse_wish
from gossamer.forget.forget_pages import check_supported


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("http://www.example.org/a?b=1", "url"),
        ("https://www.example.org/a+b.html", "url"),
        ("www.example.org", "host"),
        ("127.0.0.1:8080", "host"),
        ("localhost", "host"),
        ("/private/", "pattern"),
        ("private", "pattern"),
        ("^http://www", "pattern"),
        (r"http://h/\d+", "pattern"),
    ],
)
def test_a_wish_is_told_by_its_form(text: str, kind: str) -> None:
    assert parse_wish(text).kind == kind


def test_the_log_does_not_hold_a_url() -> None:
    wish = parse_wish("http://www.example.org/secret")
    assert len(wish.asked) == 16
    assert "example" not in wish.asked


@pytest.mark.parametrize("text", ["", " ", "(", "http://[/"])
def test_what_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(BadInput):
        parse_wish(text)


def test_a_web_in_a_database_is_refused_before_anything_happens() -> None:
    with pytest.raises(BadInput, match="a web in a directory"):
        check_supported(object(), "gossamer forget")
