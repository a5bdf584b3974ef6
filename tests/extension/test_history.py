"""The history of what was read: off until it is turned on, never of paused sites and private windows, searched and forgotten."""

import time
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from tests.extension.closed_roots import wait_for
from tests.extension.conftest import OpenPage
from tests.extension.music_world import ENGLISH, GERMAN
from tests.extension.reading_browser import FORGET_SETTINGS, Browser, Collection

pytestmark = pytest.mark.slow
LONG_ENOUGH_MS = 3_500
"""A page is kept once it was shown for one and a half seconds."""


@pytest.fixture(autouse=True)
def _forget_all(browser: Browser, server: Collection) -> Iterator[None]:
    yield
    own = browser.open_own("popup.html")
    for _ in range(20):
        own.evaluate("chrome.runtime.sendMessage({ask: 'forgetHistory', what: 'all', value: true})")
        own.wait_for_timeout(300)  # a page that has just been closed sends its visit a moment later
        if not own.evaluate("chrome.runtime.sendMessage({ask: 'read', what: 'history', asked: {}})").get(
            "items"
        ):
            break
    own.close()
    browser.worker.evaluate(FORGET_SETTINGS, server.address)


@pytest.fixture
def keeping(browser: Browser) -> Browser:
    """The browser of a user who has turned the history on in the options."""
    options = browser.open_own("options.html")
    options.check("#history")
    options.get_by_text("Saved.").wait_for()
    options.close()
    return browser


def _find(browser: Browser, **asked: Any) -> list[Any]:
    own = browser.open_own("popup.html")
    message = {"ask": "read", "what": "history", "asked": asked}
    found = own.evaluate("message => chrome.runtime.sendMessage(message)", message)
    own.close()
    assert "error" not in found, found
    items: list[Any] = found["items"]
    return items


def _read_until(browser: Browser, page: Any, words: str) -> list[Any]:
    """Show a page until it is in the history."""
    page.bring_to_front()
    ends_s = time.monotonic() + 20
    found: list[Any] = []
    while not found and time.monotonic() < ends_s:
        page.bring_to_front()
        page.wait_for_timeout(LONG_ENOUGH_MS)
        found = _find(browser, q=words)
    return found


def _open_panel(browser: Browser, page: Any) -> Any:
    page.bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    return browser.open_own(f"panel.html?tab={tab}")


def _turn_off(browser: Browser, page: Any, switch: str) -> None:
    """Turn a switch off in the window of the button, for the tab with a page."""
    page.bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    popup = browser.open_own(f"popup.html?tab={tab}")
    popup.locator(f"{switch}:checked").wait_for()  # before the settings are read, nothing is checked
    popup.uncheck(switch)
    settings = "async () => (await chrome.storage.local.get('settings')).settings"
    wait_for(
        lambda: browser.worker.evaluate(settings),
        lambda found: found["historyPaused"] or found["pausedSites"] == [ENGLISH],
    )
    popup.close()
    page.bring_to_front()


def test_nothing_is_kept_before_the_user_turns_it_on(open_page: OpenPage, browser: Browser) -> None:
    page = open_page("/haydn")
    page.wait_for_timeout(LONG_ENOUGH_MS)
    page.goto(page.url.replace("haydn", "letters/3"))
    page.wait_for_timeout(500)
    assert _find(browser) == []
    options = browser.open_own("options.html")
    options.locator("#history").wait_for()
    assert not options.is_checked("#history")
    said = options.locator("label", has=options.locator("#history")).inner_text()
    assert "on this machine, in a file that only you can read" in said
    options.close()


def test_what_was_read_is_found_by_its_words_with_its_time_and_its_trail(
    open_page: OpenPage, keeping: Browser
) -> None:
    page = open_page("/")
    assert _read_until(keeping, page, "courts of the princes")
    page.bring_to_front()
    page.click("#haydn")
    (found,) = _read_until(keeping, page, "travelled twice to London")
    assert found["title"] == "Joseph Haydn"
    assert found["from"] == page.url.replace("/haydn", "/")
    page.bring_to_front()
    page.goto(page.url.replace("haydn", "letters"))  # the time is told when the page is left
    wait_for(lambda: _find(keeping, q="Eisenstadt"), lambda items: items[0]["seconds"] > 1)
    page.go_back()
    panel = _open_panel(keeping, page)
    panel.locator("#trail-items li").nth(1).wait_for()
    assert panel.locator("#trail-items a").all_inner_texts() == ["Music library", "Joseph Haydn"]
    panel.fill("#words", "princes Eisenstadt")
    panel.keyboard.press("Enter")
    panel.get_by_text("1 page", exact=True).wait_for()
    assert "Joseph Haydn" in panel.inner_text("#read-items")
    panel.fill("#words", "contrabassoon")
    panel.keyboard.press("Enter")
    panel.get_by_text("No page that you have read").wait_for()
    panel.close()


