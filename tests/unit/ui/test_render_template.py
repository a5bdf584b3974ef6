import pytest

from gossamer.ui.pages.search_params import SearchRequest, read_request
from gossamer.ui.render_template import (
    TemplateRenderer,
    begins_mid_sentence,
    encode_parameters,
    ends_mid_sentence,
    format_day,
    format_minute,
    make_query_address,
    make_safe_href,
    mark_code,
)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", " javascript:x", "JAVASCRIPT:x", ""]
)
def test_only_http_addresses_can_be_clicked(url: str) -> None:
    assert make_safe_href(url) == "#"
    assert make_safe_href("HTTPS://a.example/") == "HTTPS://a.example/"


def test_times_are_formatted() -> None:
    assert (format_day(0), format_minute(1_000_000_000)) == ("1970-01-01", "2001-09-09 01:46 UTC")
    assert format_day(1e300) == ""


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
def test_cut_off_sentences_are_recognised(text: str, before: bool, on: bool) -> None:
    assert (begins_mid_sentence(text), ends_mid_sentence(text)) == (before, on)


def test_addresses_with_parentheses_are_quoted() -> None:
    assert (
        make_query_address("https://a.example/b", "link")
        == f"/search?{encode_parameters({'q': 'link:https://a.example/b'})}"
    )
    assert make_query_address("https://a.example/b_(c)", "link").endswith("%22")


def test_addresses_of_requests_are_read_back() -> None:
    request = SearchRequest(q="a&b=c #d", page=3, language="de", after="2021")
    path, _, query = request.make_address(page=3).partition("?")
    from urllib.parse import parse_qsl

    assert (path, read_request(dict(parse_qsl(query)))) == ("/search", request)
    assert "page" not in request.make_address()


@pytest.mark.parametrize(
    ("text", "page"), [("0", 1), ("-3", 1), ("x", 1), ("7", 7), ("99999999999999999999", 100), ("²", 1)]
)
def test_invalid_page_numbers_are_replaced(text: str, page: int) -> None:
    assert read_request({"page": text}).page == page


def test_addresses_are_shown_by_host_and_folders() -> None:
    page = '{% from "address.html" import address %}{{ address(url) }}'
    template = TemplateRenderer(())._templates.from_string(page)
    shown = template.render(url="https://a.example/%D7%A9/c.html?d=<b>&%E2%80%AE=1")
    parts = ("a.example", "ש", "c.html?d=&lt;b&gt;&amp;%E2%80%AE=1")
    assert shown.strip() == " › ".join(f"<bdi>{part}</bdi>" for part in parts)


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("use `a <b>` now", "use <code>a &lt;b&gt;</code> now"),
        ("one ` <i>", "one ` &lt;i&gt;"),
        ("plain & simple", "plain &amp; simple"),
    ],
)
def test_code_in_sentences_is_marked_and_escaped(sentence: str, shown: str) -> None:
    assert mark_code(sentence) == shown
