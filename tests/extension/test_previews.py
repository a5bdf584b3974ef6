"""What the server knows more of: pictures in cards, previews of pages outside the collection, and pages like this one."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.extension.closed_roots import find_pictures, read_cards, wait_for
from tests.extension.conftest import OpenPage
from tests.extension.music_world import UNKNOWN
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow
WATCH_PREVIEWS = """() => { const ends = [], fetched = fetch;
globalThis.fetch = async (url, options) => { if (!String(url).endsWith("/previews")) return fetched(url, options);
  const ask = {begun: Date.now(), end: ""}; ends.push(ask);
  try { const found = await fetched(url, options); ask.end = String(found.status); return found; }
  catch (error) { ask.end = error.name; throw error; } };
return ends; }"""
READ_ENDS = "ends => ends.map((one) => one.end)"


@pytest.fixture
def previewing(browser: Browser) -> Iterator[Browser]:
    browser.change(previews=True)
    yield browser
    browser.change(previews=False)


def _wait_for_card(page: Any, words: str) -> str:
    found: str = wait_for(lambda: read_cards(page), lambda text: words in text)
    return found


def test_a_page_with_a_picture_has_it_in_its_card(open_page: OpenPage) -> None:
    page = open_page("/gallery")
    page.hover("#painted")
    (size,) = wait_for(lambda: find_pictures(page))
    width, height = map(int, size.split("x"))
    assert width > 100
    assert height > 60
    assert "A painted page" in read_cards(page)
    page.mouse.move(900, 700)
    wait_for(lambda: read_cards(page), lambda text: not text)
    page.hover("#unknown")
    _wait_for_card(page, "an unknown one")
    assert find_pictures(page) == []


@pytest.mark.usefixtures("previewing")
def test_an_unknown_page_is_read_while_its_reader_waits(open_page: OpenPage, server: Collection) -> None:
    page = open_page("/gallery")
    page.hover("#unknown")
    card = _wait_for_card(page, "An unknown page")
    assert "This library collects what people have written" in card
    assert "read just now" in card
    assert "/unknown" in [entry.target for entry in server.lab.log.entries(UNKNOWN)]


def test_a_preview_ends_when_the_reader_moves_on(
    open_page: OpenPage, previewing: Browser, server: Collection
) -> None:
    ends = previewing.worker.evaluate_handle(WATCH_PREVIEWS)
    page = open_page("/gallery")
    page.hover("#slow")
    _wait_for_card(page, "Asking for its beginning")
    wait_for(lambda: ends.evaluate(READ_ENDS), lambda found: found == [""])
    page.mouse.move(900, 700)
    wait_for(lambda: ends.evaluate(READ_ENDS), lambda found: found == ["AbortError"])
    wait_for(lambda: read_cards(page), lambda text: not text)
    page.hover("#slow")
    wait_for(lambda: ends.evaluate(READ_ENDS), lambda found: found == ["AbortError", ""])
    page.goto(server.start)
    wait_for(lambda: ends.evaluate(READ_ENDS), lambda found: found == ["AbortError", "AbortError"])


def test_pages_like_this_one_are_in_the_panel(open_page: OpenPage, browser: Browser) -> None:
    open_page("/letters/7").bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    panel = browser.open_own(f"panel.html?tab={tab}")
    panel.locator("#related-items li").first.wait_for()
    assert "similar words and links" in panel.inner_text("#related-items")
    assert panel.locator("#related-items a[href$='/letters/7']").count() == 0
    panel.close()
