"""Paths and surroundings of pages are shown harmlessly, and bad addresses get a sentence beside their field."""

from urllib.parse import quote

import pytest
from tests.unit.reports.hostile_web import ALONE, END, MIDDLE, RIM, SCRIPT, START
from tests.unit.ui.conftest import GetPage


def make_path_address(source: str, target: str) -> str:
    return f"/workbench/path?from={quote(source, safe='')}&to={quote(target, safe='')}"


def make_ego_address(url: str, site: str = "") -> str:
    return f"/workbench/around?url={quote(url, safe='')}&site={quote(site, safe='')}"


def test_paths_in_both_directions(get_hostile: GetPage) -> None:
    shown = get_hostile(make_path_address(START, END))
    assert shown.status == 200
    assert "2 links" in shown.text
    assert f"<b>{SCRIPT.replace('<', '&lt;').replace('>', '&gt;')}on</b>" in shown.text
    assert "{{ 7*7 }}" in shown.text
    assert "No path: this page is" in shown.text
    assert SCRIPT not in shown.text
    assert "<img src=x" not in shown.text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("http://", "This is not an address"),
        ("http://unknown.example/", "The web does not know this page"),
        ('"><script>alert(1)</script>', "This is not an address"),
    ],
)
def test_a_bad_address_is_told_beside_its_field(get_hostile: GetPage, typed: str, sentence: str) -> None:
    for address in (make_path_address(typed, END), make_ego_address(typed)):
        shown = get_hostile(address)
        assert shown.status == 400
        assert sentence in shown.text
        assert 'aria-invalid="true"' in shown.text
        assert SCRIPT not in shown.text
    assert f'value="{END.replace("&", "&amp;")}"' in get_hostile(make_path_address(typed, END)).text


def test_the_surroundings_of_a_page(get_hostile: GetPage) -> None:
    shown = get_hostile(make_ego_address(MIDDLE)).text
    assert "1 page links here, and it links to 1." in shown
    assert "Only known pages are counted" in shown
    assert "<svg viewBox" in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;Start" in shown
    assert SCRIPT not in shown
    assert "<img src=x" not in shown
    assert 'style="' not in shown
    rim = get_hostile(make_ego_address(RIM)).text
    assert "The web does not have this page" in rim
    assert "Its links are unknown" in rim
    other = get_hostile(make_ego_address(END, "other.example")).text
    assert "0 pages link here, and it links to 1, of" in other
    assert "No known page of other.example links here" in other
    alone = get_hostile(make_ego_address(ALONE)).text
    assert "No known page links here" in alone
    assert "<figure" not in alone


def test_real_pages_have_words_around_their_links(get_page: GetPage, start: str) -> None:
    shown = get_page(make_ego_address(f"{start}haydn")).text
    assert "<b>the Haydn page</b>" in shown
    assert "Home of the library" in shown
    assert "1 link away from a start page" in shown
    assert shown.index("From a start page") < shown.rindex("the Haydn page")
    path = get_page(make_path_address(f"{start}haydn", f"{start}symphony/3")).text
    assert "Symphony 3</b>" in path


def test_an_empty_web(get_empty: GetPage) -> None:
    for address in (make_path_address(START, END), make_ego_address(START)):
        shown = get_empty(address)
        assert shown.status == 200
        assert "gossamer crawl URL" in shown.text
