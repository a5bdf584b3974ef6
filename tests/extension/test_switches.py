"""Off by one key, for a site and everywhere; off in the options and in the window of the button."""

from typing import Any

import pytest
from tests.extension.closed_roots import read_cards, read_marks, wait_for
from tests.extension.conftest import OpenPage
from tests.extension.music_world import ENGLISH
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow


def _read_settings(browser: Browser) -> dict[str, Any]:
    found: dict[str, Any] = browser.worker.evaluate(
        "async () => (await chrome.storage.local.get('settings')).settings"
    )
    return found


def _shows_nothing(page: Any) -> bool:
    page.mouse.move(990, 790)
    page.hover("#haydn")
    page.wait_for_timeout(900)
    return "Joseph" not in read_cards(page) and read_marks(page) == []


def test_one_key_turns_a_site_off_and_on_again(open_page: OpenPage, browser: Browser) -> None:
    page = open_page("/")
    wait_for(lambda: read_marks(page))
    page.keyboard.press("Alt+Shift+KeyS")
    wait_for(lambda: read_cards(page), lambda text: f"Gossamer is off on {ENGLISH}" in text)
    assert _read_settings(browser)["offSites"] == [ENGLISH]
    assert _shows_nothing(page)
    again = open_page("/letters")
    # The empty layer is there until the page knows that nothing is wanted.
    wait_for(lambda: again.evaluate("document.documentElement.childElementCount"), lambda count: count == 2)
    page.bring_to_front()
    page.keyboard.press("Alt+Shift+KeyS")
    wait_for(lambda: read_marks(page))
    assert _read_settings(browser)["offSites"] == []


def test_one_key_turns_everything_off_and_on_again(open_page: OpenPage, browser: Browser) -> None:
    page = open_page("/")
    wait_for(lambda: read_marks(page))
    page.keyboard.press("Alt+Shift+KeyG")
    wait_for(lambda: read_cards(page), lambda text: "Gossamer is off everywhere" in text)
    assert _read_settings(browser)["on"] is False
    assert _shows_nothing(page)
    page.keyboard.press("Alt+Shift+KeyG")
    wait_for(lambda: read_marks(page))


def test_sites_of_the_options_are_left_alone(open_page: OpenPage, browser: Browser) -> None:
    options = browser.open_own("options.html")
    options.fill("#offSites", f"my-bank.example\nhttps://{ENGLISH}/account")
    options.keyboard.press("Tab")
    options.get_by_text("Saved.").wait_for()
    assert _read_settings(browser)["offSites"] == ["my-bank.example", ENGLISH]
    page = open_page("/")
    assert _shows_nothing(page)
    page.keyboard.press("Alt+Shift+KeyS")  # does nothing where the user wants nothing
    page.wait_for_timeout(300)
    assert ENGLISH in _read_settings(browser)["offSites"]
    options.fill("#offSites", "")
    options.keyboard.press("Tab")
    wait_for(lambda: read_marks(page))
    options.close()


def test_the_button_turns_everything_off(open_page: OpenPage, browser: Browser, server: Collection) -> None:
    page = open_page("/")
    wait_for(lambda: read_marks(page))
    popup = browser.open_own("popup.html")
    popup.get_by_text("music").wait_for()
    popup.uncheck("#on")
    wait_for(lambda: read_marks(page), lambda names: not names)
    popup.check("#on")
    page.bring_to_front()
    wait_for(lambda: read_marks(page))
    popup.close()
