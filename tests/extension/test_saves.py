"""Save a page as the browser shows it: one click, and what scripts have drawn is found by `gossamer search`."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from tests.extension.closed_roots import read_marks, wait_for
from tests.extension.conftest import OpenPage
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow
SAVED = "Saved: your collection has the page as it is shown here."


def _search(server: Collection, words: str) -> list[str]:
    command = [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "search",
        words,
        "--web",
        str(server.folder),
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    return [one["url"] for line in done.stdout.splitlines() for one in json.loads(line)["answers"]]


def _open_own_beside(browser: Browser, page: Any, path: str) -> Any:
    """Open the window of the button or the panel in a tab of its own, for the tab with a page."""
    page.bring_to_front()
    tab = browser.worker.evaluate(
        "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    )
    return browser.open_own(f"{path}?tab={tab}")


def test_what_a_script_has_drawn_is_found_after_one_click(
    open_page: OpenPage, browser: Browser, server: Collection
) -> None:
    assert _search(server, "kettledrummer") == []
    page = open_page("/drawn")
    popup = _open_own_beside(browser, page, "popup.html")
    popup.click("#save")
    popup.get_by_text(SAVED).wait_for()
    popup.close()
    wait_for(lambda: _search(server, "kettledrummer"), lambda found: found == [server.url("/drawn")])


def test_the_panel_saves_the_page_without_marks_and_cards(
    open_page: OpenPage, browser: Browser, server: Collection
) -> None:
    page = open_page("/gallery")
    wait_for(lambda: read_marks(page))
    page.evaluate(
        """() => { const part = document.createElement("div"); document.body.append(part);
        part.attachShadow({mode: "open"}).append("inside a shadow"); document.body.dataset.said = 'a "quoted" <word>'; }"""
    )
    tab = _open_own_beside(browser, page, "panel.html")
    posted = browser.worker.evaluate_handle(
        """() => { const posted = [], fetched = fetch; globalThis.fetch = (url, options) => {
        if (String(url).endsWith("/saves")) posted.push(JSON.parse(options.body)); return fetched(url, options); }; return posted; }"""
    )
    tab.click("#save")
    tab.get_by_text(SAVED).wait_for()
    (sent,) = posted.evaluate("posted => posted")
    tab.close()
    assert (sent["url"], sent["title"]) == (server.url("/gallery"), "Gallery")
    assert sent["html"].startswith('<!doctype html>\n<html lang="en"><head>')
    assert 'data-said="a &quot;quoted&quot; &lt;word>"' in sent["html"]
    assert "inside a shadow" in sent["html"]
    assert "Marks on links" not in sent["html"]
    assert sent["html"].count("<body") == 1


def test_pages_of_the_server_are_not_saved(browser: Browser, server: Collection) -> None:
    own = browser.open(f"{server.address}/help")
    popup = _open_own_beside(browser, own, "popup.html")
    popup.get_by_text("music").wait_for()
    assert not popup.is_visible("#save")
    popup.close()
    own.close()
