"""The pages of words in a real browser: on a phone and on a wide screen, light and dark, without scripts."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/words", "/words?q=haydn", "/words/flute", "/words/the%20flute?sort=left"])
def test_pages_fit_and_can_be_read(open_page: Callable[..., Any], width: int, scheme: str, path: str) -> None:
    page = open_page(
        path, viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if "flute" in path:
        assert page.locator(".line mark").first.is_visible()
        colours = page.locator(".line mark").first.evaluate(
            "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
        )
        assert colours[0] != colours[1]
    if width > 1_000 and "flute" not in path:
        assert page.locator(".bar rect").first.bounding_box()["width"] > 20


def test_a_word_leads_to_its_places_and_back_with_the_keyboard_alone(open_page: Callable[..., Any]) -> None:
    page = open_page("/words", viewport={"width": 1_000, "height": 800}, java_script_enabled=False)
    page.get_by_label("Pages that match").fill("haydn")
    page.keyboard.press("Enter")
    page.get_by_text("Used more here").wait_for()
    link = page.locator(".word-list tbody a").first
    word = link.inner_text()
    link.focus()
    page.keyboard.press("Enter")
    page.locator("h1", has_text=word).wait_for()
    assert "q=haydn" in page.url
    middle = [box["x"] for box in (mark.bounding_box() for mark in page.locator(".line mark").all())]
    assert max(middle) - min(middle) < 2, "the words are in one column"
    page.get_by_role("link", name="Words").nth(1).focus()
    page.keyboard.press("Enter")
    page.get_by_text("Used more here").wait_for()
