"""The map of themes in a real browser: on a phone and on a wide screen, light and dark, with and without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.conftest import Site

from gossamer.context.themes.theme_records import Themes
from gossamer.web import Web

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def themes(site: Site) -> Themes:
    with Web(site.folder) as web:
        return web.find_themes(number=6)


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False])
def test_the_map_fits_and_leads_to_themes(
    themes: Themes, open_page: Callable[..., Any], width: int, scheme: str, scripts: bool
) -> None:
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    page = open_page("/themes", java_script_enabled=scripts, **look)
    circles = page.locator(".map circle")
    assert circles.count() == len(themes.themes)
    frame = page.locator(".map").bounding_box()
    for at in range(circles.count()):
        box = circles.nth(at).bounding_box()
        assert box["width"] >= 12, "a finger can touch it"
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    names = [one.bounding_box() for one in page.locator(".map text").all()]
    for at, one in enumerate(names):
        # Half a pixel: fonts are as wide as the browser makes them.
        assert frame["x"] - 0.5 <= one["x"]
        assert one["x"] + one["width"] <= frame["x"] + frame["width"] + 0.5
        for other in names[:at]:
            beside = one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
            above = one["y"] >= other["y"] + other["height"] or other["y"] >= one["y"] + one["height"]
            assert beside or above, "names do not cover each other"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = page.evaluate(
        "[getComputedStyle(document.querySelector('.map text')).fill, getComputedStyle(document.body).color]"
    )
    assert colours[0] == colours[1]
    page.locator(".map a").first.click()
    page.wait_for_url("**/themes/*")
    assert page.locator("h1").inner_text() == themes.themes[0].name
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_map_by_keyboard(themes: Themes, open_page: Callable[..., Any]) -> None:
    page = open_page("/themes")
    page.locator(".map a").first.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        themes.themes[1].name
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/themes/*")
    page.locator("#within").fill("haydn")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=haydn")
    assert "Pages of this theme for" in page.locator("main").inner_text()
