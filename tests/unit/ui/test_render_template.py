import pytest

from gossamer.ui.pages.search_params import Asked, asked_of
from gossamer.ui.render_template import (
    address,
    asks,
    begins_before,
    day,
    goes_on,
    harmless_href,
    moment,
    parameters,
)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/", "a.example"),
        ("https://a.example/b/c.html?d=1", "a.example › b › c.html?d=1"),
        ("odd", "odd"),
    ],
)
def test_addresses_are_shown_as_people_read_them(url: str, shown: str) -> None:
    assert address(url) == shown


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", " javascript:x", "JAVASCRIPT:x", ""]
)
def test_only_pages_of_the_web_can_be_clicked_on(url: str) -> None:
    assert harmless_href(url) == "#"
    assert harmless_href("HTTPS://a.example/") == "HTTPS://a.example/"


def test_times_are_shown_whatever_they_are() -> None:
    assert (day(0), moment(1_000_000_000)) == ("1970-01-01", "2001-09-09 01:46 UTC")
    assert day(1e300) == ""


@pytest.mark.parametrize(
    ("text", "before", "on"),
    [
        ("A whole sentence.", False, False),
        ("and the end of one.", True, False),
        ("The beginning of", False, True),
        (", which goes on “so.”", True, False),
        ("東京大学は日本の国立大学である。", False, False),
        ("Does it (really?)", False, False),
    ],
)
def test_what_was_cut_off_is_seen(text: str, before: bool, on: bool) -> None:
    assert (begins_before(text), goes_on(text)) == (before, on)


def test_addresses_with_parentheses_are_quoted() -> None:
    assert asks("https://a.example/b", "link") == f"/search?{parameters({'q': 'link:https://a.example/b'})}"
    assert asks("https://a.example/b_(c)", "link").endswith("%22")


def test_addresses_of_questions_can_be_read_back() -> None:
    asked = Asked(q="a&b=c #d", page=3, language="de", after="2021")
    path, _, query = asked.address(page=3).partition("?")
    from urllib.parse import parse_qsl

    assert (path, asked_of(dict(parse_qsl(query)))) == ("/search", asked)
    assert "page" not in asked.address()


@pytest.mark.parametrize(
    ("told", "page"), [("0", 1), ("-3", 1), ("x", 1), ("7", 7), ("99999999999999999999", 100), ("²", 1)]
)
def test_pages_that_make_no_sense_are_the_nearest(told: str, page: int) -> None:
    assert asked_of({"page": told}).page == page
