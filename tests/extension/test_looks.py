"""Panel, options and the window of the button: nothing runs over the edge, axe finds nothing, light and dark, 320 pixels wide."""

from typing import Any

import pytest
from tests.browser.page_faults import find_faults
from tests.extension.conftest import OpenPage
from tests.extension.reading_browser import Browser

pytestmark = pytest.mark.slow
PAGES = ("panel.html?tab=TAB", "options.html", "popup.html")


@pytest.mark.parametrize("path", PAGES)
def test_own_pages_have_no_faults(open_page: OpenPage, browser: Browser, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    open_page("/haydn").bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    page: Any = browser.open_own(path.replace("TAB", str(tab)))
    page.wait_for_timeout(700)
    _unfold(page, path)
    found = {}
    for width in (320, 400, 900):
        for colours in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=colours)
            if faults := find_faults(page, axe, focus=True):
                found[width, colours] = faults
    page.close()
    assert found == {}


def _unfold(page: Any, path: str) -> None:
    """Open the parts that are folded away."""
    if path.startswith("panel"):
        page.click("#search button")
        page.click("#forgetting summary")
        page.select_option("#what", "day")
        page.locator("#day").wait_for()
        page.select_option("#what", "all")
        page.click("#forget button")
        page.get_by_text("It cannot be brought back").wait_for()
    elif path.startswith("options"):
        page.check("#history")
        page.locator("#pausedSites").wait_for()
