"""The page of changes in a real browser: on a phone and on a wide screen, light and dark, without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.conftest import Site

from gossamer.store.batch import Batch
from gossamer.watch.change_log import BlockChange, PageChange, make_notes
from gossamer.watch.difference.mark_words import WordSpan
from gossamer.watch.watch_list import WatchedPage, make_note
from gossamer.web import Web

pytestmark = pytest.mark.slow
URL = "http://a.example/" + "a-very-long-path-without-any-break/" * 8
WORDS = (
    WordSpan("same", "The hall is open from "),
    WordSpan("gone", "nine"),
    WordSpan("new", "<img src=x onerror=\"document.documentElement.dataset.ran='yes'\">" + "w" * 200),
)


@pytest.fixture(scope="module")
def changes(site: Site) -> None:
    change = PageChange(
        URL, "select #hours", "changed", 1e9, 1e9 - 60, blocks=(BlockChange("changed", WORDS),)
    )
    with Web(site.folder) as web:
        notes = make_notes(web.store, [change]) | dict([make_note(WatchedPage(URL, status="there"))])
        web.store.commit(Batch(notes=notes))


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False])
def test_changes_fit_and_run_nothing(
    changes: None, open_page: Callable[..., Any], width: int, scheme: str, scripts: bool
) -> None:
    page = open_page(
        "/changes",
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=scripts,
    )
    assert page.locator("del").inner_text() == "nine"
    assert page.locator("ins").inner_text().startswith("<img")
    colours = [
        page.locator(tag).evaluate("e => getComputedStyle(e).backgroundColor") for tag in ("ins", "del")
    ]
    assert len({*colours, "rgba(0, 0, 0, 0)"}) == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.dataset.ran") is None
    navigation = page.locator("header nav").bounding_box()
    assert navigation["height"] < 60, "the navigation is on two lines at most"
