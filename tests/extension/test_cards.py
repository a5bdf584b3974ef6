"""Cards of links in a real Chromium: from the collection, after a hover, on focus, at a key; and when they go."""

from typing import Any

import pytest
from tests.extension.closed_roots import read_cards, wait_for
from tests.extension.conftest import OpenPage
from tests.extension.music_world import UNKNOWN
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow


def _wait_for_card(page: Any, words: str) -> str:
    found: str = wait_for(lambda: read_cards(page), lambda text: words in text)
    return found


def _wait_until_closed(page: Any) -> None:
    wait_for(lambda: read_cards(page), lambda text: not text)


def test_a_card_comes_from_the_collection_after_a_hover(open_page: OpenPage, server: Collection) -> None:
    page = open_page("/")
    page.hover("#haydn")
    card = _wait_for_card(page, "Joseph Haydn")
    assert "Joseph Haydn wrote more than a hundred symphonies" in card
    assert f"127.9.10.1:{server.lab.port}/haydn" in card
    for fact in ("English", "page · ", "5 June 2024", "Collected", "click from a start"):
        assert fact in card
    page.mouse.move(900, 700)
    _wait_until_closed(page)


def test_a_card_comes_on_focus_and_goes_with_escape(open_page: OpenPage) -> None:
    page = open_page("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "haydn"
    _wait_for_card(page, "more than a hundred symphonies")
    page.keyboard.press("Escape")
    _wait_until_closed(page)
    page.keyboard.press("Tab")
    _wait_for_card(page, "Gone")
    page.keyboard.press("Tab")
    assert "Joseph Haydn" in _wait_for_card(page, "Moved")


def test_a_key_shows_a_card_at_once_without_waiting_for_a_hover(
    open_page: OpenPage, browser: Browser
) -> None:
    browser.change(onHover=False)
    page = open_page("/")
    page.hover("#lieder")
    page.wait_for_timeout(800)
    assert read_cards(page) == ""
    page.keyboard.press("Control")
    assert "German" in _wait_for_card(page, "Lieder und Sinfonien")
    browser.change(onHover=True)


def test_a_card_says_what_a_link_would_do(open_page: OpenPage) -> None:
    page = open_page("/")
    page.hover("#mail")
    assert _wait_for_card(page, "mail") == "Writes a mail to haydn@example.org"
    page.mouse.move(990, 790)
    _wait_until_closed(page)
    page.hover("#file")
    _wait_for_card(page, "Downloads a file · Opens a new window")


def test_an_unknown_page_is_not_asked_for(open_page: OpenPage, server: Collection) -> None:
    before = server.lab.log.entries(UNKNOWN)
    page = open_page("/")
    page.hover("#unknown")
    _wait_for_card(page, "Not in your collection")
    assert server.lab.log.entries(UNKNOWN) == before


def test_the_pointer_may_rest_on_the_card_which_takes_clicks(open_page: OpenPage, server: Collection) -> None:
    page = open_page("/")
    page.hover("#haydn")
    _wait_for_card(page, "Joseph Haydn")
    box = page.locator("#haydn").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] + 40)
    page.wait_for_timeout(600)
    assert "Joseph Haydn" in read_cards(page)
    page.mouse.click(box["x"] + 20, box["y"] + box["height"] + 40)  # on the link that lies under the card
    page.wait_for_timeout(300)
    assert page.url == server.start
    page.mouse.move(990, 790)
    _wait_until_closed(page)
    page.mouse.click(box["x"] + 20, box["y"] + box["height"] + 40)
    page.wait_for_url("**/lieder")


def test_hostile_titles_are_text(open_page: OpenPage) -> None:
    page = open_page("/")
    page.hover("#hostile")
    assert "<img src=x onerror=" in _wait_for_card(page, "concert")
    assert page.evaluate("document.documentElement.dataset.owned ?? ''") == ""


def test_moving_on_leaves_one_card(open_page: OpenPage) -> None:
    page = open_page("/")
    for name in ("haydn", "gone", "moved", "lieder", "haydn", "lieder"):
        page.hover(f"#{name}")
        page.wait_for_timeout(150)
    card = _wait_for_card(page, "Lieder und Sinfonien")
    assert "|" not in card


def test_scripts_of_a_page_cannot_make_cards_appear(open_page: OpenPage) -> None:
    page = open_page("/")
    page.evaluate(
        """() => { const link = document.getElementById("haydn"), options = {bubbles: true, composed: true};
        link.dispatchEvent(new PointerEvent("pointerover", options)); link.dispatchEvent(new FocusEvent("focusin", options));
        link.dispatchEvent(new KeyboardEvent("keydown", {...options, key: "Control"})); }"""
    )
    page.wait_for_timeout(900)
    assert read_cards(page) == ""
