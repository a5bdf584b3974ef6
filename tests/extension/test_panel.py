"""The panel of backlinks: beside a page, for any page, and filtered by site."""

from typing import Any

import pytest
from tests.extension.conftest import OpenPage
from tests.extension.music_world import GERMAN, UNKNOWN
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow


def _open_panel(browser: Browser, page: Any) -> Any:
    """Open the panel of the tab with a page, in a tab of its own: the panel beside it is outside what tests can drive."""
    page.bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    return browser.open_own(f"panel.html?tab={tab}")


def test_the_pages_that_link_here_come_with_their_words(
    open_page: OpenPage, browser: Browser, server: Collection
) -> None:
    panel = _open_panel(browser, open_page("/haydn"))
    panel.get_by_text("34 pages link here").wait_for()
    assert panel.locator("#items li").count() == 20
    assert "symphonies of Joseph Haydn may read on there" in panel.inner_text("#items")
    panel.click("#more")
    panel.locator("#items li").nth(33).wait_for()
    assert not panel.locator("#more").is_visible()
    panel.select_option("#site", GERMAN)
    panel.get_by_text(f"1 page links here from {GERMAN}").wait_for()
    assert panel.locator("#items a").get_attribute("href") == server.url("/lieder", GERMAN)
    panel.close()


def test_a_page_outside_the_collection_gets_a_command_that_collects_around_it(
    browser: Browser, server: Collection
) -> None:
    page = browser.open(server.url("/unknown", UNKNOWN))
    panel = _open_panel(browser, page)
    panel.get_by_text("3 pages link here", exact=True).wait_for()
    command = panel.inner_text("#command")
    assert command.startswith(f"gossamer crawl http://{UNKNOWN}:{server.lab.port}/unknown --scope any")
    panel.click("#copy")
    panel.locator("#copied").get_by_text("cop", exact=False).wait_for()
    panel.close()
    page.close()


def test_the_panel_follows_its_page(open_page: OpenPage, browser: Browser, server: Collection) -> None:
    page = open_page("/haydn")
    panel = _open_panel(browser, page)
    panel.get_by_text("34 pages link here").wait_for()
    page.goto(server.url("/letters/3"))
    panel.get_by_text("1 page links here").wait_for()
    assert panel.inner_text("#title") == "Letter 3"
    page.goto(f"{server.address}/help")
    panel.get_by_text("This page belongs to Gossamer itself.").wait_for()
    panel.close()


def test_hostile_titles_are_text_in_the_panel(open_page: OpenPage, browser: Browser) -> None:
    panel = _open_panel(browser, open_page("/hostile"))
    panel.locator("#count").get_by_text("link here").wait_for()
    assert "<img src=x onerror=" in panel.inner_text("#title")
    assert panel.locator("#title img, #items img, #items script").count() == 0
    panel.close()


def test_the_button_opens_the_panel(open_page: OpenPage, browser: Browser) -> None:
    open_page("/haydn").bring_to_front()
    popup = browser.open_own("popup.html")
    popup.locator("#backlinks").wait_for()
    paths = popup.evaluate("async () => (await chrome.sidePanel.getOptions({})).path")
    assert paths.endswith("pages/panel.html")
    popup.close()


def test_the_panel_says_where_the_page_stands_and_who_wrote_last(
    open_page: OpenPage, browser: Browser, server: Collection
) -> None:
    panel = _open_panel(browser, open_page("/haydn"))
    panel.get_by_role("heading", name="Where this page stands").wait_for()
    assert panel.locator("#map-items svg circle").count() > 10
    assert panel.locator("#map-items a").first.get_attribute("href") == server.start
    assert "more are left out" in panel.inner_text("#map-items")
    panel.select_option("#order", "latest")
    panel.locator("#items li").first.wait_for()
    assert "34 pages link here" in panel.inner_text("#count")
    panel.close()
