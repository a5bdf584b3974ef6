import re
from html import unescape
from urllib.parse import quote

import pytest
from tests.unit.ui.conftest import GetPage


def get_story(get_page: GetPage, url: str) -> tuple[int, str]:
    reply = get_page(f"/console/explain?url={quote(url, safe='')}")
    return reply.status, unescape(reply.text)


def list_steps(page: str) -> list[str]:
    return re.findall(r'<span class="what">([^<]*)</span>', page)


def test_a_fetched_page_has_a_story_from_link_to_index(get_page: GetPage, start: str) -> None:
    status, page = get_story(get_page, f"{start}haydn")
    assert status == 200
    steps = list_steps(page)
    assert steps[0] == "found"
    assert steps[-3:] == ["scheduled", "fetched", "kept"]
    assert "It was fetched and kept." in page
    assert "In the index: " in page
    assert f"/cached?url={quote(f'{start}haydn', safe='')}" in page
    assert "/search?q=link" in page
    assert "its story" in page, "the page that links to it"


def test_what_was_not_found_says_what_would_have_to_change(get_page: GetPage, start: str) -> None:
    _, page = get_story(get_page, f"{start}never-linked")
    assert "This web does not know this URL." in page
    assert "What would have to change:</strong> submit it as a start page" in page


def test_a_url_is_understood_as_it_is_typed(get_page: GetPage, start: str) -> None:
    _, page = get_story(get_page, f"  {start.removeprefix('http://')}haydn ")
    assert "It was fetched and kept." in page


@pytest.mark.parametrize(
    "typed",
    ["nonsense", "javascript:alert(1)", "http://", "http://[::1", "<script>alert(1)</script>", "x" * 5_000],
)
def test_what_is_no_url_gets_one_sentence_and_stays_in_the_field(get_page: GetPage, typed: str) -> None:
    reply = get_page(f"/console/explain?url={quote(typed, safe='')}")
    assert reply.status == 400
    assert len(re.findall(r'role="alert">[^<]+\.<', reply.text)) == 1
    field = re.search(r'name="url" value="([^"]*)"', reply.text)
    assert field is not None
    assert unescape(field[1]) == typed
    assert "<script>alert" not in reply.text


def test_a_password_is_not_shown_again(get_page: GetPage) -> None:
    status, page = get_story(get_page, "http://user:secret@a.example/")
    assert status == 400
    assert "secret" not in page


def test_the_form_alone_is_a_page(get_page: GetPage) -> None:
    reply = get_page("/console/explain")
    assert reply.status == 200
    assert 'label for="url"' in reply.text
