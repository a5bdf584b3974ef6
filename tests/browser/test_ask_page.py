"""The page of questions in a real browser: on a phone and on a wide screen, light and dark, by keyboard, without scripts."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1200, "light")])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_question_is_asked_by_keyboard(
    open_page: Callable[..., Any], width: int, scheme: str, scripts: bool
) -> None:
    page = open_page(
        "/ask",
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=scripts,
    )
    page.locator("#question").focus()
    page.locator("#question:focus").wait_for()
    page.keyboard.type("how many symphonies did Haydn write")
    page.keyboard.press("Enter")
    best = page.locator(".passages > li").first
    best.wait_for()
    assert "more than a hundred symphonies" in best.locator("blockquote").inner_text()
    assert "symphonies" in best.locator("mark").all_inner_texts()
    assert page.locator("#question").input_value() == "how many symphonies did Haydn write"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text, ground = (
        best.locator("blockquote").evaluate("e => getComputedStyle(e).color"),
        page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor"),
    )
    assert text != ground
    assert page.locator("header nav").bounding_box()["height"] < 60


def test_hostile_passages_run_nothing(open_page: Callable[..., Any]) -> None:
    page = open_page("/ask?q=concert+of+malice", viewport={"width": 360, "height": 800})
    assert "run scripts" in page.locator("blockquote").first.inner_text()
    assert page.evaluate("document.documentElement.dataset.ran") is None
    assert "OWNED" not in page.title()


def test_the_title_leads_to_the_passage(open_page: Callable[..., Any]) -> None:
    page = open_page("/ask?q=haydn+symphonies")
    assert "#:~:text=" in page.locator(".passages h2 a").first.get_attribute("href")