def test_paused_sites_and_pauses_keep_nothing(
    open_page: OpenPage, keeping: Browser, server: Collection
) -> None:
    page = open_page("/haydn")
    _turn_off(keeping, page, "#history-site-on")
    page.goto(server.url("/letters/4"))
    page.wait_for_timeout(LONG_ENOUGH_MS)
    page.click("a")  # to a page of the site that is paused
    page.wait_for_timeout(LONG_ENOUGH_MS)
    page.goto(server.url("/lieder", GERMAN), referer=server.url("/letters/4"))
    (found,) = _read_until(keeping, page, "Eisenstadt")
    assert (found["url"], found["from"]) == (server.url("/lieder", GERMAN), "")
    keeping.change(pausedSites=[])
    _turn_off(keeping, page, "#history-on")
    page.goto(server.url("/letters/5"))
    page.wait_for_timeout(LONG_ENOUGH_MS)
    assert [one["url"] for one in _find(keeping)] == [server.url("/lieder", GERMAN)]


def test_pages_that_ask_for_a_password_and_sites_that_are_off_are_not_kept(
    open_page: OpenPage, keeping: Browser
) -> None:
    page = open_page("/login")
    page.wait_for_timeout(LONG_ENOUGH_MS)
    keeping.change(offSites=[ENGLISH])
    page.goto(page.url.replace("login", "letters/6"))
    page.wait_for_timeout(LONG_ENOUGH_MS)
    assert _find(keeping) == []


def test_private_windows_are_not_kept(keeping: Browser, server: Collection) -> None:
    url = server.url("/letters/9")
    before = len([one for one in server.lab.log.entries(ENGLISH) if one.target == "/letters/9"])
    keeping.worker.evaluate("url => void chrome.windows.create({incognito: true, url})", url)
    wait_for(
        lambda: len([one for one in server.lab.log.entries(ENGLISH) if one.target == "/letters/9"]),
        lambda count: count > before,
    )
    page = keeping.open(server.url("/letters/8"))
    assert _read_until(keeping, page, "number 8")
    assert [one["url"] for one in _find(keeping)] == [server.url("/letters/8")]
    page.close()


def test_what_is_forgotten_is_gone_and_does_not_come_back(
    open_page: OpenPage, keeping: Browser, server: Collection
) -> None:
    page = open_page("/haydn")
    assert _read_until(keeping, page, "Eisenstadt")
    panel = _open_panel(keeping, page)
    panel.locator("#forgetting summary").click()
    panel.click("#forget button")
    panel.get_by_text("Forgotten: 1 visit.").wait_for()
    assert _find(keeping) == []
    page.bring_to_front()
    page.goto(server.url("/letters/2"))  # leaving it tells nothing of it
    assert _read_until(keeping, page, "number 2")
    assert [one["url"] for one in _find(keeping)] == [server.url("/letters/2")]
    panel.get_by_text("Letter 2").first.wait_for()
    _forget_by_day_and_all(panel, keeping, page, server)
    panel.close()


def _forget_by_day_and_all(panel: Any, keeping: Browser, page: Any, server: Collection) -> None:
    panel.bring_to_front()
    panel.select_option("#what", "day")
    panel.fill("#day", "2020-02-02")
    panel.click("#forget button")
    panel.get_by_text("Forgotten: 0 visits.").wait_for()
    assert len(_find(keeping)) == 1
    panel.fill("#day", date.today().isoformat())
    panel.click("#forget button")
    panel.get_by_text("Forgotten: 1 visit.").wait_for()
    page.bring_to_front()
    page.goto(server.url("/letters/1"))
    assert _read_until(keeping, page, "number 1")
    panel.bring_to_front()
    panel.select_option("#what", "all")
    panel.click("#forget button")
    panel.get_by_text("Forget everything that you have read?").wait_for()
    panel.click("#keep-all")
    assert len(_find(keeping)) == 1
    panel.click("#forget button")
    panel.click("#forget-all")
    panel.get_by_text("Forgotten: 1 visit.").wait_for()
    assert _find(keeping) == []
